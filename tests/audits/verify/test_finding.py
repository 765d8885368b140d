"""What names and words give away, and where files differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.corpus import embedded
from dpspin_audits.verify.finding import brief, first_difference, line_at, suspicion, traces


@pytest.mark.parametrize(("name", "kind"), [
    ("noise_seed", "seed"), ("corpusSha256", "digest of data"), ("mass_retained", "curator's metrics"),
    ("created_at", "time stamp"), ("date", "time stamp"), ("n", "record count"), ("nRecords", "record count"),
    ("data_dir", "machine path"), ("label", "unknown"), ("format", "unknown"), ("", "unknown"), ("notes", "unknown"),
])  # fmt: skip
def test_a_name_says_what_it_seems_to_hold(name, kind):
    assert suspicion(name) == kind


@pytest.mark.parametrize(("line", "kinds"), [
    ("see /srv/data/all.jsonl", ["machine path"]), (r"C:\Data\all.csv", ["machine path"]), ("~/x", ["machine path"]),
    ("run 2026-01-02T03:04", ["time stamp"]), ("at 03:04:05", ["time stamp"]), ("1760000000", ["time stamp"]),
    ("a" * 64, ["digest of data"]), ("seed: 7", ["seed"]), ("SEED 0x7f", ["seed"]), ("n_units=12", ["record count"]),
    ("2,478 records", ["record count"]), ("Product / Issue / Sub-issue", []), ("declared 2026-01-15", []),
    ("1/3 and/or 0.02 of 60", []), ("seeds of doubt", []), ("a" * 63, []), ("https://example.org/a", []),
])  # fmt: skip
def test_words_give_away_what_they_hold(line, kinds):
    assert [kind for kind, _ in traces(line)] == kinds


@pytest.mark.parametrize("folder", [embedded.RECORD, embedded.USER])
def test_comments_of_the_worked_examples_give_nothing_away(folder):
    notes = [
        line.partition("#")[2]
        for name, data in embedded.files(folder).items()
        if name.endswith(".yaml")
        for line in data.decode().splitlines()
    ]
    assert [list(traces(note)) for note in notes if list(traces(note))] == []


@given(st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=30))
def test_the_first_difference_is_where_bytes_differ_first(common, left, right):
    one, other = common + left, common + right
    at = first_difference(one, other)
    assert one[:at] == other[:at]
    assert one[at : at + 1] != other[at : at + 1] or one == other
    assert line_at(one, at) == len(one[:at].split(b"\n"))


def test_values_are_printable_and_short():
    assert brief("a\x1b\u202e\n") == r"'a\x1b\u202e\n'"
    assert len(brief("x" * 1000)) == 80
