"""The (epsilon, delta) profile of L rounds of peeling, Psi(x) with x = epsilon, as a closed form.

A round picks the next atom j with probability proportional to exp(eta C_j).  al and be are eta times the mass that
either corpus has beyond the common part, a = eta B or 0: add/drop leaves one of them, replacement both.  With
n = L + 1, top = al + L be and

    core(y; al, be) = (1 - e^(-y/n))^n / ((1 - e^-(al+be)) (1 - e^-be)^(L-1)):

    Psi(x) = core(top - x; al, be)                        al - be <= x <= top, and 0 beyond
    Psi(x) = 1 - e^x + e^x core(be + L al + x; be, al)    -(be + L al) <= x <= al - be, and 1 - e^x before

docs/accounting.md, "Admission by peeling", proves it (Theorem 3 there).
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import NamedTuple

from dpspin.accounting.interval import Interval, exponential, whole

ZERO, ONE = Fraction(0), Fraction(1)


class Masses(NamedTuple):
    """eta times the mass that each corpus has beyond the common part; the loss is of the first against the second."""

    own: Fraction
    """al, of the corpus whose outcome is weighed."""
    other: Fraction
    """be."""

    @property
    def swapped(self) -> "Masses":
        """The other way round."""
        return Masses(self.other, self.own)

    @property
    def turn(self) -> Fraction:
        """Where one branch of the profile ends and the other begins, al - be."""
        return self.own - self.other

    def top(self, rounds: int) -> Fraction:
        """The largest loss, al + L be; for no rounds there is none."""
        return self.own + rounds * self.other if rounds else ZERO


class Term(NamedTuple):
    """coefficient * exp(slope x + offset) where low < x <= high: one summand of a profile."""

    coefficient: Interval
    slope: Fraction
    offset: Fraction
    low: Fraction | None
    """None for minus infinity."""
    high: Fraction


def at(masses: Masses, rounds: int, x: Fraction, bits: int) -> Interval:
    """Psi(x), by its powers: nothing cancels."""
    one, nothing = whole(1, bits), whole(0, bits)
    if not rounds or (masses.own == 0 and x <= masses.turn):
        return one - exponential(x, bits) if x < 0 else nothing
    if x >= masses.top(rounds):
        return nothing
    if x > masses.turn:
        return _core(masses, rounds, masses.top(rounds) - x, bits)
    loss, below = exponential(x, bits), masses.swapped.top(rounds) + x
    return one - loss + (loss * _core(masses.swapped, rounds, below, bits) if below > 0 else nothing)


def _core(masses: Masses, rounds: int, y: Fraction, bits: int) -> Interval:
    """Every factor is at most 1: y / n <= be."""
    step = whole(1, bits) - exponential(-y / (rounds + 1), bits)
    both, single = _sizes(masses, bits)
    return (step * single).power(rounds - 1) * (step * both) * step


def _sizes(masses: Masses, bits: int) -> tuple[Interval, Interval]:
    """1 / (1 - e^-(al+be)) and 1 / (1 - e^-be), for be > 0."""
    one = whole(1, bits)
    both, single = ((one - exponential(-x, bits)).inverse() for x in (masses.own + masses.other, masses.other))
    return both, single


def terms(masses: Masses, rounds: int, bits: int) -> Iterator[Term]:
    """Psi as a sum of exponentials; each point lies in the range of every term that counts there, once."""
    turn = masses.turn if rounds else ZERO
    yield Term(whole(1, bits), ZERO, ZERO, None, turn)
    yield Term(whole(-1, bits), ONE, ZERO, None, turn)
    if rounds and masses.other:
        top = masses.top(rounds)
        for share, coefficient in _expanded(masses, rounds, bits):
            yield Term(coefficient, share, -share * top, turn, top)
    if rounds and masses.own:
        end = masses.swapped.top(rounds)
        for share, coefficient in _expanded(masses.swapped, rounds, bits):
            yield Term(coefficient, 1 - share, -share * end, -end, turn)


def _expanded(masses: Masses, rounds: int, bits: int) -> Iterator[tuple[Fraction, Interval]]:
    """core(y) as a sum of coefficient * exp(-share y), by the binomial theorem."""
    n, (both, single) = rounds + 1, _sizes(masses, bits)
    size = both * single.power(rounds - 1)
    for k in range(n + 1):
        yield Fraction(k, n), size.times((-1) ** k * comb(n, k))
