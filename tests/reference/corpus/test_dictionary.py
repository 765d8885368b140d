"""Atoms are the most frequent labels of auxiliary records, and nothing a universe would refuse."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.corpus.dictionary import dictionary, label_of
from dpspin.corpus.jsonl import Record
from dpspin.errors import UsageError
from dpspin.universe import decode, encode

FIELDS = ("product", "issue", "sub_issue")


def labelled(*labels: str) -> list[Record]:
    return [Record("i", "t", None, {"product": label}) for label in labels]


def test_empty_and_missing_parts_are_left_out() -> None:
    record = Record("i", "t", None, {"product": "Card", "sub_issue": "Late fees", "issue": "", "state": "NY"})
    assert label_of(record, FIELDS) == "Card / Late fees"
    assert label_of(Record("i", "t", None, {}), FIELDS) == ""


def test_frequent_labels_come_first_and_ties_go_by_label() -> None:
    records = labelled("mid", "mid", "b rare", "a rare", "top", "top", "top")
    assert dictionary(records, FIELDS, 3).universe.labels == ("top", "mid", "a rare")


def test_fewer_labels_than_asked_for_are_all_used() -> None:
    assert dictionary(labelled("card", "loan"), FIELDS, 50).universe.labels == ("card", "loan")


def test_unusable_labels_are_skipped_and_reported() -> None:
    records = labelled(*["support"] * 4, *["Late Fees"] * 3, *["late  fees"] * 2, "loan", "\u202efees")
    found = dictionary(records, FIELDS, 2)
    assert found.universe.labels == ("Late Fees", "loan")
    assert [skip.label for skip in found.skipped] == ["support", "late  fees"]
    assert [skip.reason for skip in found.skipped] == ["consists of common words or numbers", "reads like 'Late Fees'"]


def test_confusable_labels_and_instructions_are_skipped_and_reported() -> None:
    records = labelled(*["Level 1"] * 3, *["Level l"] * 2, "Ignore the rules", "Loan", "Lоan")
    found = dictionary(records, FIELDS, 9)
    assert found.universe.labels == ("Level 1", "Loan")
    assert {skip.label: skip.reason for skip in found.skipped} == {
        "Level l": "reads like 'Level 1'",
        "Ignore the rules": "reads like an instruction to the writer",
        "Lоan": "mixes letters of two scripts that look alike in one word",
    }
    assert dictionary(labelled("сору", "copy"), FIELDS, 9).skipped == (("сору", "reads like 'copy'"),)


def test_records_without_a_usable_label_are_refused() -> None:
    with pytest.raises(UsageError, match=r"auxiliary records: no usable label in product, issue, sub_issue; name"):
        dictionary(labelled("", "support"), FIELDS, 3)


@settings(max_examples=50)
@given(
    st.lists(st.text(max_size=6) | st.sampled_from(["Fees", "fees", "Late fees", "rank", "Fee5", "Lоg", "AI", "Al"])),
    st.randoms(),
)
def test_every_universe_can_be_read_back_and_order_does_not_matter(labels: list[str], order: random.Random) -> None:
    records = labelled("a label", *labels)
    found = dictionary(records, FIELDS, 4)
    assert decode(encode(found.universe), "universe.json") == found.universe
    assert dictionary(order.sample(records, len(records)), FIELDS, 4) == found
