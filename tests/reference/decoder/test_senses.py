"""Senses: one for each shape, whatever the values; cells must fit their columns."""

import pytest

from dpspin.decoder import language
from dpspin.decoder.claims import Bin, Mass, Rank, Support
from dpspin.decoder.page import Marker
from dpspin.decoder.senses import Reading

HEAD = "| theme | noisy mass | normalised support | bin | rank |\n|---|---|---|---|---|\n"


@pytest.fixture(scope="session")
def read(fixed):
    marker = Marker(fixed)

    def _read(text):
        page = marker.page(text)
        (span,) = page.sentences
        return language.read(page.blotted, page.words(span), page.marks)

    return _read


def test_a_table_says_what_its_rows_would_say_and_lists_its_atoms(read):
    text = HEAD + "| Fees | 231.4 | 11.6 % | moderate | 3 |\n|U.S. mail|12.4|0.006|below the noise floor|6|"
    assert read(text) == Reading(
        (
            Mass(4, 2314, 1), Support(4, 116, 3), Bin(4, 2), Rank(4, 3),
            Mass(7, 124, 1), Support(7, 6, 3), Bin(7, 0), Rank(7, 6),
        ),
        ((4, 7),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("| Fees | 231.4 | 0.116 | moderate |", "Fees"),
        ("| Fees | 231.4 | 0.116 | moderate | 3 | 3 |", "Fees"),
        ("| Fees | 11.6 % | 0.116 | moderate | 3 |", "11.6 %"),
        ("| Fees | moderate | 0.116 | moderate | 3 |", "moderate"),
        ("| Fees | 231.4 | below the noise floor | moderate | 3 |", "below"),
        ("| Fees | 231.4 | 0.116 | 2 | 3 |", "2"),
        ("| Fees | 231.4 | 0.116 | moderate | 3.0 |", "3.0"),
        ("| Fees | 231.4 | 0.116 | moderate | third |", "third"),
        ("| Fees | 231.4 | 0.116 | moderate | |", "|"),
    ],
)
def test_a_cell_that_does_not_fit_its_column_is_pointed_at(read, row, found):
    reading = read(HEAD + row)
    assert isinstance(reading, language.Foreign)
    assert (HEAD + row)[slice(*reading.span)] == found


def test_values_of_one_sentence_do_not_stick_to_the_next(read):
    assert [read(f"fees has rank {n}").claims for n in (3, 4, 3)] == [(Rank(4, n),) for n in (3, 4, 3)]


def test_long_sentences_are_read_but_not_remembered(read):
    language._remembered.cache_clear()
    read("fees has rank 1" + " and rank 1" * 100)
    assert language._remembered.cache_info().currsize == 0
    assert len(read("fees has rank 1" + " and rank 1" * 100).claims) == 101
    read("fees has rank 1")
    assert language._remembered.cache_info().currsize == 1
