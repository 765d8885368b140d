"""Every way of seeing exact masses sees those of the reference."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.noise.exposed import Added, beside, exposed, masses_of
from dpspin_audits.noise.held import SEEDS, Run, holding
from dpspin_audits.reference_subject import ReferenceSubject


@pytest.mark.parametrize("terms", [{}, {"mechanism": "top_l", "unit": "user"}])
def test_sketch_injected_noise_and_tap_agree(setting_of, maker_of, terms):
    maker = maker_of(**terms)
    subject, first = ReferenceSubject(setting_of(**terms)), maker.probes.single[0].atoms
    one = maker.records(maker.members("one", [maker.full(maker.probes.single[0])]))
    exact = subject.sketch(one)
    with holding(subject) as held:
        ways = {way.variant: way for way in exposed(subject, held, beside(maker), first)}
        assert list(ways) == ["sketch", "injected", "tap"]
        assert ways["sketch"].masses(one) == dict(enumerate(exact))
        injected = ways["injected"].masses(one)
        assert all(injected[0, atom] == exact[atom] for atom in range(len(exact)))
        tapped = ways["tap"].masses(one)
        assert tapped[maker.probes.single[0].heaviest] == Fraction(max(exact), 2**20)
        assert ways["tap"].beside == len(beside(maker)) > 10


class Plain:
    """Counts records on one atom, with legacy noise."""

    claim = None

    def __init__(self, draw=np.random.laplace):
        self._draw = draw

    def fresh(self):
        return type(self)(self._draw)

    def release(self, records):
        row = {"index": 0, "noisy_mass": f"{len(records) + self._draw():.6f}"}
        return {"plan.json": canonical.dumps({"released": [row]})}


def test_where_noise_is_silent_nothing_needs_to_stand_beside(maker):
    records = maker.records(maker.varied("v", 3))
    with holding(Plain(lambda: np.random.laplace())) as held:  # noqa: PLW0108 - looked up when it is called
        (way,) = exposed(Plain(), held, beside(maker), (0,))
        assert (way.variant, way.beside, way.masses(records)) == ("tap", 0, {0: Fraction(3)})


def test_masses_that_seeds_disagree_about_are_not_seen():
    def release(records, seed):
        noise = len(records) if seed == SEEDS[0] else 3 * len(records)
        row = {"index": 0, "noisy_mass": str(noise)}
        kept = {"index": 1, "noisy_mass": str(5 + len(records))}
        return Run({"plan.json": canonical.dumps({"released": [row, kept]})}, None, ())

    assert Added(release, [{}])([{}]) == {1: 1}


def test_a_bundle_without_a_plan_shows_no_masses():
    assert masses_of(Run({}, None, ())) == {}
    assert Added(lambda records, seed: Run({}, None, ()), [{}])([{}]) == {}


def test_a_value_that_is_no_number_is_the_subjects(setting, maker):
    class Broken(ReferenceSubject):
        def release_with(self, records, noise):
            noise.laplace([float("nan")], 1, label="s")
            return super().release_with(records, noise)

    subject = Broken(setting)
    with holding(subject) as held:
        ways = {way.variant: way for way in exposed(subject, held, beside(maker), (0,))}
        with pytest.raises(SubjectError, match="no finite number"):
            ways["injected"].masses([])


def test_no_two_texts_beside_are_alike_and_their_masses_are(maker_of):
    for terms in ({}, {"unit": "user"}):
        maker = maker_of(**terms)
        records = beside(maker)
        assert len({record["body"] for record in records}) == len(records)
        reference = ReferenceSubject(maker.setting)
        assert reference.sketch(records) == reference.sketch(maker.settled())
