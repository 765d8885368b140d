import json

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.baselines.standing import standings
from dpspin_experiments.results.store import INDEX, SWEEP, read
from dpspin_experiments.sweep.calibrations import calibrations
from dpspin_experiments.sweep.execute import CURATOR, RUNS, encode, results
from dpspin_experiments.sweep.groups import grouped
from dpspin_experiments.sweep.trials import trials


def test_what_is_read_back_is_what_was_measured(folder, bench):
    seen = read(folder)
    assert list(seen.groups) == grouped(results(bench, folder))
    assert list(seen.trials) == trials(bench)
    assert seen.sweep == bench.sweep
    assert [each.rule for each in seen.fidelities] == ["label", "centroid", "lsa"]
    assert all(0 < each.top_one <= 1 for each in seen.fidelities)
    assert seen.standings == standings(bench)
    assert list(seen.calibrations) == calibrations(bench)
    assert seen.displacement.bound == 1


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


@pytest.mark.parametrize("damage", [
    lambda index: b"[", lambda index: b"3", lambda index: encode({**index, "runs": 3}),
    lambda index: encode({name: value for name, value in index.items() if name != "displacement"}),
    lambda index: encode({**index, "calibrations": [{}]}),
])  # fmt: skip
def test_an_index_that_was_cut_or_that_another_version_wrote_is_refused(folder, tmp_path, damage):
    index = json.loads((folder / CURATOR / INDEX).read_bytes())
    (tmp_path / CURATOR).mkdir()
    (tmp_path / SWEEP).write_bytes((folder / SWEEP).read_bytes())
    (tmp_path / CURATOR / RUNS).symlink_to(folder / CURATOR / RUNS)
    (tmp_path / CURATOR / INDEX).write_bytes(encode(index))
    assert read(tmp_path) == read(folder)
    (tmp_path / CURATOR / INDEX).write_bytes(damage(index))
    with pytest.raises(UsageError, match="curator_only: not as this version writes it; run the sweep again"):
        read(tmp_path)


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"sweep\.yaml"):
        read(tmp_path)
