"""Steps 4 to 6: marks stand beside the text, positions are raw, sentences end where they should."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin import plan
from dpspin.decoder.page import BLOT, Marker
from dpspin.errors import UsageError


@pytest.fixture(scope="session")
def marker(fixed):
    return Marker(fixed)


def marked(marker, text):
    page = marker.page(text)
    return [(token.kind, int(token.value), text[start : token.end]) for start, token in sorted(page.marks.items())]


def test_labels_and_bins_are_marked_where_they_stand(marker):
    assert marked(marker, "| very high | very high fee | low |very  high|") == [
        ("BIN_NAME", 3, "very high"), ("BIN_NAME", 1, "low"), ("BIN_NAME", 3, "very  high")
    ]  # fmt: skip
    text = "Dry\nskin is in the VERY  high bin, fees is not high bin, very high or very high bins."
    assert marked(marker, text) == [("LABEL", 0, "Dry\nskin"), ("BIN_NAME", 3, "VERY  high"), ("LABEL", 4, "fees")]


@pytest.mark.parametrize("text", [f"{BLOT}0 ranks first.", f"{BLOT * 8} ranks first.", "LABEL ranks BIN_NAME."])
def test_no_text_can_write_a_mark(marker, text):
    assert marked(marker, text) == []
    found = [violation.span[0] for violation in marker.page(text).violations]
    assert found == [position for position, character in enumerate(text) if character == BLOT]


def test_a_bin_name_inside_a_label_is_no_bin(terms):
    odd = replace(terms, universe=replace(terms.universe, labels=("low bin refund", *terms.universe.labels[1:])))
    assert marked(Marker(plan.build([(0, 5)], odd)), "low bin refund") == [("LABEL", 0, "low bin refund")]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A b. C d.", ["A b.", "C d."]),
        ("mass 1.5 and 2.5.\nrank 1", ["mass 1.5 and 2.5.", "rank 1"]),
        ("x\n\n y \n", ["x", "y"]),
        ("U.S. mail ranks. Next", ["U.S. mail ranks.", "Next"]),
        ("dry\nskin. \t\u00a0z.", ["dry\nskin.", "z."]),
        (" \n", []),
        ("| a | \n  | b |\n c\n| d |\n\n| e |", ["| a | \n  | b |", "c", "| d |", "| e |"]),
    ],
)
def test_sentences_end_at_full_stops_before_blanks_and_at_newlines(marker, text, sentences):
    assert [text[slice(*span)] for span in marker.page(text).sentences] == sentences


def test_characters_are_free_inside_labels_only(terms):
    odd = replace(terms, universe=replace(terms.universe, labels=("a\u200bb", *terms.universe.labels[1:])))
    page = Marker(plan.build([(0, 5)], odd)).page("a\u200bb \u200b\u2028\u3000\ufe0fx")
    assert [(v.step, v.span, v.found) for v in page.violations] == [
        (5, (4, 5), "U+200B"),
        (5, (5, 6), "U+2028"),
        (5, (6, 7), "U+3000"),
        (5, (7, 8), "U+FE0F"),
    ]


def test_bins_that_read_like_a_label_or_each_other_are_refused(terms):
    for bins in (("below noise floor", "dry skin"), ("below noise floor", "High", "high")):
        with pytest.raises(UsageError, match="bins"):
            Marker(plan.build([], replace(terms, bins=bins)))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text("dryskinFEa. \n\u2212’ßİ", max_size=60))
def test_positions_are_raw_whatever_the_text(marker, text):
    page = marker.page(text)
    assert len(page.plain) == len(page.blotted) == len(text)
    spans = [(start, token.end) for start, token in page.marks.items()]
    for start, end in [*spans, *page.sentences, *(violation.span for violation in page.violations)]:
        assert 0 <= start < end <= len(text)
