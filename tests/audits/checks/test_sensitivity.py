"""The contribution map is searched, and released masses are believed over what is shown."""

from fractions import Fraction

import pytest

from dpspin_audits.checks import sensitivity
from dpspin_audits.judgement import Judgement

ONE = 2**20


@pytest.mark.parametrize(
    ("vector", "problem"),
    [([ONE, 0, 0], None), ([ONE // 2, ONE // 2, 0], None), ([0, 0, 0], None), ([ONE, 1, 0], "in total"),
     ([1, 1, 1], "touches 3 atoms"), ([-1, 0, 0], "negative"), ([1, 0], "2 entries"), ([0.5, 0, 0], "integers"),
     ([True, 0, 0], "integers")],
)  # fmt: skip
def test_a_contribution_is_held_to_equation_one_exactly(vector, problem):
    found = sensitivity.broken(vector, 3, 2, Fraction(1))
    assert (found is None) if problem is None else (problem in found)


def test_the_search_holds_hostile_and_ordinary_texts():
    texts = sensitivity.texts(["card", "fee"], 1000, b"s")
    assert len(texts) >= 1000
    assert {"", "\x00", "NaN"} <= set(texts)
    assert sum(text.startswith(("card ", "fee ")) for text in texts) > 400
    assert texts == sensitivity.texts(["card", "fee"], 1000, b"s")


def judgements(*shifts):
    return [Judgement((), (), shift, 100, 0) for shift in shifts]


class Shown:
    """A map that may remember, and forget its bound on one text."""

    def __init__(self, remembers=False, bad=None):
        self.remembers, self.bad, self.seen = remembers, bad, 0

    def fresh(self):
        return Shown(self.remembers, self.bad)

    def contribution(self, record):
        self.seen += 1
        if self.bad is not None and self.bad in record["body"]:
            return [ONE + 1, *[0] * 7]
        return [min(self.seen, 5) if self.remembers else 5, *[0] * 7]


TEXTS = [f"text {number}" for number in range(50)]


@pytest.mark.parametrize(
    ("subject", "status", "reason"),
    [
        (Shown(), "pass", None),
        (Shown(remembers=True), "fail", "another order"),
        (Shown(bad="text 37"), "fail", "1.0000 in total"),
    ],
)
def test_a_map_that_is_shown_is_searched(reference, maker, subject, status, reason):
    found = sensitivity.check(subject, reference.claim, [], maker, TEXTS)
    assert (found.status, found.strength) == (status, "exact_on_hit")
    assert reason is None or reason in found.reason


@pytest.mark.parametrize(
    ("shifts", "status"),
    [([(0.9, 1.1)], "pass"), ([(1.01, 1.2)], "fail"), ([(0.9, 1.1), (1.5, 1.6)], "fail"),
     ([(0.2, 1.9)], "inconclusive"), ([None], "not_run"), ([], "not_run")],
)  # fmt: skip
def test_a_map_that_is_hidden_is_judged_by_the_shift_of_medians(reference, maker, shifts, status):
    assert sensitivity.check(object(), reference.claim, judgements(*shifts), maker, []).status == status


def test_a_clean_map_does_not_excuse_what_is_released(reference, maker):
    found = sensitivity.check(Shown(), reference.claim, judgements((1.5, 1.6)), maker, TEXTS)
    assert (found.status, found.strength) == ("fail", "statistical")
