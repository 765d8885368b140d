"""Noise that repeats, or can be replayed, is found; coarse noise is not accused."""

import random
import secrets
from fractions import Fraction

import numpy as np
import pytest

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.checks import rng
from dpspin_audits.running.outcomes import Conduct, Outcome

WIDTH = 12


def plan(masses, **fields):
    rows = [{"index": atom, "noisy_mass": str(Fraction(float(mass)))} for atom, mass in enumerate(masses)]
    return {"plan.json": canonical.dumps({"released": rows, **fields})}


class Draws:
    """Twelve atoms of mass 40 and noise from a function."""

    def __init__(self, reference, noise, fields=dict):
        self.claim, self._noise, self._fields = reference.claim, noise, fields

    def fresh(self):
        return self

    def release(self, records):
        return plan(40 + self._noise(), **self._fields())


class Instances(Draws):
    """One draw of noise an instance."""

    def fresh(self):
        return Once(self.claim, self._noise())


class Once:
    def __init__(self, claim, noise):
        self.claim, self._noise = claim, noise

    def release(self, records):
        return plan(40 + self._noise)


def fresh_noise():
    return np.random.default_rng().laplace(size=WIDTH)


def coarse():
    """Equal in three of four releases."""
    return np.full(WIDTH, float(secrets.randbelow(4) == 0))


@pytest.mark.parametrize("noise", [fresh_noise, coarse])
def test_fresh_noise_passes_however_coarse(reference, maker, noise):
    found = rng.check(Draws(reference, noise), reference.claim, maker)
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert found.figures["global_generators"] == "untouched"
    assert "new processes were not compared" in found.summary


@pytest.mark.parametrize(
    ("kind", "noise", "how"),
    [(Draws, lambda: np.random.default_rng(0).laplace(size=WIDTH), "two new instances"),
     (Draws, lambda: np.random.laplace(size=WIDTH), "one fixed global seed"),
     (Draws, lambda: np.array([random.gauss(0, 1) for _ in range(WIDTH)]), "one fixed global seed"),
     (Draws, lambda: np.append(np.random.laplace(size=WIDTH - 1), secrets.randbits(60)), "one fixed global seed"),
     (Instances, fresh_noise, "one instance twice")],
)  # fmt: skip
def test_noise_that_repeats_is_found(reference, maker, kind, noise, how):
    found = rng.check(kind(reference, noise), reference.claim, maker)
    assert (found.status, found.location.file) == ("fail", "plan.json")
    assert how in found.reason
    assert found.figures["compared"][-1] == how


def test_the_global_generators_are_put_back_and_their_use_is_said(reference, maker):
    random.seed(5)
    np.random.seed(5)
    before = (random.getstate(), np.random.get_state()[1].tolist())
    rng.check(Draws(reference, fresh_noise), reference.claim, maker)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before
    shuffles = Draws(reference, lambda: fresh_noise() + 0 * random.random())
    found = rng.check(shuffles, reference.claim, maker)
    assert (found.status, found.figures["global_generators"]) == ("pass", "used")


def test_a_subject_that_refuses_a_second_release_is_not_accused(reference, maker):
    class Strict(Draws):
        def fresh(self):
            return Single(self.claim, self._noise)

    class Single:
        def __init__(self, claim, noise):
            self.claim, self._noise = claim, noise

        def release(self, records):
            noise, self._noise = self._noise(), None
            return plan(40 + noise)

    assert rng.check(Strict(reference, fresh_noise), reference.claim, maker).status == "pass"


@pytest.mark.parametrize(
    ("outputs", "status"),
    [([plan([1.0, 2.0])] * 4, "fail"), ([plan([1.0, 2.0])] * 3 + [plan([1.5, 2.0])], "pass"),
     ([plan([1.0, 2.0]), None], "pass")],
)  # fmt: skip
def test_processes_that_cannot_tell_each_other_apart_must_differ(reference, maker, outputs, status):
    left = [Conduct((Outcome(output),)) for output in outputs]
    contact = left.pop(0)
    found = rng.check(Draws(reference, fresh_noise), reference.claim, maker, lambda _: left.pop(0), contact)
    assert found.status == status
    assert found.status == "pass" or "same clock" in found.reason


def test_equal_processes_tell_nothing_where_ordinary_releases_are_often_equal(reference, maker):
    same = Conduct((Outcome(plan([1.0, 2.0])),))
    assert rng.check(Draws(reference, coarse), reference.claim, maker, lambda _: same, same).status == "pass"


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"seed": 17}, "fail"), ({"noise": {"random_state": "12345"}}, "fail"), ({"rng_seed": "9f3c00aa51"}, "fail"),
     ({"seedling": 17}, "pass"), ({"seed": "none"}, "pass"), ({"display": {"mass_dp": 1}}, "pass")],
)  # fmt: skip
def test_a_field_named_like_a_seed_is_found_by_its_name(reference, maker, fields, status):
    assert rng.check(Draws(reference, fresh_noise, lambda: fields), reference.claim, maker).status == status


class Seeded(Draws):
    """Its releases may be repeated; of a seed it uses some bytes."""

    used = 32

    def release_seeded(self, records, seed):
        return plan(np.random.default_rng([*seed[: self.used]]).laplace(size=WIDTH))


@pytest.mark.parametrize("used", [32, 4])
def test_how_many_bytes_of_a_seed_matter_is_counted(reference, maker, used):
    subject = Seeded(reference, fresh_noise)
    subject.used = used
    assert rng.check(subject, reference.claim, maker).figures["seed_bytes"] == f"{used} of 32"


def test_what_release_seeded_raises_is_the_subjects_error(reference, maker):
    subject = Seeded(reference, fresh_noise)
    subject.used = None
    subject.release_seeded = lambda records, seed: int("no number")
    with pytest.raises(SubjectError, match="release_seeded raised ValueError"):
        rng.check(subject, reference.claim, maker)


def test_blocks_count_as_repeated_only_if_each_is_equal_and_no_two_are():
    assert rng.in_blocks(iter([(1, 1), (2, 2), (3, 3)]))
    assert not rng.in_blocks(iter([(1, 1), (2, 2), (1, 1)]))
    assert not rng.in_blocks(iter([(1, 1), (2, 3)]))


def test_the_stated_chance_of_blocks_is_that_of_one_pairing_in_all():
    """Of all pairings of 2k distinct values that come twice each, one pairs equal values: 1 in (2k-1)!!."""

    def pairings(items):
        if not items:
            return [[]]
        first, *rest = items
        return [[(first, other), *more] for at, other in enumerate(rest)
                for more in pairings(rest[:at] + rest[at + 1 :])]  # fmt: skip

    every = pairings([1, 1, 2, 2, 3, 3])
    assert len(every) == 5 * 3
    assert sum(rng.in_blocks(iter(pairing)) for pairing in every) == 1
    assert np.prod(np.arange(1, 2 * rng.BLOCKS, 2)) == 2_027_025
