"""Sketches in parts are those of a release, however the corpus is cut; faults that are planted are found."""

import tempfile
from itertools import pairwise
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.corpus import embedded, synthetic
from dpspin.errors import ImpossibleError, UsageError
from dpspin_experiments.scale import partial, partitions, sketch, spill
from dpspin_experiments.scale.places import Here

ROWS = 135


@given(
    order=st.permutations(range(ROWS)),
    cuts=st.lists(st.integers(0, ROWS), max_size=4),
    part=st.sampled_from([150, 1000, 2**24]),
    at_once=st.sampled_from([9, 50_000]),
    shares=st.sampled_from([9, 40, 1000]),
)
@settings(max_examples=10)
def test_any_cut_in_any_order_gives_the_integers_of_a_release(setting, small, *, order, cuts, part, at_once, shares):
    rows = [small.rows[place] for place in order]
    pieces = [rows[a:b] for a, b in pairwise([0, *sorted(cuts), len(rows)])]
    with (
        tempfile.TemporaryDirectory() as name,
        mock.patch.multiple(partitions, PART_BYTES=part, BLOCK_BYTES=part // 3),
        mock.patch.object(partial, "RECORDS_AT_ONCE", at_once),
        mock.patch.object(sketch, "RECORDS_A_SHARE", shares),
    ):
        paths = small.laid_out(Path(name, "corpus"), pieces)
        scratch = Path(name, "scratch")
        scratch.mkdir()
        assert small.computed(paths, setting, scratch) == small.by_reference(setting, small.rows)
        assert small.computed(paths[::-1], setting, scratch) == small.by_reference(setting, small.rows)


def test_the_whole_embedded_corpus(small, setting, tmp_path):
    rows = list(synthetic.records(embedded.RECORDS))
    paths = small.laid_out(tmp_path / "corpus", [rows[:1000], rows[1000:1001], rows[1001:]])
    found = small.computed(paths, setting, tmp_path)
    assert found == small.by_reference(setting, rows)
    assert found[1]["protected"] > 1500


def test_a_corpus_without_records(small, setting, tmp_path):
    paths = small.laid_out(tmp_path / "corpus", [[], [], []])
    assert small.computed(paths, setting, tmp_path) == small.by_reference(setting, [])


def test_what_is_read_is_told(small, single, tmp_path):
    told = []
    paths = small.laid_out(tmp_path / "corpus", [small.rows[:100], small.rows[100:]])
    sketch.exact_sketch(paths, single, Here(), tmp_path, lambda *numbers: told.append(numbers))
    assert told == [(0, ROWS), (100, ROWS), (ROWS, ROWS)]


@pytest.fixture
def halved(small, tmp_path):
    """Many records of few users in several small parts."""
    rows = [{**row, "user": f"U{number % 9}"} for number, row in enumerate(small.rows[:120])]
    return rows, small.laid_out(tmp_path / "corpus", [rows[:50], rows[50:]])


def test_a_user_split_over_two_tasks_would_be_seen(small, users, halved, tmp_path, monkeypatch):
    """The fault: one that hashes as Python does, differently in every process."""
    rows, paths = halved
    assert small.computed(paths, users, tmp_path) == small.by_reference(users, rows)
    real, salts = spill.write, iter(range(1000))
    monkeypatch.setattr(
        spill, "write", lambda units, shares, key, place: real(units, shares, b"%d" % next(salts), place)
    )
    found, counts = small.computed(paths, users, tmp_path)
    assert counts == small.by_reference(users, rows)[1]
    assert sum(found) > sum(small.by_reference(users, rows)[0]), "clipped twice, a user has too much mass"


def test_partial_sums_in_floats_are_refused(small, single, halved, tmp_path, monkeypatch):
    real = partial.sketch
    monkeypatch.setattr(partial, "sketch", lambda *given: [float(mass) for mass in real(*given)])
    with pytest.raises(ImpossibleError, match="not one integer"):
        small.computed(halved[1], single, tmp_path)


def test_partial_sums_that_were_floats_would_be_seen(small, single, tmp_path, monkeypatch):
    rows = list(synthetic.records(3000))
    paths = small.laid_out(tmp_path / "corpus", [rows[:1500], rows[1500:]])
    assert small.computed(paths, single, tmp_path) == small.by_reference(single, rows)
    real = partial.sketch
    monkeypatch.setattr(partial, "sketch", lambda *given: [int(np.float32(mass)) for mass in real(*given)])
    assert small.computed(paths, single, tmp_path)[0] != small.by_reference(single, rows)[0]


class Faulty:
    """A place that, after a loss, gives the result of task 1 twice, never, or that of task 0 in its stead."""

    def __init__(self, work, given):
        self.work, self.given = work, given

    def each(self, work, tasks):
        results = list(map(work, tasks))
        yield from results if work is not self.work else (results[number] for number in self.given)


@pytest.mark.parametrize("given", [(0, 1, 1, 2), (0, 2), (0, 0, 2), (0, 1)])
@pytest.mark.parametrize("work", [partial.partial, spill.settled])
def test_a_result_that_is_counted_twice_or_never_is_found(small, work, given, *, users, tmp_path, monkeypatch):
    """All parts have as many records, so that the sum of records alone would not tell."""
    monkeypatch.setattr(sketch, "RECORDS_A_SHARE", 50)
    paths = small.laid_out(tmp_path / "corpus", [small.rows[:40], small.rows[40:80], small.rows[80:120]])
    with pytest.raises(ImpossibleError, match="counted"):
        small.computed(paths, users, tmp_path, Faulty(work, given))


def test_cells_that_are_named_twice_are_found(small, users, halved, tmp_path, monkeypatch):
    real, written = spill.write, {}
    monkeypatch.setattr(spill, "write", lambda *given: written.setdefault("first", real(*given)))
    with pytest.raises(ImpossibleError, match="counted twice"):
        small.computed(halved[1], users, tmp_path)


def test_the_first_fault_in_order_is_named_with_the_line_of_its_file(small, setting, tmp_path, monkeypatch):
    monkeypatch.setattr(partitions, "PART_BYTES", 1000)
    monkeypatch.setattr(partitions, "BLOCK_BYTES", 100)
    good = small.lines(small.rows[:120])
    (tmp_path / "a.jsonl").write_bytes(good)
    (tmp_path / "b.jsonl").write_bytes(good + b"{broken\n" + good + b"[]\n")
    (tmp_path / "c.jsonl").write_bytes(b"{broken\n")
    with pytest.raises(UsageError) as found:
        small.computed([tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")], setting, tmp_path)
    assert str(found.value).startswith(f"{tmp_path / 'b.jsonl'}: line 121: not JSON; ")
