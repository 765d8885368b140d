"""Units are protected, selected and of known mass, whatever the unit and the sampling rate."""

import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin_audits.pairs.corpora import Maker, decisive
from dpspin_audits.reference_subject import ReferenceSubject

TERMS = [{}, {"unit": "user"}, {"unit": "user", "rate": "1/3"}, {"rate": "1/4"}, {"unit": "user", "bound": "1/2"}]


@pytest.mark.parametrize("terms", TERMS)
def test_generated_units_are_protected_selected_and_distinct(setting_of, maker_of, terms):
    d = setting_of(**terms).deployment
    names = [member.id for member in maker_of(**terms).varied("v", 100)]
    units = [name if d.user is None else f"user {name}" for name in names]
    assert len(set(names)) == 100
    assert not any(split.belongs(d.corpus.split.key, d.corpus.split.auxiliary_share, unit) for unit in units)
    assert all(split.belongs(d.corpus.selection_key, d.corpus.sampling_rate, unit) for unit in units)


@pytest.mark.parametrize("terms", TERMS)
def test_masses_are_the_references_sketch(setting_of, maker_of, terms):
    maker, reference = maker_of(**terms), ReferenceSubject(setting_of(**terms))
    members = [*maker.varied("v", 40), *maker.members("h", [maker.overfull(p) for p in maker.probes.single[:3]])]
    assert maker.masses(members) == reference.sketch(maker.records(members))
    assert any(maker.masses(members))
    assert maker.masses([]) == [0] * 12


@pytest.mark.parametrize(("bound", "records"), [("1/2", 1), ("1", 1), ("2", 2), ("5/2", 3)])
def test_a_full_unit_reaches_the_bound_with_as_few_records_as_do(maker_of, bound, records):
    maker = maker_of(unit="user", bound=bound)
    texts = maker.full(maker.probes.single[0])
    assert len(texts) == records
    assert sum(maker.mass(texts)) == int(maker.setting.deployment.mass_bound * MASS_UNIT)
    assert sum(maker.mass(maker.overfull(maker.probes.single[0]))) == sum(maker.mass(texts))


def test_records_of_a_user_have_ids_of_their_own_and_one_user(maker_of):
    maker = maker_of(unit="user")
    rows = maker.records(maker.members("u", [("card", "fee", "card")]))
    assert len({row["key"] for row in rows}) == 3
    assert len({row["who"] for row in rows}) == 1
    assert maker.record("r", "card") == {"key": "r", "body": "card"}  # a record without a user


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "top_l", "top_l_gaussian"])
def test_heavy_atoms_are_always_admitted(setting_of, maker_of, mechanism):
    setting, maker = setting_of(mechanism=mechanism), maker_of(mechanism=mechanism)
    found = maker.probes.single[0]
    base = maker.records(maker.heavy(found))
    plans = ReferenceSubject(setting).reproducible(b"s").sample(base, 20_000)
    assert (plans.atoms == found.heaviest).any(axis=1).all()
    assert max(maker.masses(maker.heavy(found))) / MASS_UNIT >= decisive(setting.noise, 12)
    light = maker.records(maker.weighing(found, decisive(setting.noise, 12) / 30))
    assert not (ReferenceSubject(setting).reproducible(b"s").sample(light, 20_000).atoms == found.heaviest).any(1).all()


def test_a_heavy_corpus_grows_with_the_noise(setting_at, maker):
    other = Maker(setting_at("1/4"), maker.probes)
    assert len(other.heavy(maker.probes.single[0])) == 4 * len(maker.heavy(maker.probes.single[0]))
