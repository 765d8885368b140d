"""The view of a whole report: every value that the templates print, and nothing left to compute."""

from dataclasses import dataclass
from typing import NamedTuple

from dpspin_audits.report import (
    accounting,
    case,
    certificates,
    checks,
    claim,
    closing,
    cover,
    ledger,
    measurements,
    plan,
    utility,
)
from dpspin_audits.report.case import Case
from dpspin_audits.report.prose import Text, label, plain
from dpspin_audits.report.tables import Table
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import SECTIONS, Section


class Tables(NamedTuple):
    """The tables in the order of the page; None where there is nothing to list."""

    checks: Table | None
    groups: Table | None
    losses: Table | None
    tests: Table | None
    themes: Table | None
    objects: Table | None
    gaps: Table | None
    mechanisms: Table | None
    statements: Table | None


class Entry(NamedTuple):
    """A line of the contents."""

    section: Section
    status: str
    """The worst result that the section explains, or empty."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report."""

    title: str
    digest: str
    short_digest: str
    tool: Text
    cover: cover.Cover
    contents: tuple[Entry, ...]
    sections: dict[str, Section]
    strengths: tuple[tuple[str, str, str], ...]
    tables: Tables
    checks: checks.Checks
    claim: claim.Claim
    accounting: accounting.Accounting
    certificates: certificates.Certificates
    measured: measurements.Measured
    plan: plan.Plan | None
    figures: dict[str, int]
    """Number of each figure that is there."""
    digests: tuple[tuple[str, Text], ...]
    proofs: Text
    utility: utility.Utility
    assumptions: tuple[Text, ...]
    reproduction: closing.Reproduction
    unit: str


def _contents(opened: Case) -> tuple[Entry, ...]:
    """Sections that explain a problem carry its sign; the first one carries the worst of the required checks."""
    worst: dict[str, str] = {}
    for check in opened.checks:
        if check.status in ("fail", "error", "inconclusive"):
            worst.setdefault(check.subject.section, check.status)
    problems = [
        check.status for check in opened.checks if check.status == "fail" or (check.required and check.status != "pass")
    ]
    worst["checks"] = problems[0] if problems else ""
    return tuple(Entry(section, worst.get(section.id, "")) for section in SECTIONS.values())


def _numbered(tables: Tables) -> Tables:
    number, found = 0, []
    for table in tables:
        number += table is not None
        found.append(table and table._replace(number=number))
    return Tables(*found)


def _tables(opened: Case) -> Tables:
    return _numbered(
        Tables(
            checks=checks.table(opened),
            groups=claim.groups(opened),
            losses=accounting.losses(opened),
            tests=measurements.tests(opened),
            themes=plan.themes(opened),
            objects=ledger.objects(opened),
            gaps=closing.gaps(opened),
            mechanisms=utility.mechanisms(opened),
            statements=utility.statements(opened),
        )
    )


def _figures(books: accounting.Accounting, measured: measurements.Measured, shown: plan.Plan | None) -> dict[str, int]:
    """Figures in the order of the page; the ladder is always there."""
    there = {
        "ladder": True,
        "curve": bool(books.drawings),
        "tradeoff": bool(measured.tradeoff),
        "capital": bool(measured.capital),
        "masses": bool(shown and shown.drawings),
    }
    return {name: number for number, name in enumerate((name for name, drawn in there.items() if drawn), 1)}


def view(root: Node, digest: str) -> Report:
    """Compute the report of an evidence tree.

    Args:
        root: the evidence, from `tree.opened`.
        digest: SHA-256 of its canonical bytes, in hexadecimal.

    Raises:
        UsageError: naming the field, when the evidence lacks one or holds something else in its place.
    """
    opened = case.opened(root)
    shown = cover.view(opened)
    books, measured, shown_plan = accounting.view(opened), measurements.view(opened), plan.view(opened)
    name, tool = label(opened.deployment.text("name")), root.node("tool")
    return Report(
        title=f"{plain(shown.heading)} {plain(name)}, privacy audit report",
        digest=digest,
        short_digest=digest[:12],
        tool=label(f"{tool.text('name')} {tool.text('version')}"),
        cover=shown,
        contents=_contents(opened),
        sections=SECTIONS,
        strengths=checks.strengths(opened),
        tables=_tables(opened),
        checks=checks.view(opened),
        claim=claim.view(opened),
        accounting=books,
        certificates=certificates.view(opened),
        measured=measured,
        plan=shown_plan,
        figures=_figures(books, measured, shown_plan),
        digests=ledger.digests(opened),
        proofs=closing.proofs(opened),
        utility=utility.view(opened),
        assumptions=closing.assumptions(opened),
        reproduction=closing.reproduction(opened, digest),
        unit=opened.losses.unit,
    )
