"""The reference is audited through the code that releases."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin import canonical, pipeline, plan, transcript
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin.pipeline import BUNDLE
from dpspin_audits.bundle import released_masses
from dpspin_audits.noise.source import Silent
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.reference_subject import BLOCK, ReferenceSubject


def test_samples_are_the_core_call_in_blocks_with_bits_of_their_own(reference, setting, maker):
    records, runs = maker.settled(), BLOCK + 5
    found = reference.reproducible(b"seed").sample(records, runs)
    exact = reference.sketch(records)
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
    records = [*maker.records(maker.varied("v", 20)), maker.record("auxiliary or not", "lost card")]
    total = [sum(column) for column in zip(*map(reference.contribution, records), strict=True)]
    assert reference.sketch(records) == total


def test_auxiliary_records_contribute_nothing(reference, setting, maker):
    known = [reference.contribution(maker.record(f"r-{n}", "lost card")) for n in range(20)]
    assert any(sum(vector) == 0 for vector in known)
    assert sum(reference.contribution(maker.record(next(maker.identifiers("r")), "lost card"))) == 2**20


def test_the_claim_is_the_deployments(setting_at):
    claim = ReferenceSubject(setting_at("1/4")).claim
    assert (claim.epsilon * 4, claim.scale, claim.mechanism, claim.delta) == (1, 4, "laplace", 0)


def test_users_are_clipped_with_all_their_records(setting_of, maker_of):
    reference, maker = ReferenceSubject(setting_of(unit="user")), maker_of(unit="user")
    one = maker.records(maker.members("u", [maker.overfull(maker.probes.single[0])]))
    assert len(one) == 16
    assert sum(reference.sketch(one)) == 2 * 2**20
    assert sum(map(sum, map(reference.contribution, one))) == 16 * 2**20


@pytest.mark.parametrize(("missing", "total"), [("drop", 0), ("own_unit", 1)])
def test_a_record_without_a_user_is_dropped_or_alone(setting_of, maker_of, missing, total):
    reference = ReferenceSubject(setting_of(unit="user", missing=missing))
    kept = [reference.sketch([{"key": f"r-{number}", "body": "lost card"}]) for number in range(20)]
    assert max(map(sum, kept)) == total * 2**20
    assert reference.claim.missing_ids == missing


def test_the_claim_names_admission_and_values(setting_of):
    claim = ReferenceSubject(setting_of(mechanism="top_l")).claim
    assert (claim.mechanism, claim.values, claim.scale, claim.exponent * 6) == ("private_top_l", "laplace", 2, 1)
    gaussian = ReferenceSubject(setting_of(mechanism="gaussian", adjacency="replacement")).claim
    assert (gaussian.mechanism, gaussian.values, gaussian.exponent) == ("gaussian", None, None)
    assert float(gaussian.scale) == gaussian.scale  # a float, exactly
    assert 5 < gaussian.scale < 6


def test_injection_goes_through_the_pipeline_of_releases(reference, maker, setting):
    records = maker.settled()
    made = pipeline.release_with(setting, [corpus_record(r, setting) for r in records], Silent()).bundle
    assert reference.release_with(records, Silent()) == made
    assert canonical.loads(made["plan.json"], "")["stamp"] == plan.INJECTED


def test_the_decoder_is_given_what_the_transcript_lists(reference, maker):
    bundle = reference.release(maker.settled())
    given = reference.decoder_input(bundle["plan.json"])
    rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
    prompts = [row for row in rows if str(row["name"]).startswith(("prompt", "feedback"))]
    assert len(given) == sum(int(row["bytes"]) for row in prompts)
    assert canonical.digest(given[: int(prompts[0]["bytes"])]) == prompts[0]["sha256"]


def test_the_key_of_a_record_is_its_units_and_none_where_it_counts_nothing(setting_of, maker_of):
    drops, owns = (ReferenceSubject(setting_of(unit="user", missing=missing)) for missing in ("drop", "own_unit"))
    maker = maker_of(unit="user")
    ada, bob = (next(maker.identifiers(name)) for name in ("ada", "bob"))
    keys = [drops.unit_key(maker.record(f"r{n}", "lost card", who)) for n, who in enumerate((ada, ada, bob))]
    assert keys[0] == keys[1] != keys[2]
    other = next(f"u{n}" for n in range(99) if not maker.kept(f"u{n}"))
    assert drops.unit_key(maker.record("r", "lost card", other)) is None
    assert drops.unit_key(maker.record("r", "lost card")) is None
    nameless = [owns.unit_key(maker.record(f"r{n}", "lost card")) for n in range(20)]
    counted = [key for key in nameless if key is not None]
    assert 1 < len(counted) == len(set(counted)) < 20


def test_a_charged_universe_is_spent_once_with_the_first_release(setting_of):
    subject = ReferenceSubject(setting_of(built=("1/2", "1e-7")))
    sums = [subject.spent()]
    for _ in range(3):
        subject.release([])
        sums.append(subject.spent())
    assert sums == [(0, 0), *((number + Fraction(1, 2), Fraction(1, 10**7)) for number in (1, 2, 3))]
