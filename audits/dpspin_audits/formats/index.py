"""Many audits on one page: the history of a deployment, or a fleet; a line each, and nothing computed from several."""

import datetime
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.decimals import exact
from dpspin.errors import UsageError
from dpspin_audits.formats import figures
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.formats.signatures import Signature
from dpspin_audits.report import render
from dpspin_audits.report.built import Built
from dpspin_audits.report.numerals import at_least, counted, number, sentence, upper
from dpspin_audits.report.prose import Run, Text, code, label, plain, status, strong, text
from dpspin_audits.report.tables import Body, Column, Row, Table
from dpspin_audits.report.vocabulary import STATUSES, protected

SCHEMA = "dpspin-index/1"
COLUMNS = (
    Column("Verdict", "nw"),
    Column("Audit", names_row=True),
    Column("Declared", "nw", "declared"),
    Column("Claimed ε", "r", "claimed ε"),
    Column("δ", "r", "δ"),
    Column("Accounted ε", "r", "accounted ε"),
    Column("Measured ε", "r", "measured ε"),
    Column("Findings", "r", "findings"),
    Column("Not assessed", "r", "not assessed"),
    Column("Signature", "", "signature:"),
    Column("Evidence", "mono", "sha256"),
)


class Entry(NamedTuple):
    """One audit."""

    evidence: Evidence
    signature: Signature
    report: str | None
    """Relative address of its own page, percent-encoded; None where there is none."""


class Page(NamedTuple):
    """What the template prints."""

    heading: str
    lead: Text
    table: Table


def ordered(entries: Iterable[Entry], as_of: datetime.date | None) -> tuple[Entry, ...]:
    """Each evidence once, by population and deployment, the one declared last first.

    Raises:
        UsageError: when a declared day is none, or lies after the day that the index is of.
    """
    unique = {entry.evidence.digest: entry for entry in entries}.values()
    for entry in unique if as_of else ():
        age(entry.evidence, as_of)
    newest_first = sorted(unique, key=lambda entry: (_declared(entry), entry.evidence.digest), reverse=True)
    return tuple(sorted(newest_first, key=lambda entry: _named(entry.evidence)))


def _named(evidence: Evidence) -> tuple[str, str]:
    return evidence.case.deployment.text("population"), evidence.case.deployment.text("name")


def _declared(entry: Entry) -> str:
    return entry.evidence.case.deployment.text("declared_at")


def age(evidence: Evidence, as_of: datetime.date | None) -> int | None:
    """Days from the declared day of a deployment to another day; None without one.  No clock is read.

    Raises:
        UsageError: when the declared day is none, or lies after the other.
    """
    if as_of is None:
        return None
    said = evidence.case.deployment.text("declared_at")
    try:
        days = (as_of - datetime.date.fromisoformat(said)).days
    except ValueError as error:
        raise UsageError(
            f"{evidence.place}: deployment: declared_at", f"no such day: {said!a}", "correct it"
        ) from error
    if days < 0:
        raise UsageError(
            "--as-of", f"{as_of} lies before {said}, when {evidence.place} was declared", "name a later day"
        )
    return days


def as_html(entries: tuple[Entry, ...], as_of: datetime.date | None) -> bytes:
    """The page, in the style of a report; no script, nothing loaded."""
    return render.environment().get_template("index.html.j2").render(page=page(entries, as_of)).encode()


def page(entries: tuple[Entry, ...], as_of: datetime.date | None) -> Page:
    """Every value of the page."""
    worst = next(name for name in STATUSES if any(_verdict(entry) == name for entry in entries))
    bad = sum(_verdict(entry) != "pass" for entry in entries)
    stamped = sum(entry.evidence.root.has("stamp") for entry in entries)
    said = f"{sentence(counted(bad, 'audit'))} ended in something other than a pass; the worst verdict is "
    day = f" Ages are counted to {as_of}." if as_of else ""
    marked = f" {sentence(counted(stamped, 'audit'))} saw a release that can be subtracted, as its stamp says."
    lead = text(
        said,
        status(worst),
        ". A pass says that no violation was found in what was assessed.",
        marked * bool(stamped),
        day,
    )
    bodies = [
        Body(plain(text(label(population), ": ", label(name))), tuple(_row(entry, as_of) for entry in group))
        for (population, name), group in groupby(entries, lambda entry: _named(entry.evidence))
    ]
    caption = "Audits by population and deployment. Bounds from above, except measured: from below. Days as declared."
    found = Table(text(caption), COLUMNS, tuple(bodies), 1, "stack dense")
    return Page(sentence(counted(len(entries), "audit")), lead, found)


def _verdict(entry: Entry) -> str:
    return entry.evidence.root.text("verdict")


def _row(entry: Entry, as_of: datetime.date | None) -> Row:
    evidence, losses = entry.evidence, entry.evidence.case.losses
    days = age(evidence, as_of)
    gate = evidence.root.node("gate") if evidence.root.has("gate") else None
    verdict = text(
        status(_verdict(entry)),
        text("; ", strong("stamped")) if evidence.root.has("stamp") else (),
        text("; gate ", status(gate.text("verdict"))) if gate else (),
    )
    unit = protected(losses.unit, evidence.case.claim.text("adjacency"))
    cells = (
        verdict,
        text(_name(entry), f", {unit}"),
        text(label(_declared(entry)), f"; {counted(days, 'day')}" if days is not None else ""),
        text("≤\u00a0", upper(losses.claimed), _with_themes(evidence.case.built)),
        number(evidence.case.exposed[1]),
        text("≤\u00a0", upper(losses.accounted)) if losses.accounted is not None else status("not_run"),
        text(f"≥\u00a0{at_least(losses.measured, 3)}") if losses.measured is not None else status("not_run"),
        text(f"{len(evidence.case.findings)}"),
        text(f"{len(evidence.case.gaps)}"),
        text(entry.signature.words),
        code(evidence.digest[:12]),
    )
    return Row(cells, hit=_verdict(entry) == "fail")


def _with_themes(built: Built | None) -> Text:
    """Release and universe together, where the universe was built from the records."""
    return text("; with its themes ", upper(built.whole_epsilon)) if built else ()


def _name(entry: Entry) -> Text:
    """The subject, with the way to its report where there is one."""
    words = label(entry.evidence.root.node("subject").text("name"))
    if entry.report is None:
        return words
    return tuple(piece if piece.role == "control" else Run("link", piece.text, entry.report) for piece in words)


def _bound(value: Fraction | None) -> str | None:
    return None if value is None else exact(value)


def tree(entry: Entry, as_of: datetime.date | None) -> dict[str, Any]:
    """One audit for JSON and CSV."""
    evidence, losses = entry.evidence, entry.evidence.case.losses
    deployment, root, claim = evidence.case.deployment, evidence.root, evidence.case.claim
    return {
        "population": deployment.text("population"),
        "deployment": deployment.text("name"),
        "subject": root.node("subject").text("name"),
        "declared_at": deployment.text("declared_at"),
        "age_days": age(evidence, as_of),
        "verdict": root.text("verdict"),
        "gate": root.node("gate").text("verdict") if root.has("gate") else None,
        "stamp": root.maybe_text("stamp"),
        "unit": claim.text("unit"),
        "adjacency": claim.text("adjacency"),
        "claimed_epsilon": exact(losses.claimed),
        "claimed_delta": exact(losses.delta),
        "total_epsilon": exact(evidence.case.exposed[0]),
        "total_delta": exact(evidence.case.exposed[1]),
        "accounted_epsilon": _bound(losses.accounted),
        "measured_epsilon_at_least": _bound(losses.measured),
        "findings": [check.id for check in evidence.case.findings],
        "not_assessed": [gap.id for gap in evidence.case.gaps],
        "signature": entry.signature._asdict(),
        "evidence_sha256": evidence.digest,
        "report": entry.report,
    }


def as_json(entries: tuple[Entry, ...], as_of: datetime.date | None) -> bytes:
    """The index as canonical JSON."""
    rows = [tree(entry, as_of) for entry in entries]
    return canonical.dumps({"schema": SCHEMA, "as_of": None if as_of is None else str(as_of), "audits": rows})


def as_csv(entries: tuple[Entry, ...], as_of: datetime.date | None) -> bytes:
    """The index as a table for spreadsheets."""
    rows = [{**tree(entry, as_of), "signature": entry.signature.words} for entry in entries]
    names = tuple(rows[0]) if rows else ()
    return figures.table(names, [tuple(map(_flat, row.values())) for row in rows])


def _flat(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "" if value is None else str(value)
