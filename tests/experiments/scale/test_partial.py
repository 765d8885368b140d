"""One task: counts and sums of one part, the same as often as it is done."""

import pytest

from dpspin.errors import ImpossibleError
from dpspin_experiments.scale import partial, partitions
from dpspin_experiments.scale.partial import Task
from dpspin_experiments.scale.sketch import shared_by


@pytest.fixture
def task(small, setting, tmp_path):
    [path] = small.laid_out(tmp_path / "corpus", [small.rows])
    [part] = partitions.look(str(path))
    return Task(shared_by(setting, 3, str(tmp_path)), part, 0)


def test_a_task_may_be_done_twice(small, setting, task, monkeypatch):
    first = partial.partial(task)
    assert partial.partial(task) == first
    assert first.counts == small.by_reference(setting, small.rows)[1]
    if setting.deployment.user is None:
        assert (first.total, first.spills) == (small.by_reference(setting, small.rows)[0], [])
    else:
        assert first.total == [0] * setting.weights.atoms
        assert len(first.spills) == 1
    monkeypatch.setattr(partial, "RECORDS_AT_ONCE", 10)
    again = partial.partial(task)
    assert (again.counts, again.total) == (first.counts, first.total)
    assert len(again.spills) >= 4 * len(first.spills)


def test_another_number_of_records_than_was_counted_is_found(task):
    part = task.part._replace(records=task.part.records + 1)
    with pytest.raises(ImpossibleError, match="records where"):
        partial.partial(task._replace(part=part))
