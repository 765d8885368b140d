"""Which words and numbers of a prompt are known."""

import json
import re

import pytest

from dpspin_audits.verify import foreign_words
from dpspin_audits.verify.foreign_words import Known, Labels, unescaped

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


def test_numbers_that_are_known_are_not_read_again(monkeypatch):
    """Every verdict and draft is added, and a plan may have thousands of numbers."""
    known = Known([{"released": [{"noisy_mass": "12.34"}]}])
    monkeypatch.setattr(foreign_words, "Fraction", None)
    known.add("a draft that says 12.34 once more")
    assert known.foreign_line("a draft: 12.34") is None


@pytest.mark.parametrize(("text", "number"), [
    ("12.3 and 8", None), ("mass 81.25", "81.25"), ("at 40", None), ("at 41", "41"), ("9" * 12, "9" * 12),
])  # fmt: skip
def test_a_number_that_is_neither_known_nor_a_place_in_a_text_is_found(text, number):
    assert KNOWN.foreign_number(text, longest=40) == number


PLAN = {
    "universe": [{"label": one, "description": "About rent"} for one in ("Fee", "Late fee", "Loan", "Rent")],
    "released": [{"label": "Late fee"}],
}


@pytest.mark.parametrize(("text", "label"), [
    ("late fee", None), ("late fee, fee", "fee"), ("feed", None), ("rent", None), ("loan", "loan"),
    ("Fee, Late fee, Loan, Rent", None), ("Fee, Loan", "fee"),
])  # fmt: skip
def test_a_label_is_picked_where_it_stands_by_itself_and_no_text_of_the_plan_has_it(text, label):
    assert Labels(PLAN).picked(text) == label


def test_a_label_that_a_setting_names_is_no_choice():
    labels = Labels(PLAN)
    labels.add({"template": ["Never speak of a loan"]})
    assert labels.picked("loan") is None
    assert labels.picked("loan and fee") == "fee"


def test_a_label_that_a_text_does_not_have_costs_no_pattern(monkeypatch):
    """Every text of a plan is held against every label: thousands of patterns thousands of times would take hours."""
    made, real = [], re.subn
    monkeypatch.setattr(re, "subn", lambda *given: made.append(given) or real(*given))
    labels = Labels(PLAN)
    assert labels.picked("nothing of the kind, but late fee") is None
    assert len(made) == len(PLAN["universe"]) + 1  # each description names one label, and so does the text


def test_a_plan_of_another_kind_has_no_labels():
    for tree in ({}, {"universe": 3}, {"universe": [3, {"label": 4}], "released": None}):
        assert Labels(tree).picked("anything") is None


@pytest.mark.parametrize(
    "text", ["Théft 100 %", 'a "quoted" word', "two\nlines\tand a \\ more", "\U0001f600", "\ud800"]
)
def test_what_json_escapes_is_written_out(text):
    assert unescaped(json.dumps(text)) == f'"{text}"'


def test_other_backslashes_stay():
    assert unescaped(r"\d \u12 \x") == r"\d \u12 \x"
