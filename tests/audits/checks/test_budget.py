"""Charges that do not cover what is released are found, and composition theorems are allowed."""

import secrets
from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.checks import budget
from dpspin_audits.reference_subject import ReferenceSubject


class Ledger:
    """Releases fresh numbers; `charge` says what the nth release of a corpus costs in total."""

    def __init__(self, reference, charge, fixed=False):
        self.claim = replace(reference.claim, delta=Fraction(1, 1000))
        self._reference, self._charge, self._fixed, self._corpora = reference, charge, fixed, []

    def fresh(self):
        return Ledger(self._reference, self._charge, self._fixed)

    def release(self, records):
        self._corpora.append(records)
        mass = "1" if self._fixed else str(secrets.randbits(60))
        return {"plan.json": canonical.dumps({"released": [{"index": 0, "noisy_mass": mass}]})}

    def spent(self):
        return self._charge(self._corpora)


def check(subject, maker):
    return budget.check(subject, subject.claim, maker)


COST = Fraction(1, 1000)
GOOD = {
    "basic composition": lambda corpora: (len(corpora), len(corpora) * COST),
    "less for further ones": lambda corpora: ([0, 1, "1.4", "1.7", 2][len(corpora)], COST * bool(corpora)),
    "more than claimed": lambda corpora: (2.5 * len(corpora), 0.25 * bool(corpora)),
}
BAD = {
    "nothing": (lambda corpora: (0, 0), "the first release is charged epsilon 0"),
    "too little": (lambda corpora: (Fraction(9, 10) * len(corpora), len(corpora) * COST), "epsilon 0.9"),
    "no delta": (lambda corpora: (len(corpora), 0), "delta 0;"),
    "the first one alone": (lambda corpora: (bool(corpora), bool(corpora) * COST), "release 2 is new"),
    "downwards": (lambda corpora: ([0, 2, 1, 3, 4][len(corpora)], COST * len(corpora)), "release 2 lowered"),
    "less than nothing": (lambda corpora: (len(corpora) - 1, 1), "less than nothing"),
    "by records": (
        lambda corpora: (sum(2 if rows else 1 for rows in corpora), COST * len(corpora)), "corpus to corpus",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_charges_that_cover_the_releases_pass(reference, maker, name):
    found = check(Ledger(reference, GOOD[name]), maker)
    assert (found.status, found.strength) == ("pass", "exact_on_hit"), found


@pytest.mark.parametrize("name", BAD)
def test_charges_that_do_not_are_found(reference, maker, name):
    charge, reason = BAD[name]
    found = check(Ledger(reference, charge), maker)
    assert (found.status, found.strength) == ("fail", "exact_on_hit")
    assert reason in found.reason


def test_a_plan_that_is_released_again_may_be_free(reference, maker):
    charge = BAD["the first one alone"][0]
    assert check(Ledger(reference, charge, fixed=True), maker).status == "pass"


class Words(Ledger):
    """Charges for words."""

    def fresh(self):
        return Words(self._reference, self._charge)

    def decoder_input(self, plan):
        self._corpora.append(plan)
        return b""


def test_words_about_a_released_plan_are_free(reference, maker):
    found = check(Words(reference, GOOD["basic composition"]), maker)
    assert (found.status, "put into words again" in found.reason) == ("fail", True)


class Wordless(Ledger):
    """Cannot read its own plans."""

    def fresh(self):
        return Wordless(self._reference, self._charge)

    def decoder_input(self, plan):
        raise ValueError


def test_a_decoder_that_cannot_read_a_plan_is_no_matter_of_charges(reference, maker):
    assert check(Wordless(reference, GOOD["basic composition"]), maker).status == "pass"


@pytest.mark.parametrize("answer", [(1,), (None, 0), ("much", 0), (float("nan"), 0), (float("inf"), 0), 3])
def test_what_is_no_charge_breaks_the_protocol(reference, maker, answer):
    with pytest.raises(SubjectError, match="spent"):
        check(Ledger(reference, lambda _: answer), maker)


def test_the_reference_passes(setting_of, maker_of):
    for terms in ({}, {"mechanism": "gaussian"}):
        subject = ReferenceSubject(setting_of(**terms))
        assert check(subject, maker_of(**terms)).status == "pass"


def test_without_spent_it_is_not_run(reference, maker):
    class Bare:
        claim = reference.claim

        def fresh(self):
            return self

    found = budget.check(Bare(), reference.claim, maker)
    assert (found.status, found.reason) == ("not_run", "needs `spent`")
