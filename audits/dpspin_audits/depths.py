"""How much an audit does: three named depths, each with its runs and with the checks that it requires.

What a depth finds with 90 % power is computed by `benchmarks/power.py` and stands in docs/statistics.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dpspin_audits.checks.check import Check
from dpspin_audits.distribution import trials
from dpspin_audits.distribution.trials import Effort


class Depth(NamedTuple):
    """One depth."""

    sampled: Effort
    """For subjects that can sample."""
    released: Effort
    """For subjects that cannot: every run is a whole release."""
    further: tuple[str, ...] = ()
    """Checks that are required where the subject offers what they need; otherwise they stay `not_run`, and visible."""


FURTHER = (
    "noninterference", "locality", "grouping", "support", "sampling", "independence", "errors", "budget", "conduct",
    "tripwire", "accounting.certificate", "accounting.second_opinion",
)  # fmt: skip
"""Checks that a standard audit requires besides, where they can be run."""
DEPTHS: Mapping[str, Depth] = {
    "smoke": Depth(trials.SMOKE, trials.WHOLE_RELEASES),
    "standard": Depth(
        Effort(pilot=16_384, training=200_000, testing=800_000, searched=5000),
        Effort(pilot=0, training=1500, testing=4500, searched=5000),
        FURTHER,
    ),
    "deep": Depth(
        Effort(pilot=65_536, training=400_000, testing=2_000_000, searched=20_000),
        Effort(pilot=0, training=10_000, testing=40_000, searched=20_000),
        (*FURTHER, "conformance", "proofs"),
    ),
}
"""The named depths; smoke is the default."""


def required(base: Sequence[str], further: Sequence[str], checks: Iterable[Check]) -> tuple[str, ...]:
    """Ids of the checks that a verdict needs: those of the base, and the further ones that could be run."""
    ran = {check.id for check in checks if check.status != "not_run"}
    return (*base, *(name for name in further if name in ran and name not in base))
