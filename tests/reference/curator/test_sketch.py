"""The sketch is the sum of clipped contributions, one record at a time, of integers only."""

import tracemalloc
import weakref
from array import array
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.curator import sketch as module
from dpspin.curator.sketch import contribution, sketch, user_sketch
from dpspin.errors import ImpossibleError
from dpspin.settings import Exact

ROWS = st.lists(st.lists(st.integers(-2, 9) | st.integers(0, 2**70), min_size=5, max_size=5), max_size=20)


def naive(scores):
    """Eq. (1) with K = 3 and B = 1, in exact rationals."""
    kept = sorted((at for at in range(len(scores)) if scores[at] > 0), key=lambda at: (-scores[at], at))[:3]
    total = sum(scores[at] for at in kept)
    return [floor(Fraction(MASS_UNIT * scores[at], total)) if at in kept else 0 for at in range(len(scores))]


@given(rows=ROWS, random=st.randoms())
def test_the_sketch_is_the_sum_of_contributions_in_any_order(demo, rows, random):
    parts = [contribution(row, demo) for row in rows]
    assert parts == [naive(row) for row in rows]
    wanted = [sum(part[at] for part in parts) for at in range(5)]
    assert sketch(rows, demo, 5) == wanted
    random.shuffle(rows)
    assert sketch(iter(rows), demo, 5) == wanted
    cut = len(rows) // 2
    halves = [sketch(rows[:cut], demo, 5), sketch(rows[cut:], demo, 5)]
    assert [a + b for a, b in zip(*halves, strict=True)] == wanted


def test_no_records_give_a_zero_sketch(demo):
    assert sketch([], demo, 4) == [0, 0, 0, 0]
    assert sketch([[0, 0, 0, 0], [-1, 0, 0, 0]], demo, 4) == [0, 0, 0, 0]


def test_a_record_adds_at_most_one_unit_of_mass(demo):
    assert sum(contribution([10**40, 1, 7, 7, 7], demo)) <= MASS_UNIT
    assert contribution([1, 1, 1, 1, 1], demo) == [MASS_UNIT // 3] * 3 + [0, 0]
    assert contribution([0, 0, 5, 0, 0], demo) == [0, 0, MASS_UNIT, 0, 0]


def test_the_mass_bound_is_in_units_of_mass(demo):
    halved = demo.model_copy(update={"mass_bound": Exact("1/2")})
    assert contribution([0, 5, 0, 0, 0], halved) == [0, MASS_UNIT // 2, 0, 0, 0]
    assert sketch([[0, 5, 0, 0, 0]] * 3, halved, 5) == [0, 3 * (MASS_UNIT // 2), 0, 0, 0]


@pytest.mark.parametrize("score", [1.0, 0.5, np.int64(1), np.float64(1), True, None, "1"])
def test_scores_that_are_no_integers_stop_here(demo, score):
    for call in (lambda row: contribution(row, demo), lambda row: sketch([row], demo, 2)):
        with pytest.raises(ImpossibleError, match="not an integer"):
            call([1, score])


@pytest.mark.parametrize("row", [[1], [1, 2, 3]])
def test_a_record_with_another_number_of_scores_stops_here(demo, row):
    with pytest.raises(ImpossibleError, match="another number of scores"):
        sketch([[1, 2], row], demo, 2)


class Row(list):
    """A list that can be watched."""


def most_alive(consume):
    """How many of 100 rows exist at once while they are consumed."""
    watched, most = [], 0

    def rows():
        nonlocal most
        for number in range(100):
            row = Row([number, 1])
            watched.append(weakref.ref(row))
            yield row
            del row
            most = max(most, sum(seen() is not None for seen in watched))

    consume(rows())
    return most


def test_records_are_taken_one_at_a_time(demo):
    assert most_alive(lambda rows: sketch(rows, demo, 2)) <= 1
    assert most_alive(lambda rows: sketch(list(rows), demo, 2)) == 100


OWNED = st.lists(st.tuples(st.integers(0, 4), st.lists(st.integers(-2, 9), min_size=4, max_size=4)), max_size=25)


@given(records=OWNED, bound=st.sampled_from(["1/3", "1", "2", "7/2"]), random=st.randoms())
def test_the_streaming_user_sketch_is_the_kernels_in_any_order(demo, records, bound, random):
    bounded = demo.model_copy(update={"mass_bound": Exact(bound)})
    shares = [(owner, kernel.contribution(row, 3, MASS_UNIT)) for owner, row in records]
    wanted = kernel.user_sketch(shares, int(Fraction(bound) * MASS_UNIT), 4)
    random.shuffle(records)
    assert user_sketch(((str(owner), row) for owner, row in records), bounded, 4) == wanted


@given(st.lists(st.integers(0, 2**63 - 1) | st.just(0), max_size=9))
def test_a_packed_vector_is_unpacked_exactly(vector):
    packed = module._packed(vector)
    assert module._unpacked(packed, len(vector)) == vector
    assert len(packed) == 2 * sum(map(bool, vector))


def test_a_mass_that_64_bits_do_not_hold_stops_here():
    with pytest.raises(OverflowError):
        module._packed([2**63])


SEVERAL = [("u", [1, 2, 0, 0]), ("v", [0, 0, 0, 3]), ("u", [0, 2, 5, 0]), ("u", [0, 0, 0, 0]), ("v", [1, 1, 1, 1])]
FAULTY = {
    "zeros close up": (
        "_packed",
        lambda vector: array("q", [n for pair in enumerate(filter(None, vector)) for n in pair]),
    ),
    "the last mass is lost": ("_packed", lambda vector: module._nothing_lost(vector)[:-2]),
    "the largest alone": ("_packed", lambda vector: array("q", [vector.index(max(vector)), max(vector)])),
    "forgotten": ("_unpacked", lambda packed, width: [0] * width),
    "one place on": ("_unpacked", lambda packed, width: module._in_place(packed, width)[-1:] + [0] * (width - 1)),
}


@pytest.mark.parametrize(("name", "faulty"), FAULTY.values(), ids=FAULTY)
def test_a_fault_in_what_is_held_of_a_user_would_be_found(demo, monkeypatch, name, faulty):
    wide = demo.model_copy(update={"mass_bound": Exact("2")})
    shares = [(ord(owner), kernel.contribution(row, 3, MASS_UNIT)) for owner, row in SEVERAL]
    wanted = kernel.user_sketch(shares, 2 * MASS_UNIT, 4)
    assert user_sketch(SEVERAL, wide, 4) == wanted
    monkeypatch.setattr(module, "_nothing_lost", module._packed, raising=False)
    monkeypatch.setattr(module, "_in_place", module._unpacked, raising=False)
    monkeypatch.setattr(module, name, faulty)
    assert user_sketch(SEVERAL, wide, 4) != wanted


def test_what_is_held_of_a_user_does_not_grow_with_the_universe(demo):
    def most_held(width):
        rows = ((str(user), [0] * (user % width) + [1] + [0] * (width - 1 - user % width)) for user in range(200))
        tracemalloc.start()
        try:
            user_sketch(rows, demo, width)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert most_held(2000) - most_held(10) < 200 * 2000 * 8 / 4, "a quarter of what whole vectors would take"


def test_a_heavy_user_counts_once_up_to_the_bound_and_a_clip_per_record_would_not(demo):
    twice = demo.model_copy(update={"mass_bound": Exact("2")})
    heavy = [("u", [0, 5, 0, 0])] * 50
    assert user_sketch(heavy, twice, 4) == [0, 2 * MASS_UNIT, 0, 0]
    assert sketch([row for _, row in heavy], twice, 4) == [0, 50 * MASS_UNIT, 0, 0]


def test_a_user_score_that_is_no_integer_stops_here_too(demo):
    with pytest.raises(ImpossibleError, match="not an integer"):
        user_sketch([("u", [1.0, 2.0])], demo, 2)
    with pytest.raises(ImpossibleError, match="another number of scores"):
        user_sketch([("u", [1])], demo, 2)
