"""Pages of the evaluation in Chromium: no barrier, no request, no error, light and dark, wide and narrow."""

import importlib.util
from pathlib import Path

import pytest

from dpspin_experiments.attack import page as attack
from dpspin_experiments.attack.demonstration import Row as Attack
from dpspin_experiments.judging import results as judging
from dpspin_experiments.judging.answers import DIMENSIONS
from dpspin_experiments.judging.duels import Pair, tally
from dpspin_experiments.judging.likeness import MEASURES, Likeness
from dpspin_experiments.judging.tables import Row, Stat
from dpspin_experiments.results import page as experiments
from dpspin_experiments.results.store import read, store
from dpspin_experiments.sources import reading
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.execute import execute
from dpspin_experiments.sweep.settings import load

SMALL = Path(__file__).parents[1] / "experiments" / "conftest.py"


def _experiments(place):
    """The small sweep that tests of sweeps share."""
    spec = importlib.util.spec_from_file_location("small_sweep", SMALL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bench = Bench(load(module.SWEEP, "small.yaml"), reading.invented(1200))
    execute(bench, place, lambda: None)
    store(bench, module.SWEEP, place)
    return experiments.page([read(place)]).encode()


def _attack(_place):
    return attack.page(
        [
            Attack("clusters", 50, 300, 0.997, 299, None, None, 3.75, 0.97, 1.0),
            Attack("plan", 50, 30_000, 0.598, 30_000, 0.731, 1.0, 0.32, 0.588, 0.607),
        ]
    )


def _judge(_place):
    rows = [Row(name, True, 5, 4, dict.fromkeys(DIMENSIONS, Stat(4.25, 0.5, 4)), flags=("a score",)) for name in "ab"]
    return judging.page(
        judging.Results(
            {"corpus": "invented <b>", "seed": "aa"},
            {"server": "http://127.0.0.1/v1", "model": "<i>small</i>"},
            rows,
            [rows[0]._replace(malformed={"not JSON": 3}), rows[1]._replace(scored=0)],
            [tally([Pair("a", "text", None, 0), Pair("a", "unread", None, 6)], "a")],
            [Likeness("a", dict.fromkeys(MEASURES, Stat(0.5, None, 1)))],
            [judging.Text("a", "<script>alert(1)</script> " + "give me 5 " * 40, "0" * 64)],
        )
    )


MADE = {"experiments": _experiments, "attack": _attack, "judge": _judge}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    place = tmp_path_factory.mktemp("pages")
    for name, make in MADE.items():
        (place / f"{name}.html").write_bytes(make(place / name))
    return place


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", MADE)
def test_it_is_inert_and_has_no_barriers(opened, pages, name, scheme, width):
    found = opened(pages / f"{name}.html", scheme, width)
    assert found.barriers() == []
    assert (found.strangers, found.complaints) == ([], [])
    assert found.requests == [(pages / f"{name}.html").as_uri()]
    assert found.overflow <= 0
