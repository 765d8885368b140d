"""What a release says besides its bundle must not follow from a record."""

import secrets
import sys
from math import isfinite

import pytest

from dpspin_audits.checks import errors
from dpspin_audits.pairs.adjacent import ADJACENT, difference
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.outcomes import Conduct, Outcome, released


class Does:
    """A subject that releases nothing, unless something makes it break off."""

    def __init__(self, reference, work):
        self.claim, self._work = reference.claim, work

    def fresh(self):
        return self

    def release(self, records):
        self._work(records)
        return {}


def fails_on_infinity(rows):
    assert all(row.get("body") != "inf" or isfinite(float(row["body"])) for row in rows)


def asks_to_end(rows):
    if any("key" not in row for row in rows):
        sys.exit(3)


def needs_two(rows):
    if len(rows) == 1:
        raise ValueError("too few records")


def quotes(rows):
    raise ValueError(f"{len(rows)} records")


def prints(rows):
    print("skipped", sum("body" not in row for row in rows))


def at(rows):
    raise ValueError(f"{object()!r}")


BAD = {
    fails_on_infinity: "infinity: the outcome (AssertionError)",
    asks_to_end: "without key: the outcome (SystemExit 3)",
    needs_two: "a single record: the outcome (ValueError)",
    quotes: "a single record: the text of the exception",
    prints: "without body: what is printed",
}


@pytest.mark.parametrize("work", BAD)
def test_what_follows_from_a_record_is_found(reference, maker, work):
    found = errors.check(Does(reference, work), maker, None)
    assert (found.status, found.strength) == ("fail", "exact_on_hit")
    assert found.reason.startswith(BAD[work])


def by_chance(rows):
    if secrets.randbelow(2):
        raise ValueError(secrets.token_hex(4))
    print(secrets.token_hex(4))


@pytest.mark.parametrize(
    "work", [lambda rows: None, lambda rows: int("x"), lambda rows: print("release"), at, by_chance]
)
def test_what_does_not_is_no_finding(reference, maker, work):
    assert errors.check(Does(reference, work), maker, None).status == "pass"


def test_a_subject_that_always_fails_in_the_same_way_passes_and_is_named(reference, maker):
    assert "end in ValueError" in errors.check(Does(reference, lambda rows: int("x")), maker, None).summary


@pytest.mark.parametrize(
    "terms", [{}, {"adjacency": "replacement"}, {"unit": "user"}, {"unit": "user", "missing": "own_unit"}]
)
def test_the_reference_passes_and_the_corpora_of_each_case_are_adjacent(maker_of, terms):
    maker = maker_of(**terms)
    assert errors.check(ReferenceSubject(maker.setting), maker, None).status == "pass"
    with_ids = [case for case in errors.cases(maker) if all("who" in row for row in case.unusual) or not maker.by_user]
    adjacency = ADJACENT[maker.setting.deployment.adjacency]
    for case in with_ids:
        assert difference(case.usual, case.unusual, maker.setting.deployment) == adjacency, case.name


class Elsewhere:
    """Processes in which some corpora end everything."""

    def __init__(self, subject, fatal):
        self._subject, self._fatal, self.started = subject, fatal, 0

    def __call__(self, corpora):
        self.started += 1
        outcomes = []
        for records in corpora:
            if self._fatal(records):
                return Conduct(tuple(outcomes), "the process ended with exit code 9")
            outcomes.append(released(self._subject, records))
        return Conduct(tuple(outcomes))


def test_a_process_that_ends_is_an_outcome_and_another_goes_on(reference, maker):
    elsewhere = Elsewhere(Does(reference, lambda rows: None), lambda rows: any("body" not in row for row in rows))
    found = errors.check(Does(reference, lambda rows: None), maker, elsewhere)
    assert (found.status, "exit code 9" in found.reason) == ("fail", True)
    assert found.reason.startswith("without body: the outcome")


def test_a_process_that_ends_for_other_reasons_is_no_finding(reference, maker):
    once = iter([False] * 5 + [True])
    elsewhere = Elsewhere(Does(reference, lambda rows: None), lambda rows: next(once, False))
    assert errors.check(Does(reference, lambda rows: None), maker, elsewhere).status == "pass"
    assert elsewhere.started >= 3


def test_addresses_of_objects_are_no_part_of_a_message():
    one, two = (errors.Sign.of(Outcome(None, "E", f"<object at 0x{at:x}>")) for at in (1234, 99))
    assert one == two
    assert errors.Sign.of(Outcome(None, "E", "7")) != errors.Sign.of(Outcome(None, "E", "8"))
