"""Noise that repeats, or can be replayed, is found."""

import random
from fractions import Fraction

import numpy as np
import pytest

from dpspin import canonical
from dpspin_audits.checks import rng


def plan(masses, **fields):
    rows = [{"index": atom, "noisy_mass": str(Fraction(float(mass)))} for atom, mass in enumerate(masses)]
    return {"plan.json": canonical.dumps({"released": rows, **fields})}


class Draws:
    """Eight atoms of mass 40 and noise from a function."""

    def __init__(self, reference, noise, fields=dict):
        self.claim, self._noise, self._fields = reference.claim, noise, fields

    def fresh(self):
        return self

    def release(self, records):
        return plan(40 + self._noise(), **self._fields())


def check(subject, elsewhere=None):
    return rng.check(subject, subject.claim, [], 8, elsewhere)


def fresh_noise():
    return np.random.default_rng().laplace(size=8)


def test_fresh_noise_passes(reference):
    found = check(Draws(reference, fresh_noise))
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert "new processes were not compared" in found.summary


@pytest.mark.parametrize(
    ("noise", "how"),
    [(lambda: np.random.default_rng(0).laplace(size=8), "two new instances"),
     (lambda: np.random.laplace(size=8), "one fixed global seed"),
     (lambda: np.array([random.gauss(0, 1) for _ in range(8)]), "one fixed global seed")],
)  # fmt: skip
def test_noise_that_repeats_is_found(reference, noise, how):
    found = check(Draws(reference, noise))
    assert found.status == "fail"
    assert how in found.reason


def test_the_global_generators_are_put_back(reference):
    random.seed(5)
    np.random.seed(5)
    before = (random.getstate(), np.random.get_state()[1].tolist())
    check(Draws(reference, fresh_noise))
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before


def test_equal_releases_of_new_processes_are_found(reference):
    same = plan([1.0, 2.0])
    assert "two new processes" in check(Draws(reference, fresh_noise), lambda _: (same, same)).reason
    assert check(Draws(reference, fresh_noise), lambda _: (same, plan([1.5, 2.0]))).status == "pass"


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"seed": 17}, "fail"), ({"noise": {"random_state": "12345"}}, "fail"), ({"rng_seed": "9f3c00aa51"}, "fail"),
     ({"seedling": 17}, "pass"), ({"seed": "none"}, "pass"), ({"display": {"mass_dp": 1}}, "pass")],
)  # fmt: skip
def test_a_field_named_like_a_seed_is_found_by_its_name(reference, fields, status):
    assert check(Draws(reference, fresh_noise, lambda: fields)).status == status


@pytest.mark.parametrize(
    "law",
    [lambda seed: np.random.default_rng(seed).laplace(size=8), lambda seed: np.random.RandomState(seed).laplace(size=8),
     lambda seed: rng.GENERATORS[2](seed, 8)],
)  # fmt: skip
def test_a_number_that_replays_the_noise_is_found_under_any_name(law):
    releases = [plan(40 + law(seed), run=seed, other=seed + 1) for seed in (81, 4242)]
    assert rng.replay(*releases, 8, 1.0) == "plan.json: run"
    assert rng.replay(releases[0], plan(40 + law(4243), run=4242), 8, 1.0) is None
    assert rng.replay(*releases, 8, 2.0) is None
