"""Whether noise that somebody states keeps the loss that they claim, decided by enclosures.

Noise is independent and of one scale on every coordinate of a sketch of two atoms or more: real-valued, or discrete on
the integers, and then masses and scales count steps.  No continuous sigma stands for that of a discrete Gaussian.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from dpspin.accounting.certificate import ATOMS, Claim, short
from dpspin.accounting.certified import Ends, least, told
from dpspin.accounting.discrete_gaussian import discrete_delta
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace, coordinates_of
from dpspin.errors import UsageError

Word = Literal["holds", "violates", "holds outside the rule's range", "not decidable"]
Rule = Literal["", "analytic", "classical"]
WITHIN = "delta is certified to be at most the claim"
UNBOUNDED = "Gaussian noise has no pure loss"
EXCESS = "delta is certified to be more than the claim"


@dataclass(frozen=True, slots=True)
class Stated:
    """A scale, the claim for it, and the rule that is said to give it."""

    claim: Claim
    scale: Fraction
    """sigma or b, in units of mass, exact."""
    rule: Rule = ""
    discrete: bool = False
    """Whether the noise is discrete on the integers."""

    def __post_init__(self) -> None:
        """Refuse a scale that adds no noise, and a part of a step."""
        if self.discrete and self.claim.mass_bound.denominator > 1:
            raise UsageError(
                "mass_bound", f"{short(self.claim.mass_bound)} is not a number of steps", "count in steps of the noise"
            )
        if self.scale <= 0:
            raise UsageError("scale", f"{short(self.scale)} is not positive", "write the sigma or b of the noise")


class Verdict(NamedTuple):
    """What is known of a stated scale."""

    word: Word
    reason: str
    delta: Ends | None = None
    """The true delta at the claimed epsilon lies between these."""
    enough: Fraction | None = None
    """For a violation: a scale that is enough, the least float for Gaussian noise; None where none is known."""


def judge(stated: Stated) -> Verdict:
    """The verdict; never an error for a claim that can be written down.

    A violation is certified: delta.low exceeds the claimed delta.
    """
    try:
        found = _judged(stated)
    except UsageError as error:
        return Verdict("not decidable", error.problem)
    outside = stated.rule == "classical" and not 0 < stated.claim.epsilon < 1
    if found.word == "holds" and outside:
        return found._replace(
            word="holds outside the rule's range",
            reason="the rule says nothing for this epsilon; the scale was judged by itself",
        )
    return found


def _judged(stated: Stated) -> Verdict:
    if stated.claim.mechanism == "laplace":
        return _laplace(stated)
    return _discrete_gaussian(stated) if stated.discrete else _gaussian(stated)


def _discrete_gaussian(stated: Stated) -> Verdict:
    """By its own sum over one coordinate that moves by B: all there is for add/drop of one step, else a lower bound."""
    claim = stated.claim
    if claim.delta == 0:
        return Verdict("violates", UNBOUNDED)
    ends = discrete_delta(claim.epsilon, int(claim.mass_bound), stated.scale**2)
    if claim.delta < ends.low:
        return Verdict("violates", EXCESS, ends)
    if claim.moved.l1 > 1:
        return Verdict("not decidable", "one coordinate keeps the claim, and no bound for several is known", ends)
    return Verdict("holds", WITHIN, ends)


def _gaussian(stated: Stated) -> Verdict:
    claim = stated.claim
    ratio = claim.moved.l2_squared / stated.scale**2
    if claim.delta == 0:
        return Verdict("violates", UNBOUNDED)
    ends = told(claim.epsilon, ratio, claim.delta)
    if ends.high <= claim.delta:
        return Verdict("holds", WITHIN, ends)
    return Verdict("violates", EXCESS, ends, _least(claim))


def _least(claim: Claim) -> Fraction | None:
    """The least float that is enough; None where no float is, which takes nothing from a violation."""
    try:
        return Fraction(least(claim.epsilon, claim.delta, claim.moved.l2_squared).sigma)
    except UsageError:
        return None


def _laplace(stated: Stated) -> Verdict:
    """Pure where eps >= Delta_1 / b, and then delta is 0; below, delta is enclosed to hundreds of bits."""
    claim = stated.claim
    coordinates = coordinates_of(claim.adjacency, ATOMS)
    noise: RealLaplace | LatticeLaplace = RealLaplace(claim.moved.coordinate / stated.scale, coordinates)
    if stated.discrete:
        noise = LatticeLaplace(int(claim.mass_bound), stated.scale, coordinates)
    ends = noise.delta(claim.epsilon)
    if claim.epsilon >= noise.pure:
        return Verdict("holds", "epsilon is at least Delta_1 / b", ends)
    if claim.delta < ends.low:
        enough = claim.moved.l1 / claim.epsilon if claim.epsilon else None
        return Verdict("violates", EXCESS, ends, enough)
    if ends.high <= claim.delta:
        return Verdict("holds", WITHIN, ends)
    return Verdict("not decidable", "delta and the claim agree to hundreds of bits", ends)
