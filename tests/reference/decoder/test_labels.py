"""The scan of labels: leftmost-longest over all, at word borders, with raw positions."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.decoder.labels import Labels, labels_of
from dpspin.errors import UsageError
from dpspin.universe import fold

NAMES = ("dry skin", "dry skin care", "Fees", "Straße", "x", "U.S.", "a.b (c)")


def found(text, names=NAMES):
    return [(text[start:end], names[atom]) for start, end, atom in Labels(names).scan(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dry skin care", [("dry skin care", "dry skin care")]),
        ("dry skin cares", [("dry skin", "dry skin")]),
        ("dry skins, fees_", []),
        ("dry \n\t SKIN.", [("dry \n\t SKIN", "dry skin")]),
        ("İİ STRASSE, straße", [("STRASSE", "Straße"), ("straße", "Straße")]),
        ("the U.S. Fees", [("U.S.", "U.S."), ("Fees", "Fees")]),
        ("A.B (C)", [("A.B (C)", "a.b (c)")]),
        ("x̣ xǰ ǰx", []),
        ("éfees feesé fees", [("fees", "Fees")]),
        ("Fees Fees", [("Fees", "Fees"), ("Fees", "Fees")]),
        ("", []),
    ],
)
def test_longest_label_wins_and_words_stay_whole(text, expected):
    assert found(text) == expected


def test_characters_that_fold_to_several_fold_to_parts_of_words():
    """So no label can end between them: U+01F0 folds to j and a mark, and is not the label j."""
    for character in map(chr, range(sys.maxunicode + 1)):
        folded = character.casefold()
        assert len(folded) == 1 or all(part.isalnum() or unicodedata.category(part)[0] == "M" for part in folded)
    assert found("\u01f0", ("j",)) == []


def test_labels_that_read_alike_are_refused():
    with pytest.raises(UsageError, match="label 1: 'FEES' reads like atom 0"):
        Labels(["Fees", "FEES"])
    with pytest.raises(UsageError, match="label 0: is blank"):
        Labels([" "])


def by_regex(names, text):
    """The same scan by a regular expression, for texts that folding leaves alone."""
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return [m.group() for m in re.finditer(rf"(?:(?<!\w)|(?!\w))(?:{words})(?:(?<!\w)|(?!\w))", text)]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text("ab. ", min_size=1).filter(lambda t: t == fold(t)), min_size=1, max_size=6, unique=True),
    st.text("ab. ", max_size=30).map(fold),
)
def test_scan_agrees_with_a_regular_expression(names, text):
    assert [raw for raw, _ in found(text, names)] == by_regex(names, text)


def test_work_does_not_grow_with_the_number_of_labels_that_share_a_beginning():
    class Counting(str):
        """A text that counts how often its characters are looked at."""

        looks = 0

        def __getitem__(self, key):
            Counting.looks += 1
            return super().__getitem__(key)

    shared = "a b " * 40
    looks = []
    for count in (1, 200):
        Counting.looks = 0
        Labels([f"{shared}{number}" for number in range(count)])._longest(Counting(fold(shared * 2)), 0)
        looks.append(Counting.looks)
    assert looks[0] == looks[1] > 100


def test_plans_of_one_universe_share_a_scan_and_others_do_not():
    assert labels_of(("late fees", "fees")) is labels_of(("late fees", "fees"))
    assert labels_of(("fees", "late fees")).scan("late fees") != labels_of(("late fees", "fees")).scan("late fees")
    with pytest.raises(UsageError):
        labels_of(("fees", "Fees"))
