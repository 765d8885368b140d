"""The parts together are the reference."""

import numpy as np
import pytest

from dpspin.pipeline import BUNDLE
from dpspin_audits.bundle import judged, released_masses
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.float_noise import FloatNoise
from dpspin_audits.zoo.steps import Steps

MECHANISMS = ["laplace", "gaussian", "top_l", "top_l_gaussian"]


@pytest.mark.parametrize("unit", ["record", "user"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_parts_give_the_references_sums_and_samples(maker_of, mechanism, unit):
    maker = maker_of(mechanism=mechanism, unit=unit)
    records = maker.records(maker.varied("v", 30))
    parts, reference = Steps(maker.setting), ReferenceSubject(maker.setting)
    assert parts.sketch(records) == reference.sketch(records)
    assert [parts.contribution(r) for r in records] == [reference.contribution(r) for r in records]
    ours, theirs = (one.reproducible(b"s").sample(records, 40) for one in (parts, reference))
    assert np.array_equal(ours.masses, theirs.masses)
    assert np.array_equal(ours.atoms, theirs.atoms)


@pytest.mark.parametrize("kind", [Steps, FloatNoise])
def test_a_release_of_parts_is_a_whole_bundle_whose_summary_its_plan_supports(setting, maker, kind):
    files = kind(setting).release(maker.settled())
    assert set(files) == set(BUNDLE)
    assert judged(files).verdict.accepted


def test_floating_point_masses_reach_the_plan_with_all_their_bits(setting, maker):
    masses = released_masses(FloatNoise(setting).release(maker.settled()))
    assert any(mass.denominator > 2**20 for mass in masses.values())
