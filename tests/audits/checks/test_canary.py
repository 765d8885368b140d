"""Planted records leave no trace, and values without noise are told from noisy ones."""

import hashlib
import os
import secrets
import sys
from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.checks import canary


class Writes:
    """A subject whose bundle is one file of text."""

    def __init__(self, reference, text):
        self.claim, self._text = reference.claim, text

    def fresh(self):
        return self

    def release(self, records):
        return {"notes.txt": self._text(records).encode()}


def noise():
    return str(secrets.randbelow(10**12))


def check(subject, maker, **claim):
    return canary.check(subject, replace(subject.claim, **claim), maker, b"seed", 1e-6)


@pytest.mark.parametrize(
    "leak",
    [lambda rows: rows[-1]["body"], lambda rows: rows[-1]["key"].upper(), lambda rows: rows[-1]["body"].split()[-1],
     lambda rows: hashlib.sha256(rows[-1]["body"].encode()).hexdigest()],
)  # fmt: skip
def test_planted_text_and_its_digest_are_found_for_certain(reference, maker, leak):
    found = check(Writes(reference, leak), maker)
    assert (found.status, found.strength, found.location.file) == ("fail", "exact_on_hit", "notes.txt")


def test_a_hit_says_on_which_line(reference, maker):
    """Planted text, and a word without noise."""
    found = check(Writes(reference, lambda rows: f"{noise()}\nof {rows[-1]['body']}\n"), maker)
    assert found.location == ("notes.txt", 2)
    found = check(Writes(reference, lambda rows: f"{noise()}\n\nodd\n{len(rows) % 2:b}x\n"), maker)
    assert found.location == ("notes.txt", 4)


@pytest.mark.parametrize("leak", [lambda rows: hex(len(rows)), lambda rows: "odd" if len(rows) % 2 else "even"])
def test_a_value_without_noise_is_found_by_its_constancy(reference, maker, leak):
    found = check(Writes(reference, lambda rows: f"{noise()} {leak(rows)}"), maker)
    assert (found.status, found.strength) == ("fail", "statistical")
    assert found.figures["runs"] == canary.runs_needed(1.0, 0.0, 1e-6 / canary.MOST_CANDIDATES)


def test_noise_and_constants_pass(reference, maker):
    assert check(Writes(reference, lambda rows: f"{noise()} and a constant"), maker).status == "pass"


def test_a_value_that_is_mostly_constant_is_cleared_by_fresh_runs(reference, maker):
    """Right nine times in ten: it may well look constant to four scouts, and keeps epsilon below 2.2."""

    def text(rows):
        flip = secrets.randbelow(10) == 0
        return f"{noise()} {'even' if (len(rows) % 2 == 0) != flip else 'odd'}"

    assert check(Writes(reference, text), maker, epsilon=Fraction(5, 2)).status == "pass"


def test_a_claim_that_would_need_too_many_runs_is_inconclusive(reference, maker):
    subject = Writes(reference, lambda rows: hex(len(rows)))
    assert check(subject, maker, epsilon=Fraction(9)).status == "inconclusive"
    assert check(subject, maker, epsilon=Fraction(6), delta=Fraction(1, 10)).status == "inconclusive"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_the_stated_false_alarm_is_the_worst_case(epsilon, delta):
    """No pair of probabilities that keeps the claim makes constancy on both corpora likelier than the formula."""
    grid = [k / 400 for k in range(401)]
    worst = 0.0
    for p in grid:
        q = min(1.0, exp(epsilon) * (1 - p) + delta)
        q = min(q, 1 + (delta - p) * exp(-epsilon))
        worst = max(worst, p * q)
    rate = (exp(epsilon) + delta) / (1 + exp(epsilon))
    assert worst <= rate**2 + 1e-9
    assert worst > rate**2 - 0.01  # attained
    n = canary.runs_needed(epsilon, delta, 1e-6)
    assert rate ** (2 * n) <= 1e-6 < rate ** (2 * n - 2)


@pytest.mark.parametrize(
    "leak",
    [lambda rows: f"{len(rows)} records", lambda rows: f"n={len(rows) * 3}/{len(rows)}", lambda rows: str(len(rows))],
)  # fmt: skip
def test_an_exact_count_is_found_for_certain_at_any_epsilon(reference, maker, leak):
    found = check(Writes(reference, lambda rows: f"{noise()} {leak(rows)}"), maker, epsilon=Fraction(9))
    assert (found.status, found.strength, found.location.file) == ("fail", "exact_on_hit", "notes.txt")
    assert "prime sizes" in found.reason


class Says(Writes):
    """Releases noise, and says something else on a channel that is no file."""

    def release(self, records):
        self._text(records)
        return {"notes.txt": noise().encode()}


def complain(rows):
    odd = [row for row in rows if set(row) != {"key", "body"}]
    if odd:
        raise ValueError(f"cannot read {odd[0]}")


@pytest.mark.parametrize(
    ("say", "file"),
    [(lambda rows: print(rows[-1].get("body")), "(printed)"),
     (lambda rows: print(rows[-1], file=sys.stderr), "(printed)"),
     (lambda rows: os.write(1, str(rows).encode()), "(printed)"), (complain, "(exception)")],
)  # fmt: skip
def test_prints_and_exceptions_are_searched(reference, maker, say, file, capfd):
    found = check(Says(reference, say), maker)
    assert (found.status, found.strength, found.location.file) == ("fail", "exact_on_hit", file)
    assert capfd.readouterr() == ("", "")


def test_a_count_that_is_printed_is_found(reference, maker):
    found = check(Says(reference, lambda rows: print("read", len(rows))), maker)
    assert (found.status, found.location.file) == ("fail", "(printed)")


def test_what_an_earlier_release_left_behind_is_found(reference, maker):
    """The last record of the release before: planted, unless the last corpus has none."""
    kept = [""]

    def text(rows):
        before, kept[0] = kept[0], str(rows[-1]) if len(rows) < 10 else ""
        return f"{noise()} {before if len(rows) < 10 else ''}"

    assert check(Writes(reference, text), maker).status == "fail"


def test_under_replacement_the_planted_unit_takes_the_place_of_another(reference, maker_of):
    """Under replacement the number of records is no secret; what the planted one holds is."""
    replaced = maker_of(adjacency="replacement")
    assert check(Writes(reference, lambda rows: f"{noise()} {len(rows)}"), replaced).status == "pass"
    assert check(Writes(reference, lambda rows: rows[-1]["key"]), replaced).status == "fail"


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_a_planted_user_has_more_records_than_the_one_replaced(reference, maker_of, adjacency):
    users = maker_of(unit="user", adjacency=adjacency)
    assert check(Writes(reference, lambda rows: f"{noise()} {len(rows)}"), users).status == "fail"


def test_what_is_no_bundle_broke_the_protocol(reference, maker):
    class Odd(Writes):
        def release(self, records):
            return {"plan.json": "text"}

    for subject in (Odd(reference, None), Writes(reference, None)):
        with pytest.raises(SubjectError, match="release raised"):
            check(subject, maker)
