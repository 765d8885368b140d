import json

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.results.store import INDEX, SWEEP, read
from dpspin_experiments.sweep.execute import CURATOR, results
from dpspin_experiments.sweep.groups import grouped
from dpspin_experiments.sweep.trials import trials


def test_what_is_read_back_is_what_was_measured(folder, bench):
    seen = read(folder)
    assert list(seen.groups) == grouped(results(bench, folder))
    assert list(seen.trials) == trials(bench)
    assert seen.sweep == bench.sweep
    assert seen.fidelity is not None
    assert 0 < seen.fidelity.top_one <= 1


def test_everything_but_declarations_is_the_curators(folder):
    assert {path.name for path in folder.iterdir()} == {SWEEP, "deployments", CURATOR}
    index = json.loads((folder / CURATOR / INDEX).read_bytes())
    manifests = json.loads((folder / CURATOR / "manifest.json").read_bytes())
    assert index["audience"].startswith("curator only")
    assert set(manifests) == {"record-20", "user-20"}
    for entry in manifests.values():
        assert entry["data"]["audience"].startswith("curator only")
        assert entry["atoms"]["audience"].startswith("curator only")
        assert entry["atoms"]["realised"] == 20


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"sweep\.yaml"):
        read(tmp_path)
