"""Certificates: a noise scale with all that a stranger needs to check it by `python certcheck.py FILE`.

    {schema, mechanism, adjacency, mass_bound, delta_squared, epsilon, delta, sigma_hex | scale, delta_lo, delta_hi,
     bits, predecessor: {sigma_hex, delta_lo} | null, theorem, checker_sha256, second_opinions: [{tool, version,
     epsilon}], seal}

Numbers are rationals in lowest terms.  Only one certificate of a claim and its noise exists, apart from the opinions of
others, for which it vouches no further than that they were not altered: seal is the digest of all the rest.
delta_squared is the square of the sensitivity in the norm of the mechanism, l2 for Gaussian and l1 for Laplace noise.
delta_lo and delta_hi are neighbours on the grid of 2^-bits, the coarsest that tells sigma and the float below it from
the claim.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from dpspin import canonical
from dpspin.accounting.certified import Ends, Least, enclose, least
from dpspin.adjacency import Adjacency, Sensitivity, sensitivity
from dpspin.enclosure import MOST_BITS
from dpspin.errors import UsageError

SCHEMA = "dpspin-certificate/1"
THEOREMS = {"gaussian": "Balle and Wang 2018, Theorem 8", "laplace": "Laplace noise loses at most Delta_1 / b"}
ATOMS = 2
"""A universe of more than one atom: what one unit can move is largest there."""

Additive = Literal["gaussian", "laplace"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A loss that additive noise is to keep to, in units of mass."""

    mechanism: Additive
    adjacency: Adjacency
    mass_bound: Fraction
    """B, the most mass of one unit."""
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        """Refuse what is no claim at all."""
        if self.mass_bound <= 0:
            raise UsageError("mass-bound", f"{short(self.mass_bound)} is not positive", "write the mass of one unit")
        if self.epsilon < 0:
            raise UsageError("epsilon", f"{short(self.epsilon)} is negative", "write a positive number")
        if not 0 <= self.delta < 1:
            raise UsageError("delta", f"{short(self.delta)} is not from 0 to below 1", "write such as 1e-6")

    @property
    def moved(self) -> Sensitivity:
        """How far a unit moves the sketch of two atoms or more."""
        return sensitivity(self.adjacency, self.mass_bound, ATOMS)


def short(value: Fraction) -> str:
    """A number for a message."""
    text = str(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def certify(claim: Claim, checker_sha256: str, opinions: tuple[dict[str, str], ...] = ()) -> bytes:
    """The certificate of the least noise that meets a claim, as canonical JSON.

    Args:
        claim: what is to be met.
        checker_sha256: digest of the checker that will read it.
        opinions: what other tools say of the same noise, {tool, version, epsilon}.

    Raises:
        UsageError: when the noise leaves binary64, or a decision would take more than MOST_BITS bits.
    """
    moved = claim.moved
    tree: dict[str, object] = {
        "schema": SCHEMA, "mechanism": claim.mechanism, "adjacency": claim.adjacency, "mass_bound": claim.mass_bound,
        "epsilon": claim.epsilon, "delta": claim.delta, "theorem": THEOREMS[claim.mechanism],
        "checker_sha256": checker_sha256, "second_opinions": list(opinions),
    }  # fmt: skip
    tree |= _gaussian(claim, moved.l2_squared) if claim.mechanism == "gaussian" else _laplace(claim, moved.l1)
    return canonical.dumps(tree | {"seal": canonical.digest(canonical.dumps(tree))})


def _laplace(claim: Claim, l1: Fraction) -> dict[str, object]:
    """b = Delta_1 / eps, exact."""
    if claim.delta != 0:
        raise UsageError("delta", f"{short(claim.delta)} is not spent by Laplace noise", "write 0")
    if claim.epsilon == 0:
        raise UsageError("epsilon", "no Laplace noise has loss 0", "write a positive number")
    pure: dict[str, object] = {"delta_lo": "0", "delta_hi": "0", "bits": 0, "predecessor": None}
    return pure | {"delta_squared": l1**2, "scale": l1 / claim.epsilon}


def _gaussian(claim: Claim, l2_squared: Fraction) -> dict[str, object]:
    if claim.delta == 0:
        raise UsageError("delta", "no Gaussian noise has delta 0", "write such as 1e-6, or use laplace")
    found = least(claim.epsilon, claim.delta, l2_squared)
    bits, found = settled(claim, found, l2_squared)
    low, failing = (floor(ends.low * 2**bits) for ends in (found.delta, found.failing))
    grid = Fraction(1, 2**bits)
    return {
        "delta_squared": l2_squared, "sigma_hex": found.sigma.hex(), "bits": bits,
        "delta_lo": low * grid, "delta_hi": (low + 1) * grid,
        "predecessor": {"sigma_hex": found.below.hex(), "delta_lo": failing * grid},
    }  # fmt: skip


def settled(claim: Claim, found: Least, l2_squared: Fraction) -> tuple[int, Least]:
    """The least bits whose grid tells both floats from the claim, and enclosures that lie between two grid points."""
    extra = 64
    while True:
        bits = _coarsest(claim.delta, found)
        if all(ends.high * 2**bits <= floor(ends.low * 2**bits) + 1 for ends in (found.delta, found.failing)):
            return bits, found
        extra *= 2
        found = found._replace(
            delta=_narrow(claim, l2_squared / Fraction(found.sigma) ** 2, extra),
            failing=_narrow(claim, l2_squared / Fraction(found.below) ** 2, extra),
        )


def _narrow(claim: Claim, ratio: Fraction, extra: int) -> Ends:
    return enclose(claim.epsilon, ratio, lambda ends: (ends.high - ends.low) * 2**extra < claim.delta, claim.delta)


def _coarsest(delta: Fraction, found: Least) -> int:
    """Finer grids tell whatever a coarser one tells, so that bisection finds the coarsest."""

    def tells(bits: int) -> bool:
        grid = 1 << bits
        return ceil(found.delta.high * grid) <= delta * grid < floor(found.failing.low * grid)

    return bisect_left(range(MOST_BITS), True, key=tells)
