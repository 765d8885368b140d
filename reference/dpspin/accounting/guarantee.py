"""Guarantees as plain (epsilon, delta): when two may be compared, what several cost together, what k records cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal, Protocol

from dpspin.accounting.conversion import LARGEST_EXPONENT
from dpspin.adjacency import Adjacency, Unit
from dpspin.decimals import exact
from dpspin.enclosure import exp_neg
from dpspin.errors import UsageError

Order = Literal["stronger", "equal", "weaker"]
SMALLEST_EXPONENT = Fraction(1, 2**64)
"""Below it e^eps - 1 is not computed: the sum of k powers of e^eps is bounded by k times the largest."""


class Protecting(Protocol):
    """Anything that protects one unit under one adjacency."""

    @property
    def unit(self) -> Unit:
        """What is protected."""

    @property
    def adjacency(self) -> Adjacency:
        """Which corpora are compared."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """(epsilon, delta)-indistinguishability, of one unit under one adjacency."""

    epsilon: Fraction
    delta: Fraction
    unit: Unit
    adjacency: Adjacency


def agreed(protecting: Sequence[Protecting]) -> tuple[Unit, Adjacency]:
    """The unit and the adjacency that several have in common.

    Raises:
        UsageError: naming the two that protect different things.
    """
    first, *rest = protecting
    for other in rest:
        for name, one, two in (("unit", first.unit, other.unit), ("adjacency", first.adjacency, other.adjacency)):
            if one != two:
                raise UsageError(
                    name, f"{one} and {two} are different promises", f"compare and compose under one {name}"
                )
    return first.unit, first.adjacency


def order(one: Guarantee, other: Guarantee) -> Order:
    """Whether the first promises more than the second at the same delta.

    Raises:
        UsageError: where unit, adjacency or delta differ: such pairs are not numbers on one scale.
    """
    agreed((one, other))
    if one.delta != other.delta:
        raise UsageError(
            "delta",
            f"{exact(one.delta)} and {exact(other.delta)} are different, and epsilons at two deltas have no order",
            "read both curves at one delta (dpspin account curve)",
        )
    if one.epsilon == other.epsilon:
        return "equal"
    return "stronger" if one.epsilon < other.epsilon else "weaker"


def total(guarantees: Sequence[Guarantee]) -> Guarantee:
    """What releases cost together, the later ones chosen in view of the earlier: sums, exact (what the ledger adds).

    Basic composition (Dwork and Roth 2014, theorem 3.16; its proof covers adaptive choices).

    Raises:
        UsageError: where they protect different things.
    """
    unit, adjacency = agreed(guarantees)
    epsilon = sum((each.epsilon for each in guarantees), Fraction(0))
    delta = min(sum((each.delta for each in guarantees), Fraction(0)), Fraction(1))
    return Guarantee(epsilon, delta, unit, adjacency)


def group(guarantee: Guarantee, records: int) -> Guarantee:
    """What holds for k units together: (k eps, delta (e^(k eps) - 1) / (e^eps - 1)), delta rounded up.

    Group privacy (Dwork and Roth 2014, theorem 2.2 and Vadhan 2017, lemma 2.2).  Noise that is known by its mechanism
    has a sharper answer: k units move a sketch as one unit of k times the mass does (`curve.of_deployment`).

    Raises:
        UsageError: for less than one record.
    """
    if records < 1:
        raise UsageError("records", f"{records} is not a number of records", "write 1 or more")
    epsilon = records * guarantee.epsilon
    return Guarantee(epsilon, _more(guarantee.epsilon, records, guarantee.delta), guarantee.unit, guarantee.adjacency)


def _more(epsilon: Fraction, records: int, delta: Fraction) -> Fraction:
    """delta (1 + e^eps + ... + e^((k - 1) eps)), the sum rounded up to a millionth; at most 1."""
    if delta == 0 or records == 1:
        return delta
    if records * epsilon > LARGEST_EXPONENT:
        return Fraction(1)
    if epsilon < SMALLEST_EXPONENT:
        factor = records * _growth((records - 1) * epsilon)[1]
    else:
        factor = (_growth(records * epsilon)[1] - 1) / (_growth(epsilon)[0] - 1)
    return min(Fraction(ceil(factor * 10**6), 10**6) * delta, Fraction(1))


def _growth(x: Fraction) -> tuple[Fraction, Fraction]:
    """Enclose e^x to 2^-128."""
    p = 2 * int(x) + 192
    low, high = exp_neg(x, p)
    return Fraction(1 << p, high), Fraction(1 << p, low)
