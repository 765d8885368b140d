"""Held releases repeat themselves or are not counted as held; noise that somebody chose always leaves a stamp."""

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from dpspin import canonical, pipeline, plan
from dpspin.errors import SubjectError, UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.cli import release
from dpspin_audits.noise.held import SEEDS, holding
from dpspin_audits.noise.source import Frozen, Silent
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.reference_subject import ReferenceSubject


class Box:
    """A subject that can do nothing but release: masses of a function of records and a draw."""

    def __init__(self, draw, sees=lambda records: 0):
        self.claim, self._draw, self._sees = None, draw, sees

    def fresh(self):
        return Box(self._draw, self._sees)

    def release(self, records):
        row = {"index": 0, "noisy_mass": f"{self._sees(records) + self._draw():.6f}"}
        return {"plan.json": canonical.dumps({"released": [row]})}


class Seeded(Box):
    """The same, with a seed where that is asked for."""

    stamp = "seeded"

    def fresh(self):
        return self

    def release_seeded(self, records, seed):
        noise = np.random.Generator(np.random.PCG64(list(seed))).laplace()
        row = {"index": 0, "noisy_mass": f"{noise:.6f}"}
        return {"plan.json": canonical.dumps({"released": [row], "stamp": self.stamp})}


def unheld():
    return os.getpid() + time.perf_counter_ns() % 1000 / 1000


@pytest.mark.parametrize(
    ("subject", "ways"),
    [(Box(np.random.laplace), ["tap"]), (Box(lambda: np.random.default_rng().normal()), ["tap"]), (Box(unheld), []),
     (Seeded(unheld), ["seeded"]), (Seeded(np.random.laplace), ["tap", "seeded"]), (Box(lambda: 1 / 0), [])],
)  # fmt: skip
def test_a_way_is_one_that_repeats_itself(subject, ways):
    with holding(subject) as held:
        assert list(held.ways([])) == ways


def test_a_subject_that_draws_in_threads_is_not_held():
    def elsewhere():
        found = []
        worker = threading.Thread(target=lambda: found.append(np.random.laplace()))
        worker.start()
        worker.join()
        return found[0]

    with holding(Box(elsewhere)) as held:
        assert list(held.ways([])) == []
        with pytest.raises(SubjectError, match="several threads"):
            held.tapped([])


def test_the_reference_is_held_in_every_way_that_it_offers(reference, maker):
    records = maker.settled()
    with holding(reference) as plain:
        assert plain.injected(records, Silent()).decoder is None
    with holding(reference, decoders=True) as held:
        assert held.injectable
        assert list(held.ways(records)) == ["tap"]
        one, again, other = (released_masses(held.tapped(records, seed).bundle) for seed in (*SEEDS[:1] * 2, SEEDS[1]))
        assert one == again != other
        silent = held.injected(records, Silent())
    exact = reference.sketch(records)
    assert {atom: mass * 2**20 for atom, mass in released_masses(silent.bundle).items()} == {
        atom: exact[atom] for atom in released_masses(silent.bundle)
    }
    assert silent.asked[0].values == tuple(exact)
    assert silent.decoder == reference.decoder_input(silent.bundle["plan.json"]) != b""


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "top_l", "top_l_gaussian"])
def test_injected_noise_leaves_the_stamp_of_every_mechanism(setting_of, mechanism):
    subject = ReferenceSubject(setting_of(mechanism=mechanism))
    with holding(subject) as held:
        for source in (Silent(), Frozen()):
            bundle = held.injected([], source).bundle
            assert canonical.loads(bundle["plan.json"], "")["stamp"] == plan.INJECTED
            assert all(b"NON-PRIVATE" in bundle[name] for name in ("plan.json", "summary.txt", "transcript.jsonl"))


@pytest.mark.parametrize("stamp", [None, "", 3])
def test_a_plan_without_a_stamp_breaks_the_protocol(stamp):
    subject = Seeded(np.random.laplace)
    subject.stamp = stamp
    with holding(subject) as held:
        assert list(held.ways([])) == ["tap"]
        with pytest.raises(SubjectError, match="release_seeded returned a plan without a stamp"):
            held.seeded([], b"s")


def test_a_stamp_cannot_be_laundered(setting, reference):
    bundle = reference.release_with([], Silent())
    tree = canonical.loads(bundle["plan.json"], "")
    for clean in ({**tree, "stamp": None}, {name: value for name, value in tree.items() if name != "stamp"}):
        with pytest.raises(UsageError):
            plan.decode(canonical.dumps(clean), "plan.json")
    with pytest.raises(TypeError):  # the release itself takes bits of randomness and no source of noise
        pipeline.release(setting, [], Silent(), None, noise=Silent())
    with pytest.raises(AttributeError):
        pipeline.release(setting, [], Silent(), None)


def test_a_source_in_place_of_bits_is_never_taken_for_the_systems(setting, maker):
    class Disguised(Silent):
        def words(self, n):
            return np.zeros(n, np.uint64)

    records = [corpus_record(record, setting) for record in maker.settled()]
    stamped = pipeline.release(setting, records, Disguised(), None).bundle
    assert canonical.loads(stamped["plan.json"], "")["stamp"] == plan.SEEDED


def test_the_command_line_has_no_way_to_put_noise_in():
    folder = Path(release.__file__).parent
    texts = {path.name: path.read_text() for path in folder.glob("*.py")}
    assert "pipeline.release(" in texts["release.py"]
    assert not any("release_with" in text or "noise_source" in text for text in texts.values())
    assert not any("noise" in parameter.name or "inject" in parameter.name for parameter in release.release.params)
