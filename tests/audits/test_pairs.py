"""Pairs differ in exactly one record, and each family can show what it is for."""

import pytest

from dpspin.corpus import split
from dpspin.errors import ImpossibleError
from dpspin_audits import pairs

A, B = {"key": "a", "body": "x"}, {"key": "b", "body": "x"}


@pytest.mark.parametrize(
    ("smaller", "larger", "expected"),
    [([], [A], A), ([A], [B, A], B), ([A], [A, A], A), ([A], [A], None), ([A], [B], None), ([A, B], [A], None),
     ([A], [B, B], None), ([], [A, B], None)],
)  # fmt: skip
def test_the_witness_is_the_one_record_more_and_nothing_else(smaller, larger, expected):
    assert pairs.witness(smaller, larger) == expected


def test_every_pair_of_every_family_has_its_witness(maker):
    families = pairs.families(maker)
    assert [family.name for family in families] == [
        "many records, one atom", "many records, widest record", "no record, one atom", "no record, widest record",
        "varied records, one planted", "records on two atoms, other ids",
    ]  # fmt: skip
    for family in families:
        for pair in family.candidates:
            assert pairs.witness(pair.smaller, pair.larger) is not None
            assert sum(pair.after) - sum(pair.before) == pytest.approx(1, abs=2.0**-18)


def test_a_pair_without_its_witness_is_refused(maker, monkeypatch):
    monkeypatch.setattr(pairs, "witness", lambda smaller, larger: None)
    with pytest.raises(ImpossibleError, match="exactly one record"):
        maker.pair("broken", [], maker.record("r", "card"), (0,))


def test_generated_ids_lie_in_the_protected_half_and_are_distinct(setting, maker):
    halves = setting.deployment.corpus.split
    names = [record["key"] for record in maker.varied("v", 200)]
    assert len(set(names)) == 200
    assert not any(split.belongs(halves.key, halves.auxiliary_share, name) for name in names)


def test_exact_masses_are_those_of_the_reference(reference, maker):
    for family in pairs.families(maker):
        pair = family.candidates[0]
        exact = [reference.exact(side) for side in (pair.smaller, pair.larger)]
        for number, atom in enumerate(pair.atoms):
            assert pair.before[number] == pytest.approx(exact[0][atom] / 2**20)
            assert pair.after[number] == pytest.approx(exact[1][atom] / 2**20)


def test_heavy_corpora_are_decisive_and_grow_with_the_noise(setting_at, maker):
    assert min(pairs.families(maker)[1].candidates[0].before) > 29
    other = pairs.Maker(setting_at("1/4"), maker.probes)
    assert len(other.heavy(maker.probes.single[0])) == 4 * len(maker.heavy(maker.probes.single[0]))


def test_displacement_needs_many_records_on_two_atoms_and_ids_that_differ(maker):
    family = pairs.families(maker)[-1]
    assert len(family.candidates[0].smaller) >= 1000
    assert len({pair.larger[-1]["key"] for pair in family.candidates}) >= 4
    assert len({pair.larger[-1]["body"] for pair in family.candidates}) == 2
    assert not family.small
