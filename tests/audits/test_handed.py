"""Records are handed over as copies, and a subject that changes them is named."""

import sys

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.handed import copies, hand

RECORDS = ({"key": "a", "body": "lost card"}, {"key": "b"})


def test_what_is_handed_over_are_equal_objects_of_their_own():
    made = copies(RECORDS)
    assert made == list(RECORDS)
    assert not any(one is two for one, two in zip(made, RECORDS, strict=True))
    assert hand(RECORDS, "release", len) == 2


@pytest.mark.parametrize(
    "change",
    [lambda given: given.pop(), lambda given: given[0].update(body="other"), lambda given: given.reverse(),
     lambda given: given[1].setdefault("body", "")],
)  # fmt: skip
def test_a_change_is_the_subjects_and_harms_no_other_call(change):
    with pytest.raises(SubjectError, match="release changed the records"):
        hand(RECORDS, "release", change)
    assert RECORDS == ({"key": "a", "body": "lost card"}, {"key": "b"})


def test_what_a_subject_raises_is_named_without_its_text():
    def leaks(given):
        raise KeyError(given[0]["body"])

    with pytest.raises(SubjectError, match=r"release raised KeyError$"):
        hand(RECORDS, "release", leaks)
    with pytest.raises(SubjectError, match="raised SystemExit"):
        hand(RECORDS, "release", lambda given: sys.exit(3))
