"""Whether noise that somebody states keeps the loss that they claim, decided by enclosures.

Noise is real-valued, independent and of one scale on every coordinate of a sketch of two atoms or more.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from dpspin.accounting.certificate import Claim, short
from dpspin.accounting.certified import Ends, least, told
from dpspin.enclosure import exp_neg
from dpspin.errors import UsageError

Word = Literal["holds", "violates", "holds outside the rule's range", "not decidable"]
Rule = Literal["", "analytic", "classical"]
BITS = 512
EXCESS = "delta is certified to be more than the claim"


@dataclass(frozen=True, slots=True)
class Stated:
    """A scale, the claim for it, and the rule that is said to give it."""

    claim: Claim
    scale: Fraction
    """sigma or b, in units of mass, exact."""
    rule: Rule = ""

    def __post_init__(self) -> None:
        """Refuse a scale that adds no noise."""
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
        found = _gaussian(stated) if stated.claim.mechanism == "gaussian" else _laplace(stated)
    except UsageError as error:
        return Verdict("not decidable", error.problem)
    outside = stated.rule == "classical" and not 0 < stated.claim.epsilon < 1
    if found.word == "holds" and outside:
        return found._replace(
            word="holds outside the rule's range",
            reason="the rule says nothing for this epsilon; the scale was judged by itself",
        )
    return found


def _gaussian(stated: Stated) -> Verdict:
    claim = stated.claim
    ratio = claim.moved.l2_squared / stated.scale**2
    if claim.delta == 0:
        return Verdict("violates", "Gaussian noise has no pure loss")
    ends = told(claim.epsilon, ratio, claim.delta)
    if ends.high <= claim.delta:
        return Verdict("holds", "delta is certified to be at most the claim", ends)
    return Verdict("violates", EXCESS, ends, _least(claim))


def _least(claim: Claim) -> Fraction | None:
    """The least float that is enough; None where no float is, which takes nothing from a violation."""
    try:
        return Fraction(least(claim.epsilon, claim.delta, claim.moved.l2_squared).sigma)
    except UsageError:
        return None


def _laplace(stated: Stated) -> Verdict:
    """Pure where eps >= Delta_1 / b, and then delta is 0.

    Else delta is at most that of one coordinate that moves by Delta_1, 1 - exp((eps - Delta_1 / b) / 2), and at least
    that of one coordinate that moves as far as one can.  Where Delta_1 takes two coordinates, it is also at least what
    the event of both beyond their shifts gives, (1 - exp(eps - Delta_1 / b)) / 4.
    """
    claim, moved = stated.claim, stated.claim.moved
    if claim.epsilon >= moved.l1 / stated.scale:
        return Verdict("holds", "epsilon is at least Delta_1 / b", Ends(Fraction(0), Fraction(0)))
    total, single = moved.l1 / stated.scale - claim.epsilon, moved.coordinate / stated.scale - claim.epsilon
    ends = Ends(max(_spent(single / 2)[0], _spent(total)[0] / 4), _spent(total / 2)[1])
    if claim.delta < ends.low:
        enough = moved.l1 / claim.epsilon if claim.epsilon else None
        return Verdict("violates", EXCESS, ends, enough)
    if ends.high <= claim.delta:
        return Verdict("holds", "delta is certified to be at most the claim", ends)
    return Verdict("not decidable", "the claimed delta lies between the bounds that are known", ends)


def _spent(x: Fraction) -> Ends:
    """1 - exp(-x), 0 for x <= 0."""
    if x <= 0:
        return Ends(Fraction(0), Fraction(0))
    low, high = exp_neg(x, BITS)
    return Ends(max(1 - Fraction(high, 1 << BITS), Fraction(0)), 1 - Fraction(low, 1 << BITS))
