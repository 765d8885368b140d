import json

import pytest

from dpspin.deployment import load
from dpspin.errors import UsageError
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import runs
from dpspin_experiments.sweep.execute import CURATOR, DEPLOYMENTS, RUNS, execute, results
from dpspin_experiments.sweep.measure import measure


@pytest.fixture
def few(bench):
    """The first grid with one seed: eight runs."""
    grid = bench.sweep.grids[0].model_copy(update={"seeds": 1})
    return Bench(bench.sweep.model_copy(update={"grids": (grid,)}), bench.gathered)


class Work:
    """`measure`, which counts its calls and fails on some."""

    def __init__(self, faults=()):
        self.calls, self.faults = 0, faults

    def __call__(self, run, bench, seed):
        self.calls += 1
        if run.condition.mechanism in self.faults:
            raise MemoryError("with the text of a record")
        return measure(run, bench, seed)


def test_every_run_has_a_deployment_that_can_be_loaded(folder):
    names = {path.stem for path in (folder / DEPLOYMENTS).iterdir()}
    assert names == {path.stem for path in (folder / CURATOR / RUNS).iterdir()}
    for path in list((folder / DEPLOYMENTS).iterdir())[:5]:
        row = json.loads((folder / CURATOR / RUNS / f"{path.stem}.json").read_bytes())
        declared = load(path.read_bytes(), path.name)
        assert declared.mechanism.epsilon.text == row["condition"]["epsilon"]
        assert declared.unit == row["condition"]["unit"]


def test_what_is_of_exact_sketches_lies_apart_and_closed(folder):
    assert (folder / CURATOR).stat().st_mode & 0o777 == 0o700
    assert not [path for path in (folder / DEPLOYMENTS).iterdir() if b"figures" in path.read_bytes()]


def test_a_run_that_fails_leaves_the_others_alone_and_is_tried_again(few, tmp_path):
    counts = execute(few, tmp_path, lambda: None, Work(["gaussian"]))
    assert counts == (6, 0, 2)
    failed = [row for row in results(few, tmp_path) if "failed" in row]
    assert [row["failed"] for row in failed] == [{"error": "MemoryError", "text": ""}] * 2  # no text of a stranger
    again = Work()
    assert execute(few, tmp_path, lambda: None, again) == (2, 6, 0)
    assert again.calls == 2
    assert not [row for row in results(few, tmp_path) if "failed" in row]


def test_a_file_that_was_cut_short_is_done_anew(few, tmp_path):
    execute(few, tmp_path, lambda: None)
    place = next((tmp_path / CURATOR / RUNS).iterdir())
    whole = place.read_bytes()
    place.write_bytes(whole[: len(whole) // 2])
    assert execute(few, tmp_path, lambda: None) == (1, 7, 0)
    assert place.read_bytes() == whole


def test_resuming_gives_the_bytes_of_one_go(few, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    execute(few, whole, lambda: None)
    execute(few, parts, lambda: None, Work(["laplace", "private_top_l"]))
    execute(few, parts, lambda: None)
    for path in (whole / CURATOR / RUNS).iterdir():
        assert (parts / CURATOR / RUNS / path.name).read_bytes() == path.read_bytes()


def test_progress_counts_every_run(few, tmp_path):
    ticks = []
    execute(few, tmp_path, lambda: ticks.append(1))
    assert len(ticks) == len(runs(few.sweep)) == 8


def test_a_run_that_is_not_there_is_named(few, tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        list(results(few, tmp_path))


def test_a_folder_that_cannot_be_made_is_named(few, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        execute(few, tmp_path / "file", lambda: None)
