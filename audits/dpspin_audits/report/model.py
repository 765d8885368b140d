"""The view of a whole report: every value that the templates print, and nothing left to compute."""

from dataclasses import dataclass
from typing import NamedTuple

from dpspin_audits.report import (
    accounting,
    assumptions,
    budget,
    case,
    certificates,
    checks,
    claim,
    closing,
    cover,
    hazards,
    introductions,
    ledger,
    measurements,
    pipeline,
    plan,
    proofs,
    registry,
    terms,
    transcript,
    utility,
)
from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.prose import Text, label, plain
from dpspin_audits.report.tables import Pair, Table
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import SECTIONS, Section


class Tables(NamedTuple):
    """The tables in the order of the page; None where there is nothing to list."""

    checks: Table | None
    groups: Table | None
    losses: Table | None
    tests: Table | None
    themes: Table | None
    attempts: Table | None
    objects: Table | None
    proved: Table | None
    open: Table | None
    """What no theorem covers."""
    gaps: Table | None
    """What this audit did not assess."""
    mechanisms: Table | None
    statements: Table | None
    hazards: Table | None
    registry: Table | None


class Entry(NamedTuple):
    """A line of the contents."""

    section: Section
    status: str
    """The worst result that the section explains, or empty."""


class Drawings(NamedTuple):
    """Figures that are always there, each in both widths."""

    pipeline: tuple[Drawing, ...]
    budget: tuple[Drawing, ...]


class Words(NamedTuple):
    """Words of several sections."""

    said: dict[str, Text]
    """What the parts say before their tables and figures, by name (`introductions`)."""
    bearing: dict[str, tuple[Pair, ...]]
    """By section: the checks that are about it, with result and strength."""
    conformance: Text
    """What was compared with the reference; empty where nothing was."""
    unconformed: Text
    """Why nothing was compared."""
    hazards: Text
    """How many hazards are assessed, declared and not assessed."""
    waivers: tuple[Text, ...]
    terms: tuple[terms.Term, ...]


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
    transcript: transcript.Transcript
    drawings: Drawings
    words: Words
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
    worst["hazards"] = hazards.worst(opened)
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
            attempts=transcript.attempts(opened),
            objects=ledger.objects(opened),
            proved=proofs.statements(opened),
            open=proofs.gaps(opened),
            gaps=closing.gaps(opened),
            mechanisms=utility.mechanisms(opened),
            statements=utility.statements(opened),
            hazards=hazards.table(opened),
            registry=registry.table(opened),
        )
    )


def _figures(books: accounting.Accounting, measured: measurements.Measured, shown: plan.Plan | None) -> dict[str, int]:
    """Figures in the order of the page; the ladder is always there."""
    there = {
        "ladder": True,
        "curve": bool(books.drawings),
        "budget": True,
        "tradeoff": bool(measured.tradeoff),
        "capital": bool(measured.capital),
        "masses": bool(shown and shown.drawings),
        "pipeline": True,
    }
    return {name: number for number, name in enumerate((name for name, drawn in there.items() if drawn), 1)}


def _words(opened: Case, promised: claim.Claim, tables: Tables) -> Words:
    return Words(
        said=introductions.view(opened.losses.unit, charged=opened.built is not None),
        bearing=checks.bearing(opened),
        conformance=proofs.conformance(opened),
        unconformed=proofs.unanswered(opened),
        hazards=hazards.counted(opened),
        waivers=assumptions.waivers(opened),
        terms=terms.view(
            promised.not_a_person, tables.groups.number if tables.groups else 0, charged=opened.built is not None
        ),
    )


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
    promised, tables = claim.view(opened), _tables(opened)
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
        tables=tables,
        checks=checks.view(opened),
        claim=promised,
        accounting=books,
        certificates=certificates.view(opened),
        measured=measured,
        plan=shown_plan,
        figures=_figures(books, measured, shown_plan),
        digests=ledger.digests(opened),
        transcript=transcript.view(opened),
        drawings=Drawings(pipeline.view(opened), budget.view(opened)),
        words=_words(opened, promised, tables),
        proofs=closing.proofs(opened),
        utility=utility.view(opened),
        assumptions=assumptions.view(opened),
        reproduction=closing.reproduction(opened, digest),
        unit=opened.losses.unit,
    )
