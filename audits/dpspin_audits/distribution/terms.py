"""What holds for every family of an audit, and the one place where statistical tests are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpspin_audits.distribution import stated
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.statistics.features import FINEST
from dpspin_audits.statistics.given import GivenScore
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.subject import Claim


@dataclass(frozen=True, slots=True)
class Shares:
    """The level of every statistical test of one audit: all have equal parts of one alpha (Bonferroni).

    Whatever the tests are and however they depend on each other, any of them accuses a subject that keeps its claim
    with probability at most alpha.
    """

    alpha: float
    tests: Mapping[str, int]
    """Tests that each check makes at most; a check that is not listed has no share."""

    @property
    def each(self) -> float:
        """The level of a single test."""
        return self.alpha / max(1, sum(self.tests.values()))


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every family of an audit."""

    claim: Claim
    noise_scale: float
    """A typical size of the noise in units of mass: the claimed scale, or that of the deployment."""
    alpha: float
    """Level of each single test."""
    seed: bytes
    effort: Effort
    curve: Sequence[Point] = ()
    """What the stated law promises beyond the claim."""
    score: GivenScore | None = None
    """A score that somebody else wrote."""

    @property
    def point(self) -> Point:
        """The claim as a point."""
        return stated.point(self.claim.epsilon, self.claim.delta)

    @property
    def step(self) -> float:
        """Masses are rounded to multiples of this for the ideal verdict."""
        return self.noise_scale / FINEST
