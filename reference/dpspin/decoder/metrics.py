"""Decoder-contract metrics of texts and runs (paper Appendix B; spec.md section 6).  A rate over nothing is None."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from dpspin.decoder.claims import Comparison, Similarity, supported
from dpspin.decoder.labels import labels_of
from dpspin.decoder.loop import Outcome
from dpspin.decoder.verdict import Verdict
from dpspin.plan import SemanticPlan


class Acceptance(NamedTuple):
    """How often the verifier accepted; a run is accepted if one of its attempts is."""

    attempts: int
    accepted_attempts: int
    runs: int
    accepted_runs: int

    @property
    def per_attempt(self) -> Fraction | None:
        """Share of attempts that were accepted."""
        return _share(self.accepted_attempts, self.attempts)

    @property
    def per_run(self) -> Fraction | None:
        """Share of runs whose summary is no fallback."""
        return _share(self.accepted_runs, self.runs)


def unsupported_atom_rate(text: str, plan: SemanticPlan) -> Fraction | None:
    """Of the atoms that a text mentions, the share that is not released.

    Mentions are found by the scan of the verifier's step 4, so any text has a rate, verified or not; an atom that is
    mentioned twice counts once.
    """
    mentioned = {found.atom for found in labels_of(plan.terms.universe.labels).scan(text)}
    return _share(len(mentioned - {atom.index for atom in plan.atoms}), len(mentioned))


def unsupported_comparison_rate(verdicts: Iterable[Verdict], plan: SemanticPlan) -> Fraction | None:
    """Of the comparisons that texts state ("more", "less", "similar"), the share that the plan does not support.

    Only sentences of the language can be read: comparisons in other words are not counted, and a verdict stops at a
    limit of violations.
    """
    claims = [claim for verdict in verdicts for statement in verdict.sentences for claim in statement.claims]
    compared = [claim for claim in claims if isinstance(claim, Comparison | Similarity)]
    return _share(sum(not supported(claim, plan) for claim in compared), len(compared))


def acceptance(outcomes: Sequence[Outcome]) -> Acceptance:
    """How often the verifier accepted in some runs of the loop."""
    attempts = [attempt for outcome in outcomes for attempt in outcome.attempts]
    return Acceptance(
        len(attempts),
        sum(attempt.verdict.accepted for attempt in attempts),
        len(outcomes),
        sum(not outcome.fell_back for outcome in outcomes),
    )


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None
