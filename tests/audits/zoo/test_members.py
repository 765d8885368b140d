"""What members show of themselves: correct ones have the reference's sums, faulty ones their fault and nothing else."""

from importlib import import_module

import pytest

from dpspin.pipeline import BUNDLE
from dpspin_audits.bundle import judged
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.catalogue import members

CORRECT = [one for one in members() if one.kind == "Correct" and one.name != "big_integers"]


@pytest.mark.parametrize("unit", ["record", "user"])
@pytest.mark.parametrize("one", CORRECT, ids=lambda one: one.name)
def test_a_correct_one_has_the_references_sums(one, unit, maker_of):
    maker = maker_of(**{**dict(one.terms), "unit": "record" if one.name == "functional" else unit})
    subject = import_module(f"dpspin_audits.zoo.{one.name}").subject(maker.setting)
    full = maker.members("f", [maker.overfull(found) for found in maker.probes.single[:2]])
    nameless = [maker.record(f"nameless {number}", "lost card") for number in range(4)]
    records = [*maker.records([*maker.varied("v", 40), *full]), *nameless]
    assert list(subject.sketch(records)) == ReferenceSubject(maker.setting).sketch(records)
    assert list(subject.sketch([])) == [0] * len(maker.setting.universe)


@pytest.mark.parametrize("one", [one for one in members() if one.kind == "Correct"], ids=lambda one: one.name)
def test_a_correct_one_releases_a_whole_bundle(one, maker_of):
    maker = maker_of(**dict(one.terms))
    files = import_module(f"dpspin_audits.zoo.{one.name}").subject(maker.setting).fresh().release(maker.settled())
    assert set(files) == set(BUNDLE)
    assert judged(files).verdict.accepted
