"""Validity: both days belong to it, and every way in which a period is none."""

import datetime

import pytest

from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import validity
from dpspin_audits.attest.validity import Validity

FIRST, LAST = datetime.date(2027, 1, 1), datetime.date(2027, 3, 31)


def test_a_length_and_a_last_day_say_the_same():
    assert validity.declared(FIRST, None, 90) == validity.declared(FIRST, LAST, None) == Validity(FIRST, LAST)
    assert validity.declared(FIRST, None, 1) == Validity(FIRST, FIRST)


@pytest.mark.parametrize(
    ("last", "days", "said"),
    [
        (None, None, "needs one end"),
        (LAST, 90, "needs one end"),
        (None, 0, "holds no day"),
        (None, -5, "holds no day"),
        (None, validity.LONGEST + 1, "holds no day, or more"),
        (None, 10**12, "holds no day, or more"),
        (FIRST - datetime.timedelta(1), None, "holds no day"),
    ],
)
def test_a_period_needs_one_end_and_a_day(last, days, said):
    with pytest.raises(UsageError, match=said):
        validity.declared(FIRST, last, days)
    assert validity.declared(FIRST, None, validity.LONGEST).not_before == FIRST


@pytest.mark.parametrize("day", [FIRST, LAST])
def test_both_ends_belong_to_it(day):
    Validity(FIRST, LAST).check(day, "file")


@pytest.mark.parametrize(
    ("day", "field"), [(FIRST - datetime.timedelta(1), "notBefore"), (LAST + datetime.timedelta(1), "notAfter")]
)
def test_a_day_outside_is_refused_by_the_name_of_its_limit(day, field):
    with pytest.raises(IntegrityError, match=rf"file: validity\.{field}"):
        Validity(FIRST, LAST).check(day, "file")


@pytest.mark.parametrize("text", ["", "2027-02-30", "20270101", "2027-W01-1", "tomorrow", "2027-1-1", "２０２７-01-01"])
def test_only_a_day_of_the_calendar_is_one(text):
    with pytest.raises(UsageError, match="is no day"):
        validity.day(text, "--at")


def test_a_period_is_read_as_it_is_written():
    assert validity.read(Validity(FIRST, LAST).tree(), "file") == Validity(FIRST, LAST)
    for tree in (
        None,
        {},
        {"notBefore": "2027-01-01"},
        Validity(LAST, FIRST).tree(),
        Validity(FIRST, LAST).tree() | {"x": "y"},
    ):
        with pytest.raises(UsageError):
            validity.read(tree, "file")
