"""Sensitivities: no pair of adjacent corpora exceeds them, and some pair reaches each of them exactly."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT, Sensitivity, sensitivity

BOUNDS = (Fraction(1), Fraction(2), Fraction(5, 2))


def movement(before, after):
    """The four measures of a change of the sketch, in units of mass."""
    d = [Fraction(a - b, MASS_UNIT) for a, b in zip(after, before, strict=True)]
    return Sensitivity(sum(map(abs, d)), sum(x * x for x in d), max(map(abs, d)), max(d) - min(d))


def exceeds(moved, bound):
    return any(value > most for value, most in zip(moved, bound, strict=True))


def sketched(units, bound, width):
    return kernel.sketch(units, int(bound * MASS_UNIT), width)


VECTORS = st.lists(
    st.integers(0, 3 * MASS_UNIT) | st.sampled_from([0, MASS_UNIT, 10 * MASS_UNIT]), min_size=3, max_size=3
)


@given(st.lists(VECTORS, max_size=5), VECTORS, VECTORS, st.sampled_from(BOUNDS), st.integers(1, 3))
def test_no_adjacent_corpora_move_the_sketch_further(rest, old, new, bound, width):
    rest, old, new = [unit[:width] for unit in rest], old[:width], new[:width]
    dropped, kept, other = (sketched(units, bound, width) for units in (rest, [*rest, old], [*rest, new]))
    assert not exceeds(movement(dropped, kept), sensitivity("add_drop", bound, width))
    assert not exceeds(movement(kept, other), sensitivity("replacement", bound, width))


@pytest.mark.parametrize(("adjacency", "bound", "width"), [*product(("add_drop", "replacement"), BOUNDS, (1, 2, 3))])
def test_every_bound_is_reached(adjacency, bound, width):
    full = [[int(bound * MASS_UNIT) if at == atom else 0 for at in range(width)] for atom in range(width)]
    nothing = [[0] * width]
    befores = nothing if adjacency == "add_drop" else nothing + full
    moved = [
        movement(sketched([before] if any(before) else [], bound, width), sketched([after], bound, width))
        for before, after in product(befores, full)
    ]
    assert Sensitivity(*(max(column) for column in zip(*moved, strict=True))) == sensitivity(adjacency, bound, width)


@pytest.mark.parametrize("broken", [
    lambda units, bound, width: kernel.add(units, width),  # no clipping
    lambda units, bound, width: sketched(units, 2 * bound, width),  # the wrong bound
    lambda units, bound, width: [len(units) * value for value in sketched(units, bound, width)],  # depends on n
])  # fmt: skip
def test_a_faulty_sketch_exceeds_the_bound(broken):
    units = [[3 * MASS_UNIT, 0], [0, 3 * MASS_UNIT]]
    moved = movement(broken(units[:1], Fraction(1), 2), broken(units, Fraction(1), 2))
    assert exceeds(moved, sensitivity("add_drop", Fraction(1), 2))


@pytest.mark.parametrize(("adjacency", "width", "factors"), [
    ("add_drop", 1, (1, 1, 1, 0)), ("add_drop", 2, (1, 1, 1, 1)), ("add_drop", 50, (1, 1, 1, 1)),
    ("replacement", 1, (1, 1, 1, 0)), ("replacement", 2, (2, 2, 1, 2)), ("replacement", 50, (2, 2, 1, 2)),
])  # fmt: skip
def test_the_table_of_the_specification(adjacency, width, factors):
    assert MASS_UNIT == 2**20
    l1, l2_squared, coordinate, spread = factors
    for bound in BOUNDS:
        found = sensitivity(adjacency, bound, width)
        assert found == (l1 * bound, l2_squared * bound**2, coordinate * bound, spread * bound)
        assert all(type(value) is Fraction for value in found)
