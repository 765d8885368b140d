"""Whether a known number seeds the noise: one that stands in the bundle, or one of the first that anybody would try.

A hit is certain: two releases agree with their seeds in every mass that both show, to NEAR.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from dpspin.errors import UsageError
from dpspin_audits.bundle import Files, released_masses
from dpspin_audits.checks.leaves import leaves
from dpspin_audits.subject import Records, Seedable

Floats = npt.NDArray[np.float64]
NEAR = 2.0**-16
"""Masses minus noise that agree to this (units of mass) are the same."""
TRIED = 2048
"""Seeds that are guessed, from 0, for each generator; the other seeds of 32 bits are left out."""
SEED_BYTES = 32
FEWEST = 2
"""Masses of a release that must agree with a guessed seed."""


def published(first: Files, second: Files, width: int, scale: float) -> str | None:
    """The path of a number that seeds the noise of both releases, or None.

    Args:
        first: a release.
        second: another release of the same corpus.
        width: number of atoms.
        scale: of the noise, in units of mass.
    """
    one, two = leaves(first), leaves(second)
    masses = [_masses(bundle) for bundle in (first, second)]
    common = sorted(set(masses[0]) & set(masses[1]))
    changing = [path for path in sorted(one) if one[path] != two.get(path, one[path])]
    seeds = [(path, int(one[path]), int(two[path])) for path in changing if _is_seed(one[path]) and _is_seed(two[path])]
    for (path, seed, other), noise in product(seeds if common and scale > 0 else (), GENERATORS):
        left, right = (noise(value, width) * scale for value in (seed, other))
        if all(abs(masses[0][atom] - left[atom] - masses[1][atom] + right[atom]) < NEAR for atom in common):
            return str(path)
    return None


def guessed(bundles: Sequence[Files], exact: Sequence[float], scale: float) -> tuple[int, ...] | None:
    """For each release a seed below TRIED that gives its noise, by one generator for all; None where there is none.

    Args:
        bundles: releases of one corpus.
        exact: its exact masses, float[m], in units of mass.
        scale: of the noise, in units of mass.
    """
    released = [_masses(bundle) for bundle in bundles]
    strange = any(not 0 <= atom < len(exact) for masses in released for atom in masses)
    if scale <= 0 or strange or min(map(len, released)) < FEWEST:
        return None
    atoms = [np.array(list(masses), np.int64) for masses in released]
    noises = [np.array([mass - exact[atom] for atom, mass in masses.items()]) / scale for masses in released]
    for drawn in _first(len(exact)):
        hits = [
            np.flatnonzero((np.abs(drawn[:, at] - noise) * scale < NEAR).all(axis=1))
            for at, noise in zip(atoms, noises, strict=True)
        ]
        if all(hit.size for hit in hits):
            return tuple(int(hit[0]) for hit in hits)
    return None


@lru_cache(maxsize=4)
def _first(width: int) -> tuple[Floats, ...]:
    """Noise of the first seeds by each generator: float64[TRIED, width]."""
    return tuple(np.array([generator(seed, width) for seed in range(TRIED)]) for generator in GENERATORS)


def used(subject: Seedable, records: Records) -> int:
    """How many of the 32 bytes of a seed change the noise of a seeded release; few can be tried one after another."""
    whole = bytes(SEED_BYTES)
    changed = (whole[:at] + b"\x01" + whole[at + 1 :] for at in range(SEED_BYTES))
    first = noise_of(subject.release_seeded(records, whole))
    return sum(noise_of(subject.release_seeded(records, seed)) != first for seed in changed)


def noise_of(bundle: Files) -> object:
    """What must differ between releases: released masses, or the plan's bytes where they cannot be read."""
    try:
        return tuple(released_masses(bundle).items())
    except UsageError:
        return bundle.get("plan.json")


def _is_seed(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 39


def _masses(bundle: Mapping[str, bytes]) -> dict[int, float]:
    try:
        return {atom: float(mass) for atom, mass in released_masses(bundle).items()}
    except UsageError:
        return {}


def _python(seed: int, width: int) -> Floats:
    generator = random.Random(seed)  # noqa: S311 - replays another program's noise
    return np.array([generator.expovariate(1) - generator.expovariate(1) for _ in range(width)])


def _python_gaussian(seed: int, width: int) -> Floats:
    generator = random.Random(seed)  # noqa: S311 - replays another program's noise
    return np.array([generator.gauss(0, 1) for _ in range(width)])


GENERATORS: tuple[Callable[[int, int], Floats], ...] = (
    lambda seed, width: np.random.default_rng(seed).laplace(size=width),
    lambda seed, width: np.random.RandomState(seed % 2**32).laplace(size=width),
    _python,
    lambda seed, width: np.random.default_rng(seed).normal(size=width),
    lambda seed, width: np.random.RandomState(seed % 2**32).normal(size=width),
    _python_gaussian,
)
"""Standard Laplace and Gaussian noise as common programs draw it from a seed."""
