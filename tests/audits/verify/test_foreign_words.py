"""Which words and numbers of a prompt are known."""

import pytest

from dpspin_audits.verify.foreign_words import Known

KNOWN = Known(
    [{"prompt": "Write a Summary"}, {"released": [{"label": "Late fee", "noisy_mass": "12.34"}], "stamp": None}]
)


@pytest.mark.parametrize(("number", "known"), [
    ("12.34", True), ("12.3", True), ("12", True), ("12.35", False), ("13", False), ("1" * 200, False),
])  # fmt: skip
def test_a_number_is_known_if_a_known_one_rounds_to_it(number, known):
    assert (KNOWN.foreign_line(number) is None) == known


@pytest.mark.parametrize(
    "text", ["", "write a summary", "LATE FEE: 12.3", '{"released": [{"noisy_mass": 12.34}]}', "null"]
)
def test_words_are_known_in_any_case_and_names_of_fields_too(text):
    assert KNOWN.foreign_line(text) is None


def test_the_line_with_most_unknown_words_is_returned():
    assert KNOWN.foreign_line("late\nfee Gertrud\n  Gertrud waited nine weeks \nsummary") == "Gertrud waited nine weeks"


def test_what_is_added_is_known_from_then_on():
    known = Known([])
    assert known.foreign_line("a draft") == "a draft"
    known.add("A draft.")
    assert known.foreign_line("a draft") is None
