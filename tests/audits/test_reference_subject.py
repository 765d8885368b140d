"""The reference is audited through the code that releases."""

import numpy as np

from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin.pipeline import BUNDLE
from dpspin_audits.bundle import released_masses
from dpspin_audits.reference_subject import BLOCK, ReferenceSubject


def test_samples_are_the_core_call_in_blocks_with_bits_of_their_own(reference, setting, maker):
    records, runs = maker.settled(), BLOCK + 5
    found = reference.reproducible(b"seed").sample(records, runs)
    exact = reference.exact(records)
    blocks = [
        release(exact, setting.deployment, SeededBits(b"seed", block), rows, rigorous=False)
        for block, rows in ((0, BLOCK), (1, 5))
    ]
    assert np.array_equal(found.masses, np.concatenate([block.masses for block in blocks]))
    assert np.array_equal(found.atoms, np.concatenate([block.atoms for block in blocks]))


def test_samples_without_a_seed_differ_and_releases_never_follow_one(reference, maker):
    records = maker.settled()
    assert not np.array_equal(reference.sample(records, 50).masses, reference.fresh().sample(records, 50).masses)
    seeded = [reference.reproducible(b"seed").release(records) for _ in range(2)]
    assert set(seeded[0]) == set(BUNDLE)
    assert released_masses(seeded[0]) != released_masses(seeded[1])


def test_the_sketch_is_the_sum_of_contributions(reference, maker):
    records = [*maker.varied("v", 20), maker.record("auxiliary or not", "lost card")]
    total = [sum(column) for column in zip(*map(reference.contribution, records), strict=True)]
    assert reference.exact(records) == total


def test_auxiliary_records_contribute_nothing(reference, setting, maker):
    known = [reference.contribution(maker.record(f"r-{n}", "lost card")) for n in range(20)]
    assert any(sum(vector) == 0 for vector in known)
    assert sum(reference.contribution(maker.record(next(maker.identifiers("r")), "lost card"))) == 2**20


def test_the_claim_is_the_deployments(setting_at):
    claim = ReferenceSubject(setting_at("1/4")).claim
    assert (claim.epsilon * 4, claim.scale, claim.mechanism, claim.delta) == (1, 4, "laplace", 0)
