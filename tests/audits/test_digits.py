"""Digits of masses: a lattice is seen through binary64, float noise is named, no declaration is believed blindly."""

import json
import random
from decimal import Decimal
from fractions import Fraction

import pytest

from dpspin import canonical
from dpspin_audits import digits

RANDOM = random.Random(9)
SIZES = [RANDOM.uniform(-40, 900) for _ in range(10)]
"""Masses with all the digits that floating-point noise leaves."""


def drawn(bits):
    """The same, rounded to multiples of 2^-bits; most are no short decimals."""
    return [round(size * 2**bits) / 2**bits for size in SIZES]


def problem(masses, *declared, write=float):
    """As from a file: JSON numbers as programs write them, or texts."""
    tree = {"released": [{"index": at, "noisy_mass": write(mass)} for at, mass in enumerate(masses)]}
    read = canonical.loads(json.dumps(tree).encode(), "plan.json")
    return digits.problem(digits.masses(read), digits.steps(declared))


@pytest.mark.parametrize("write", [float, repr, lambda size: f"{size:.17g}", lambda size: f"{Decimal(size):f}"],
                         ids=["JSON numbers", "quoted", "17 digits", "exact"])  # fmt: skip
def test_a_lattice_is_seen_however_its_numbers_are_written(write):
    assert problem(drawn(20), write=write) is None
    assert problem(drawn(40), "2^-40", write=write) is None
    assert problem(drawn(40), write=write) is not None


@pytest.mark.parametrize(
    "stated", ["2^-40", "2**-40", "1/1099511627776", 2.0**-40, "9.094947017729282379150390625e-13"]
)
def test_a_granularity_may_be_written_in_several_ways(stated):
    assert problem(drawn(40), stated) is None
    assert problem(SIZES, stated) is not None


def test_a_decimal_granularity_of_yaml_means_what_is_written():
    assert problem([round(size, 7) for size in SIZES], 1e-7) is None
    assert problem([round(size, 7) for size in SIZES]) is not None
    assert problem([round(size, 6) for size in SIZES]) is None


@pytest.mark.parametrize("write", [float, repr])
def test_float_masses_are_named_with_their_place_and_what_they_may_betray(write):
    found = problem([1.5, *SIZES], write=write)
    assert found.found.startswith(f"released.1.noisy_mass {SIZES[0]!r} and 9 more: float masses")
    assert "may betray what noise was added to" in found.found
    assert "`granularity` in config.yaml" in found.remedy
    assert "dpspin audit --impl" in found.remedy


@pytest.mark.parametrize("stated", ["1e-99", 5e-324, 2.0**-60, "1e-14", "2^-1074"])
def test_a_granularity_that_every_number_fits_accounts_for_nothing(stated):
    assert "coarser than the digits" in problem(SIZES, stated).remedy


def test_a_granularity_that_does_not_fit_is_said():
    assert "no multiples of the declared one" in problem(SIZES, "2^-30").remedy


def test_a_lattice_that_nobody_declared_is_named():
    assert "declare `granularity: 2^-40`" in problem(drawn(40)).remedy
    assert "multiples of" not in problem(SIZES).remedy
    assert "multiples of 2" not in problem(drawn(40)[:1]).remedy, "one mass may fit by chance"


def test_digits_behind_those_of_a_number_are_no_lattice():
    hidden = [f"{Decimal(size):f}0000817" for size in drawn(20)]
    assert problem(hidden, write=str).found.startswith("released.0.noisy_mass")
    assert problem(hidden[:1], "2^-40", write=str) is not None


@pytest.mark.parametrize("mass", [0, -0.0, 3, 2**60 + 1, 12345678901, 2.0**40 + 0.5, 1e300])
def test_whole_and_large_masses_are_no_floats(mass):
    assert problem([mass], write=lambda size: size) is None


@pytest.mark.parametrize("mass", [3e-320, 1e-7, 12345678901.123457])
def test_small_and_large_floats_are(mass):
    assert problem([mass]) is not None


def test_what_is_no_mass_is_left_to_others():
    assert (
        digits.masses({"released": [{}, 3, {"noisy_mass": "x"}, {"noisy_mass": "1e999"}, {"noisy_mass": None}]}) == []
    )
    assert digits.masses({"released": 3}) == digits.masses({}) == []


def test_it_is_known_whether_the_settings_were_needed():
    tree = {"released": [{"noisy_mass": Fraction(str(mass))} for mass in drawn(40)]}
    masses, steps = digits.masses(tree), digits.steps(["2^-40"])
    assert digits.needs(masses, steps)
    assert not digits.needs(masses, ())
    assert not digits.needs(digits.masses({"released": [{"noisy_mass": "1.5"}]}), steps)


def test_random_masses_of_a_lattice_are_never_accused():
    for bits in range(1, 44):
        masses = [round(RANDOM.gauss(0, 30) * 2**bits) / 2**bits for _ in range(20)]
        assert problem(masses, f"2^-{bits}") is None
