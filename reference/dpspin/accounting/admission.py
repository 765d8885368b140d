"""What L rounds of peeling cost in (epsilon, delta), alone and with noisy values, by a closed form with a proof.

The profile of admission is Psi (`profile`); values with the privacy loss g make it E_g Psi(epsilon - g).  Both bound
the loss from above.  They hold for one exponent in all rounds, atoms that are admitted once, and contributions of a
unit that do not depend on what was admitted before; docs/accounting.md, "Admission by peeling", has the proofs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, expm1, log, log2

from dpspin.accounting.certified import Ends
from dpspin.accounting.interval import Interval, whole
from dpspin.accounting.profile import Masses, at, terms
from dpspin.accounting.search import falling_root, least_decimal, refuse_certain
from dpspin.accounting.value_loss import GaussianLoss, ValueLoss
from dpspin.adjacency import Adjacency
from dpspin.enclosure import MOST_BITS
from dpspin.errors import UsageError

GUARD = 64
"""Bits beyond those that the size of delta and of the summands takes."""
MOST_ROUNDS = 256
"""With values, where 4 L summands of 4 L bits are added.  Admission alone has no such limit."""
LEAST_SOUGHT = Fraction(1, 10**40)
SMALLEST = 60
"""Beyond -log2 a, the size of 1 - e^-a is not asked of binary64."""


@dataclass(frozen=True, slots=True)
class Admission:
    """L rounds of peeling, and the loss of the values that follow."""

    adjacency: Adjacency
    rounds: int
    """L, below m; 0 where every atom is admitted and only the values tell their order."""
    per_round: Fraction
    """a = eta B, positive."""
    values: ValueLoss | None = None
    """None for admission alone."""

    def __post_init__(self) -> None:
        """Refuse what is no admission."""
        if self.rounds < 0 or self.per_round <= 0:
            raise UsageError("admission", "rounds or exponent are not positive", "write L >= 0 and eta B > 0")

    @property
    def directions(self) -> tuple[Masses, ...]:
        """Drop and add; replacement is its own reverse."""
        a, none = self.per_round, Fraction(0)
        return (Masses(a, a),) if self.adjacency == "replacement" else (Masses(none, a), Masses(a, none))


def units(admission: Admission, epsilon: Fraction, bits: int) -> Interval:
    """Enclose the closed form at a loss, the larger of its directions; wide where the bits are too few."""
    found = [_direction(admission, masses, epsilon, bits) for masses in admission.directions]
    low, high = max(one.low for one in found), max(one.high for one in found)
    return Interval(max(low, 0), max(min(high, 1 << bits), 0), bits)


def _direction(admission: Admission, masses: Masses, epsilon: Fraction, bits: int) -> Interval:
    if admission.values is None:
        return at(masses, admission.rounds, epsilon, bits)
    total = whole(0, bits)
    for term in terms(masses, admission.rounds, bits):
        within = term.low, term.high
        total += term.coefficient * admission.values.mean(term.slope, term.offset, within, epsilon, bits)
    return total


def enclose(admission: Admission, epsilon: Fraction, enough: Callable[[Ends], bool], claim: Fraction) -> Ends:
    """The closed form at a loss between ends that are enough; more bits are taken until they are.

    Args:
        admission: what is released.
        epsilon: at least 0.
        enough: what the caller asks of the ends.
        claim: the size of delta that is expected; it sets the first precision only.

    Raises:
        UsageError: when MOST_BITS bits are too few: for losses of thousands, or a delta below 1e-1000.
    """
    bits = _first_bits(admission, epsilon, claim)
    while bits <= MOST_BITS:
        found = units(admission, epsilon, bits)
        ends = Ends(Fraction(found.low, 1 << bits), Fraction(found.high, 1 << bits))
        if enough(ends):
            return ends
        bits *= 2
    raise _undecided()


def _undecided() -> UsageError:
    return UsageError(
        "epsilon, delta", f"{MOST_BITS} bits do not decide the cost of admission", "claim less extreme numbers"
    )


def _first_bits(admission: Admission, epsilon: Fraction, claim: Fraction) -> int:
    """Coefficients are at most 2^n / (1 - e^-a)^L, and no mean exceeds e^(eps + a); alone, nothing exceeds 1.

    Raises:
        UsageError: before anything is computed with more than MOST_BITS bits, and for a claim of 0.
    """
    if claim <= 0:
        raise UsageError("delta", "is not positive", "ask for the pure loss")
    a = admission.per_round
    shrink = a.denominator.bit_length() - a.numerator.bit_length() + 1  # 1 - e^-a > 2^-(shrink + 1) for a < 1
    bits = ceil(1 / claim).bit_length() + 2 * max(shrink, 0) + GUARD
    if admission.values is not None:
        if admission.rounds > MOST_ROUNDS:
            raise UsageError("admission", f"{admission.rounds} rounds with values", f"ask for at most {MOST_ROUNDS}")
        each = 1 - log2(-expm1(-float(min(a, Fraction(GUARD))))) if shrink < SMALLEST else shrink + 2
        largest = min(epsilon, Fraction(MOST_BITS)) + min(a, Fraction(1))
        bits += ceil(each * (admission.rounds + 1) + Fraction(3, 2) * largest)
    if bits > MOST_BITS:
        raise _undecided()
    return bits


def told(admission: Admission, epsilon: Fraction, claim: Fraction) -> Ends:
    """The closed form between ends on one side of the claim: high <= claim, and then it holds, or claim < low."""
    return enclose(admission, epsilon, lambda ends: ends.high <= claim or claim < ends.low, claim)


@lru_cache(1024)
def delta(admission: Admission, epsilon: Fraction) -> Ends:
    """The closed form at a loss, to 12 digits: an upper bound on the true delta, so that `high` may be relied on."""
    return enclose(admission, epsilon, lambda ends: (ends.high - ends.low) * 10**12 <= ends.high, Fraction(1, 2**64))


def meets(admission: Admission, epsilon: Fraction, claim: Fraction) -> bool:
    """Whether the closed form certifies (epsilon, claim)."""
    return told(admission, epsilon, claim).high <= claim


@lru_cache(1024)
def epsilon(admission: Admission, claim: Fraction) -> Fraction:
    """The least loss at which the closed form certifies delta <= claim, of six digits rounded up.

    Args:
        admission: what is released.
        claim: delta, from above 0 to below 1.
    """
    refuse_certain(claim)
    if meets(admission, Fraction(0), claim):
        return Fraction(0)
    near = falling_root(lambda loss: log_ratio(admission, Fraction(loss), claim), _expected(admission, claim))
    return least_decimal(lambda loss: meets(admission, loss, claim), near)


def _expected(admission: Admission, claim: Fraction) -> float:
    """The loss at which a normal loss of about the same variance has this delta."""
    values = admission.values
    square = min(Fraction(admission.rounds, 4), Fraction(1)) * admission.per_round**2
    if values is not None:
        square += values.ratio if isinstance(values, GaussianLoss) else values.rate**2
    variance = float(min(square, Fraction(MOST_BITS)))
    likely = variance / 2 + (2 * variance * (log(claim.denominator) - log(claim.numerator))) ** 0.5
    most = max(masses.top(admission.rounds) for masses in admission.directions)
    return float(min(Fraction(likely), most)) if values is None else likely


def log_ratio(admission: Admission, loss: Fraction, claim: Fraction) -> float:
    """About ln(delta / claim), for a search.

    Raises:
        UsageError: for a claim below LEAST_SOUGHT with values, where each of a dozen steps would take a second.
    """
    if admission.values is not None and claim < LEAST_SOUGHT:
        raise UsageError("delta", "too small for a search with values", "claim at least 1e-40")
    bits = _first_bits(admission, loss, claim)
    found = units(admission, loss, bits)
    middle, size = max(found.low + found.high, 1), claim.numerator << bits + 1
    return log(middle) + log(claim.denominator) - log(size)
