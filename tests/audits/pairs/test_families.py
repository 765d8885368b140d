"""Every family has its witness and can show what it is for, under every relation."""

from itertools import product

import pytest

from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin_audits.pairs.adjacent import ADJACENT, difference
from dpspin_audits.pairs.families import families
from dpspin_audits.reference_subject import ReferenceSubject

ALWAYS = [
    "many units, one atom", "many units, widest unit", "no other unit, one atom", "no other unit, widest unit",
    "equal atoms at the boundary", "varied units, one planted", "searched at random", "units on two atoms, other ids",
]  # fmt: skip


def terms(mechanism="laplace", unit="record", adjacency="add_drop"):
    return {"mechanism": mechanism, "unit": unit, "adjacency": adjacency}


@pytest.mark.parametrize(
    ("chosen", "more"),
    [
        (terms(), set()),
        (terms(adjacency="replacement"), {"many units, one for an empty one"}),
        (terms(unit="user"), {"users with almost equal ids"}),
        (terms("gaussian"), set()),
        (terms("top_l"), {"few units, admission undecided"}),
    ],
)
def test_families_are_those_of_the_deployment(maker_of, chosen, more):
    assert {family.name for family in families(maker_of(**chosen))} == {*ALWAYS, *more}


@pytest.mark.parametrize(("unit", "adjacency"), list(product(("record", "user"), ("add_drop", "replacement"))))
def test_every_pair_has_its_witness_and_attains_the_sensitivity(maker_of, unit, adjacency):
    maker = maker_of(**terms("top_l", unit, adjacency))
    d = maker.setting.deployment
    limit = float(sensitivity(adjacency, d.mass_bound, 12).l1)
    for family in families(maker):
        shifts = []
        for pair in family.candidates:
            assert difference(pair.without, pair.with_, d) == ADJACENT[adjacency]
            shifts.append(sum(abs(b - a) for a, b in zip(pair.before, pair.after, strict=True)))
        expected = limit / 2 if "empty" in family.name else limit
        assert max(shifts) == pytest.approx(expected, abs=2.0**-16), family.name


def test_users_come_with_few_records_and_with_far_too_many(maker_of):
    pairs = families(maker_of(unit="user"))[0].candidates
    added = sorted({len(pair.with_) - len(pair.without) for pair in pairs})
    assert added == [2, 16]


def test_under_replacement_mass_moves_from_one_atom_to_another(maker_of):
    pair = families(maker_of(adjacency="replacement"))[0].candidates[0]
    assert sorted(round(b - a) for a, b in zip(*pair.probed, strict=True)) == [-1, 1]
    assert len(pair.without) == len(pair.with_)


def test_displacement_needs_many_units_on_two_atoms_and_ids_that_differ(maker):
    family = families(maker)[-1]
    assert len(family.candidates[0].without) >= 1000
    assert len({pair.with_[-1]["key"] for pair in family.candidates}) >= 4
    assert len({pair.with_[-1]["body"] for pair in family.candidates}) == 2
    assert not family.small


def test_almost_equal_ids_are_different_ids(maker_of):
    family = families(maker_of(unit="user"))[-1]
    for pair in family.candidates:
        new = pair.with_[-1]["who"]
        alike = [
            row["who"]
            for row in pair.without
            if row["who"].strip().lower().strip("0.") == new.strip().lower().strip("0.")
        ]
        assert alike
        assert new not in alike


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_at_the_boundary_one_atom_more_than_a_plan_has_is_equal(maker_of, adjacency):
    family = named(maker_of(adjacency=adjacency), "equal atoms at the boundary")
    for pair in family.candidates:
        before, after = pair.probed
        assert len(before) == 4  # a plan has three
        assert max(before.count(mass) for mass in before) >= 3
        assert max(before) - min(before) <= 1
        assert [b - a for a, b in zip(before, after, strict=True)].count(0) == (3 if adjacency == "add_drop" else 2)


def test_random_pairs_are_alike_in_every_audit_and_differ_among_themselves(maker_of):
    one, two = (named(maker_of(adjacency="replacement"), "searched at random") for _ in range(2))
    assert one == two
    assert len({(pair.before, pair.after) for pair in one.candidates}) >= 8
    assert not one.small


def named(maker, name):
    return next(family for family in families(maker) if family.name == name)


def test_units_of_a_random_pair_are_different_units(maker_of):
    for pair in named(maker_of(unit="user"), "searched at random").candidates:
        sketch = ReferenceSubject(maker_of(unit="user").setting).sketch(pair.with_)
        assert [mass / MASS_UNIT for mass in sketch] == list(pair.after)


def test_undecided_admission_is_undecided(maker_of):
    """The probed atom is left out in between one and 99 of a hundred plans of some candidate."""
    maker = maker_of(mechanism="top_l")
    family = next(family for family in families(maker) if "undecided" in family.name)
    eta = float(maker.setting.noise.exponent * 2**20)
    odds = [pair.before[pair.atoms[0]] * eta for pair in family.candidates]
    assert min(odds) < 2 < max(odds)
