"""Section 10: the hazards that NIST SP 800-226 treats, one by one, and what this audit says about each."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from dpspin_audits.report import built, coverage
from dpspin_audits.report.case import Case, to_section
from dpspin_audits.report.coverage import Coverage
from dpspin_audits.report.numerals import number
from dpspin_audits.report.prose import Text, text
from dpspin_audits.report.tables import Body, Column, Row, Table
from dpspin_audits.report.vocabulary import STATUSES

COLUMNS = (
    Column("Hazard", names_row=True),
    Column("Coverage"),
    Column("By", "ids", "by"),
    Column("Not covered by any check", "", "not covered:"),
    Column("Where", "nw", "see"),
)


class Hazard(NamedTuple):
    """One hazard, as `hazards.toml` explains."""

    id: str
    part: str
    title: str
    checks: list[str]
    otherwise: str
    remains: str
    section: str
    seen_in: str = ""
    partly: bool = False
    """Whether checks like these can never answer the whole question."""


@cache
def known() -> tuple[Hazard, ...]:
    """All hazards, in the order of the publication."""
    text_ = files("dpspin_audits.report").joinpath("hazards.toml").read_text(encoding="utf-8")
    return tuple(Hazard(**row) for row in tomllib.loads(text_)["hazard"])


def covered(case: Case, hazard: Hazard) -> Coverage:
    """How far the audit answers for one hazard."""
    if hazard.id == "delta" and not case.exposed[1]:
        hazard = hazard._replace(checks=["accounting.claim"])
    figures = bool(hazard.seen_in) and case.root.has(hazard.seen_in)
    found = coverage.of(case, hazard.checks, hazard.otherwise, figures=figures)
    found = coverage.with_universe(case, found) if hazard.id in ("epsilon", "delta") else found
    return found._replace(state="assessed in part") if hazard.partly and found.state == "assessed" else found


def _remains(case: Case, hazard: Hazard) -> Text:
    epsilon, delta = case.exposed
    both = ", themes and release together" if case.built else ""
    if hazard.id == "epsilon":
        return text("ε\u00a0=\u00a0", number(epsilon), f"{both}: {hazard.remains}")
    if hazard.id == "delta":
        return text("δ\u00a0=\u00a0", number(delta), f"{both}: {hazard.remains}" if delta else "")
    return text(built.APART if hazard.id == "bins" and case.built else hazard.remains)


def table(case: Case) -> Table:
    """Every hazard, part by part; findings stand out."""
    bodies: dict[str, list[Row]] = {}
    for hazard in known():
        found = covered(case, hazard)
        by = found.by or text("figures alone" if found.state == "assessed in part" else "no check")
        cells = text(hazard.title), found.shown, by, _remains(case, hazard), to_section(hazard.section)
        bodies.setdefault(hazard.part, []).append(Row(cells, hit=found.status == "fail"))
    caption = "Hazards that NIST SP 800-226 (March 2025) treats, in its order. The words are ours."
    return Table(text(caption), COLUMNS, tuple(Body(part, tuple(rows)) for part, rows in bodies.items()))


def counted(case: Case) -> Text:
    """How many hazards are in which state."""
    states = [covered(case, hazard) for hazard in known()]
    names = ("assessed", "assessed in part", "declared", "not assessed")
    counts = [(name, sum(found.state == name for found in states)) for name in names]
    worst = sum(found.status == "fail" for found in states)
    tail = f" {worst} of them touched by a finding." if worst else ""
    return text(
        f"Of {len(states)} hazards: " + ", ".join(f"{count} {name}" for name, count in counts if count), ".", tail
    )


def worst(case: Case) -> str:
    """The worst result that stands in the table, for the contents; empty where none is a problem."""
    found = [covered(case, hazard).status for hazard in known()]
    problems = [name for name in found if name in ("fail", "error", "inconclusive")]
    return min(problems, key=STATUSES.index) if problems else ""
