"""Running times are measured for information, never judged."""

import itertools

import pytest

from dpspin_audits.checks import timing
from dpspin_audits.pairs.adjacent import ADJACENT, difference


def test_no_verdict_follows_from_running_times():
    found = timing.check()
    assert (found.status, found.figures) == ("not_run", {})
    assert "timings.json" in found.reason


def test_auc_is_the_share_of_pairs_in_which_the_unit_takes_longer():
    assert timing.auc([1, 2, 3], [4, 5]) == 1
    assert timing.auc([4, 5], [1, 2, 3]) == 0
    assert timing.auc([1, 2], [1, 2]) == 0.5
    assert timing.auc([1, 3], [2]) == 0.5


@pytest.mark.parametrize("terms", [{}, {"adjacency": "replacement"}, {"unit": "user"}])
def test_what_is_timed_is_adjacent(maker_of, terms):
    maker = maker_of(**terms)
    made = timing.adjacent(maker)
    adjacency = maker.setting.deployment.adjacency
    assert difference(made.without, made.with_, maker.setting.deployment) == ADJACENT[adjacency]


def test_a_release_whose_time_tells_is_measured_by_the_given_clock(reference, maker):
    now = itertools.count()
    clock = {"at": 0}

    class Slow:
        claim = reference.claim

        def fresh(self):
            return self

        def release(self, records):
            clock["at"] += 1000 * len(records) + next(now) % 2
            return {}

    made = timing.adjacent(maker)
    found = timing.measured(Slow(), made, lambda: clock["at"], runs=5)
    assert found == {
        "pair": "running time", "runs": 5, "auc": "1.000",
        "median_microseconds": [len(made.without), len(made.with_)],
    }  # fmt: skip
