"""Seeds that are known, or tried first, are told from noise that nobody can repeat."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin import canonical
from dpspin_audits.checks import seeds

WIDTH = 8
EXACT = [30.0, 30.0, *[0.0] * 6]
LAWS = [
    lambda seed: np.random.default_rng(seed).laplace(size=WIDTH),
    lambda seed: np.random.RandomState(seed).laplace(size=WIDTH),
    lambda seed: np.random.default_rng(seed).normal(size=WIDTH),
    lambda seed: seeds.GENERATORS[2](seed, WIDTH),
]


def plan(masses, **fields):
    rows = [{"index": atom, "noisy_mass": str(Fraction(float(mass)))} for atom, mass in enumerate(masses)]
    return {"plan.json": canonical.dumps({"released": rows, **fields})}


@pytest.mark.parametrize("law", LAWS)
def test_a_number_that_replays_the_noise_is_found_under_any_name(law):
    releases = [plan(40 + law(seed), run=seed, other=seed + 1) for seed in (81, 4242)]
    assert seeds.published(*releases, WIDTH, 1.0) == "plan.json: run"
    assert seeds.published(releases[0], plan(40 + law(4243), run=4242), WIDTH, 1.0) is None
    assert seeds.published(*releases, WIDTH, 2.0) is None


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_small_seeds_are_guessed_although_they_are_not_published(law, scale):
    releases = [plan(np.add(EXACT, scale * law(seed))) for seed in (7, 2047)]
    assert seeds.guessed(releases, EXACT, scale) == (7, 2047)
    assert seeds.guessed(releases, EXACT, scale * 1.01) is None


def test_seeds_beyond_those_tried_and_fresh_noise_are_not_guessed():
    assert seeds.guessed([plan(np.add(EXACT, LAWS[0](seed))) for seed in (7, seeds.TRIED)], EXACT, 1.0) is None
    generator = np.random.default_rng(1)
    assert seeds.guessed([plan(np.add(EXACT, generator.laplace(size=WIDTH))) for _ in "ab"], EXACT, 1.0) is None


@pytest.mark.parametrize("bundle", [{}, {"plan.json": b"{}"}, plan([30.5]), plan([30.0] * 9)])
def test_what_shows_too_little_to_tell_is_no_hit(bundle):
    assert seeds.guessed([bundle, bundle], EXACT, 1.0) is None
    assert seeds.published(bundle, bundle, WIDTH, 1.0) is None


def test_without_a_known_scale_nothing_is_guessed():
    release = plan(np.add(EXACT, LAWS[0](7)))
    assert seeds.guessed([release, release], EXACT, 0.0) is None
