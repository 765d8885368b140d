"""What a test came to: a bound from a fixed number of runs, and the wealth of a bettor who watched all of them."""

from typing import NamedTuple

from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.capital import Capital, Look
from dpspin_audits.statistics.guessing import Point, Rule


class Bets(NamedTuple):
    """The sequential half of a test."""

    alpha: float
    """Level of this half: the promise is refuted at a wealth of 1 / alpha."""
    runs: int
    reached: int | None
    """Runs after which that wealth was reached; None where it was not."""
    largest: float
    """Natural logarithm of the largest wealth."""
    path: tuple[Look, ...]


class LowerBound(NamedTuple):
    """One test of one promise."""

    pair: str
    score: str
    guesses: Guesses
    alpha: float
    """Level of the whole test; the bound and the bets have half of it each."""
    point: Point
    """The promise that was tried: the claim, or a point of the stated law's curve."""
    epsilon_at_least: float
    """At the delta of that point."""
    detectable: float | None
    """The least true epsilon that the bound would have found with 90 % power; None where none would."""
    rule: Rule | None = None
    """The event: which scores were guesses, fixed before the runs that the bound is computed from."""
    bets: Bets | None = None

    @property
    def exceeds(self) -> bool:
        """Whether the bound exceeds the promise."""
        return self.epsilon_at_least > self.point.epsilon

    @property
    def refutes(self) -> bool:
        """Whether the bound exceeds the promise, or a bettor against it became rich."""
        return self.exceeds or (self.bets is not None and self.bets.reached is not None)


def settled(capital: Capital) -> Bets:
    """The bets when no more runs come."""
    return Bets(capital.alpha, capital.runs, capital.reached, capital.largest, tuple(capital.path))
