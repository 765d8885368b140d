"""A contribution map that is shown is searched, and held to Eq. (1) exactly."""

from fractions import Fraction

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.checks import contributions
from dpspin_audits.checks.contributions import Limits

ONE = 2**20
TEXTS = [f"text {number}" for number in range(50)]


@pytest.mark.parametrize(
    ("vector", "problem"),
    [([ONE, 0, 0], None), ([ONE // 2, ONE // 2, 0], None), ([0, 0, 0], None), ([ONE, 1, 0], "in total"),
     ([1, 1, 1], "touches 3 atoms"), ([-1, 0, 0], "negative"), ([1, 0], "2 entries"), ([0.5, 0, 0], "integers"),
     ([True, 0, 0], "integers")],
)  # fmt: skip
def test_a_contribution_is_held_to_equation_one_exactly(vector, problem):
    found = contributions.broken(vector, Limits(3, 2, Fraction(1)))
    assert (found is None) if problem is None else (problem in found)


class Shown:
    """A map that may remember, and forget its bound on one text."""

    def __init__(self, remembers=False, bad=None, mass=5):
        self.remembers, self.bad, self.mass, self.seen = remembers, bad, mass, 0

    def fresh(self):
        return Shown(self.remembers, self.bad, self.mass)

    def contribution(self, record):
        self.seen += 1
        if self.bad is not None and self.bad in record["body"]:
            return [ONE + 1, *[0] * 11]
        return [min(self.seen, 5) if self.remembers else self.mass, *[0] * 11]


@pytest.mark.parametrize(
    ("subject", "problem"),
    [(Shown(), None), (Shown(remembers=True), "another order"), (Shown(bad="text 37"), "1.0000 in total")],
)
def test_every_text_is_tried_in_two_orders(reference, maker, subject, problem):
    found = contributions.searched(subject, reference.claim, maker, TEXTS)
    assert found.figures["texts"] == 50
    assert (found.problem is None) if problem is None else (problem in found.problem)


def test_at_user_level_a_record_may_weigh_up_to_one_or_the_bound(setting_of, maker_of):
    from dpspin_audits.reference_subject import claim_of

    for bound, mass, broken in (("1/2", ONE, False), ("2", 2 * ONE, False), ("2", 2 * ONE + 1, True)):
        maker = maker_of(unit="user", bound=bound)
        found = contributions.searched(Shown(mass=mass), claim_of(maker.setting), maker, TEXTS)
        assert (found.problem is not None) == broken


def test_a_map_that_raises_is_the_subjects(reference, maker):
    class Raises(Shown):
        def contribution(self, record):
            raise KeyError

    with pytest.raises(SubjectError, match="contribution raised KeyError"):
        contributions.searched(Raises(), reference.claim, maker, TEXTS)
