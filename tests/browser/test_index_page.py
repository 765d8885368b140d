"""The index of many audits in Chromium: no barrier, no request, no error, light and dark, wide and narrow."""

import importlib.util
from pathlib import Path

import pytest

from dpspin_audits.formats import index
from dpspin_audits.formats.opened import of_tree
from dpspin_audits.formats.signatures import Signature

INVENTED = Path(__file__).parents[1] / "audits" / "report" / "conftest.py"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    spec = importlib.util.spec_from_file_location("invented_evidence", INVENTED)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    states = Signature("not signed"), Signature("signed", "ab" * 32, "PASSED", "2027-12-31")
    made = [
        index.Entry(of_tree(make()), states[at % 2], "a/report.html" if at else None)
        for at, make in enumerate(module.KINDS.values())
    ]
    place = tmp_path_factory.mktemp("index") / "index.html"
    place.write_bytes(index.as_html(index.ordered(made, None), None))
    return place


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_it_is_inert_and_has_no_barriers(opened, page, scheme, width):
    found = opened(page, scheme, width)
    assert found.barriers() == []
    assert (found.strangers, found.complaints) == ([], [])
    assert found.requests == [page.as_uri()]
    assert found.overflow <= 0
