import pytest

from dpspin_experiments.results.evidence import Evidence, means, rises
from dpspin_experiments.results.store import read


@pytest.fixture(scope="module")
def seen(folder):
    return read(folder)


def test_groups_are_picked_by_purpose(seen):
    plans = seen.plans("record")
    assert [group.condition.epsilon for group in plans] == ["0.2"] * 4 + ["4"] * 4
    assert {group.condition.unit for group in seen.plans("user")} == {"user"}
    assert seen.plans("user", "2") == []
    assert [group.condition.probe_support for group in seen.probes("laplace")] == [0, 300]


def test_an_ablation_rises_in_what_it_varies_although_main_runs_came_first(seen):
    assert [group.condition.plan_size for group in seen.ablation("ablation-L", "laplace")] == [3, 5]
    assert [group.condition.sampling_rate for group in seen.ablation("ablation-n", "laplace")] == ["1/3", "1"]
    assert seen.ablation("ablation-L", "gaussian") == []
    assert seen.ablation("none", "laplace") == []


def test_means_leave_out_what_is_not_defined(seen):
    plans = seen.plans("record")
    assert len(means(plans, "loss", "laplace")) == 2
    assert len(means(plans, "loss")) == 8
    assert means(plans, "probe_admitted") == []
    assert isinstance(seen, Evidence)


@pytest.mark.parametrize(
    ("values", "slack", "expected"),
    [
        ([1, 2, 3], 0, True),
        ([1, 1, 2], 0, True),
        ([1, 1], 0, False),
        ([3, 2, 4], 0, False),
        ([3, 2.5, 4], 0.5, True),
        ([3, 2, 4], 0.5, False),
        ([3, 3.5, 3], 1, False),
    ],
)
def test_rises(values, slack, expected):
    assert rises(values, slack) is expected
