"""rng: whether the noise can be predicted, repeated or subtracted.

Two releases of one corpus must differ: from new instances, from one instance twice, under fixed seeds of Python's and
numpy's global generators, and from new processes.  No number in the bundle may be the seed of the noise: every number
that changes between releases is tried as one, and so is every field that is named like one.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np

from dpspin.errors import UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.checks.canary import release
from dpspin_audits.checks.check import Check, Location
from dpspin_audits.checks.leaves import leaves
from dpspin_audits.subject import BlackBox, Claim, Records

ID = "rng"
SEED_NAME = re.compile(r"(^|[^a-z])(seed|random_?state|rng|entropy)([^a-z]|$)", re.IGNORECASE)
SEED_VALUE = re.compile(r"[0-9]{1,40}|(0x)?[0-9a-f]{8,128}", re.IGNORECASE)
NEAR = 2.0**-16
"""Masses minus noise that agree to this (units of mass) are the same."""
REMEDY = "draw every release's noise from the operating system's cryptographic generator, and publish no seed"

Bundle = Mapping[str, bytes]
Elsewhere = Callable[[Records], tuple[Bundle, Bundle]]
"""Two releases of one corpus, each from a new process."""


def check(subject: BlackBox, claim: Claim, records: Records, width: int, elsewhere: Elsewhere | None) -> Check:
    """The verdict.

    Args:
        subject: the implementation.
        claim: its scale is used to replay noise.
        records: a corpus some atoms of which are always admitted.
        width: number of atoms.
        elsewhere: None where releases from new processes cannot be had.

    Raises:
        SubjectError: when a release raises.
    """
    pairs = dict(_pairs(subject, records))
    if elsewhere is not None:
        pairs["two new processes"] = elsewhere(records)
    figures = {"compared": sorted(pairs)}
    for how, bundles in pairs.items():
        if _noise_of(bundles[0]) == _noise_of(bundles[1]):
            return _fail(figures, f"releases from {how} are equal", "plan.json")
    first, second = pairs["two new instances"]
    named = next(_named(first), None)
    if named is not None:
        return _fail(figures, f"{named!a} is a published seed by its name", named.partition(":")[0])
    replayed = replay(first, second, width, float(claim.scale or 0))
    if replayed is not None and replayed == replay(first, release(subject, records), width, float(claim.scale or 0)):
        return _fail(figures, f"{replayed!a} is the seed of the noise", replayed.partition(":")[0])
    where = "" if elsewhere else "; new processes were not compared"
    return Check(
        ID, "pass", "exact_on_hit", f"Releases differ and no number in them repeats their noise{where}.", figures
    )


def _fail(figures: Mapping[str, object], seen: str, file: str) -> Check:
    return Check(ID, "fail", "exact_on_hit", "The noise can be repeated.", figures, seen, REMEDY, Location(file))


def _pairs(subject: BlackBox, records: Records) -> Iterator[tuple[str, tuple[Bundle, Bundle]]]:
    yield "two new instances", (release(subject, records), release(subject, records))
    yield "one fixed global seed", (_reseeded(subject, records), _reseeded(subject, records))


def _reseeded(subject: BlackBox, records: Records) -> Bundle:
    """A release with the global generators at a fixed state, which is put back afterwards."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    try:
        random.seed(20260101)
        np.random.seed(20260101)
        return release(subject, records)
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)


def _noise_of(bundle: Bundle) -> object:
    """What must differ: released masses, or the plan's bytes where they cannot be read."""
    try:
        return released_masses(bundle)
    except UsageError:
        return bundle.get("plan.json")


def _named(bundle: Bundle) -> Iterator[str]:
    for path, value in sorted(leaves(bundle).items()):
        if SEED_NAME.search(path.partition(": ")[2].rpartition(".")[2]) and SEED_VALUE.fullmatch(value):
            yield path


def replay(first: Bundle, second: Bundle, width: int, scale: float) -> str | None:
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


def _is_seed(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 39


def _masses(bundle: Bundle) -> dict[int, float]:
    try:
        return {atom: float(mass) for atom, mass in released_masses(bundle).items()}
    except UsageError:
        return {}


def _python(seed: int, width: int) -> np.ndarray:
    generator = random.Random(seed)  # noqa: S311 - replays another program's noise
    return np.array([generator.expovariate(1) - generator.expovariate(1) for _ in range(width)])


def _python_gaussian(seed: int, width: int) -> np.ndarray:
    generator = random.Random(seed)  # noqa: S311 - replays another program's noise
    return np.array([generator.gauss(0, 1) for _ in range(width)])


GENERATORS: tuple[Callable[[int, int], np.ndarray], ...] = (
    lambda seed, width: np.random.default_rng(seed).laplace(size=width),
    lambda seed, width: np.random.RandomState(seed % 2**32).laplace(size=width),
    _python,
    lambda seed, width: np.random.default_rng(seed).normal(size=width),
    lambda seed, width: np.random.RandomState(seed % 2**32).normal(size=width),
    _python_gaussian,
)
"""Standard Laplace and Gaussian noise as common programs draw it from a seed."""
