"""Runs are counted: no check spends more of them than the page says."""

from collections import Counter
from itertools import pairwise

from dpspin_audits import engine
from dpspin_audits.zoo.costs import COSTS
from dpspin_audits.zoo.steps import Steps

SPENT = Counter()


class Counting(Steps):
    """Counts releases and sampled plans, by all instances."""

    def published(self, *arguments):
        SPENT["releases"] += 1
        return super().published(*arguments)

    def sample(self, records, runs):
        SPENT["plans"] += runs
        return super().sample(records, runs)


def spent(setting, effort):
    """Releases and plans by check; the step before the first check is the distribution's."""
    marks = []
    asked = engine.Audit(setting, Counting(setting), "", "", b"\x07" * 8, effort=effort)
    SPENT.clear()
    engine.audit(asked, progress=lambda name: marks.append((name.partition(":")[0], Counter(SPENT))))
    marks.append(("end", Counter(SPENT)))
    found = {}
    for (name, before), (_, after) in pairwise(marks):
        found[name] = found.get(name, Counter()) + (after - before)
    return found


def test_no_check_spends_more_than_is_said(setting, few):
    found = spent(setting, few)
    bounds = COSTS | {"distribution": COSTS["distribution.ideal"]}
    for name, cost in bounds.items():
        runs = found.get(name, Counter())
        assert runs["releases"] <= cost.releases, (name, runs)
        assert runs["plans"] <= cost.plans, (name, runs)
    assert found["distribution"]["plans"] > 10_000
    assert found["canary"]["releases"] > 10
