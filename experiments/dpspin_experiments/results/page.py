"""One page and one table: every claim of the paper's section 6 beside what each sweep measured."""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.render import environment
from dpspin_experiments.baselines.standing import ALPHA
from dpspin_experiments.results import methods
from dpspin_experiments.results.claims import CLAIMS
from dpspin_experiments.results.evidence import Evidence
from dpspin_experiments.results.figures import figures
from dpspin_experiments.results.finding import Claim, Finding

TEMPLATE = "experiments.html.j2"


class Judged(NamedTuple):
    """One claim on one data set."""

    claim: Claim
    sweep: str
    finding: Finding


class Shown(NamedTuple):
    """One sweep on the page."""

    evidence: Evidence
    judged: Sequence[Judged]
    drawings: Sequence[Drawing]
    failed: int
    """Runs that failed."""
    methods: Sequence[methods.Row]
    vacuous: int
    """Statements of Appendix A whose bound exceeds the whole mass: true, and saying nothing."""


def judged(evidence: Evidence) -> list[Judged]:
    """Every claim on one sweep."""
    return [Judged(claim, evidence.sweep.name, claim.judge(evidence)) for claim in CLAIMS]


def page(all_evidence: Sequence[Evidence]) -> str:
    """The page: no script, nothing to load; for the curator alone, because its figures come from exact sketches."""
    shown = [_shown(evidence) for evidence in all_evidence]
    return environment().get_template(TEMPLATE).render(shown=shown, header=methods.HEADER, confidence=1 - ALPHA)


def table(all_evidence: Sequence[Evidence]) -> bytes:
    """The claims as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["audience", "claim", "section", "text", "sweep", "verdict", "measured", "why"])
    for evidence in all_evidence:
        for claim, sweep, finding in judged(evidence):
            writer.writerow(["curator only", claim.id, claim.section, claim.text, sweep, *finding])
    return out.getvalue().encode()


def _shown(evidence: Evidence) -> Shown:
    mass = max((group.mean("best_mass") or 0.0 for group in evidence.plans("record")), default=0.0)
    failed = sum(group.failed for group in evidence.groups)
    vacuous = sum("loss" in trial.tried.statement and trial.tried.bound >= mass for trial in evidence.trials)
    drawings, rows = figures(evidence.sweep, evidence.groups), methods.rows(evidence.standings)
    return Shown(evidence, judged(evidence), drawings, failed, rows, vacuous)
