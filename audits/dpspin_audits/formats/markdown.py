"""A report in GitHub's Markdown, for pull requests and wikis: the same values as the page, in the same order, in short.

Nothing in it is HTML.  Words of others are escaped; what GitHub would link or notify stands as code.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from dpspin_audits.formats.opened import Evidence
from dpspin_audits.formats.words import SIGNS, escaped, in_table, markdown
from dpspin_audits.report import model
from dpspin_audits.report.checks import Finding
from dpspin_audits.report.cover import Cover
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.model import Report
from dpspin_audits.report.plan import Sentence
from dpspin_audits.report.prose import Run
from dpspin_audits.report.tables import Table

PARTS = {
    "checks": ("checks", "tables.checks", "strengths"),
    "claim": ("claim.sentence", "claim.meaning", "claim.rows", "tables.groups", "words.bearing.claim"),
    "accounting": ("tables.losses", "accounting", "drawings.budget", "words.bearing.accounting", "certificates.held",
                   "certificates.missing"),
    "measure": ("measured", "tables.tests", "words.bearing.measure"),
    "plan": ("plan.drawings", "plan.noise", "tables.themes", "plan.contract", "plan.unsupported", "plan.sentences",
             "transcript.said", "tables.attempts", "words.bearing.plan"),
    "ledger": ("drawings.pipeline", "tables.objects", "digests", "words.bearing.ledger"),
    "conformance": ("words.bearing.conformance", "words.conformance", "words.unconformed"),
    "gaps": ("proofs", "tables.proved", "tables.open", "tables.gaps"),
    "utility": ("utility", "tables.mechanisms", "tables.statements"),
    "hazards": ("words.hazards", "tables.hazards"),
    "registry": ("tables.registry",),
    "assume": ("assumptions", "words.waivers", "words.bearing.assume"),
    "repro": ("reproduction",),
    "terms": ("words.terms",),
}  # fmt: skip
"""Values of each section of the page, by their paths in `model.Report`."""
ELSEWHERE = {
    "title", "digest", "short_digest", "tool", "cover", "contents", "sections", "figures", "unit",
    "words.said", "transcript.objects", "claim.not_a_person", "plan.floor", "plan.margin", "plan.shown",
}  # fmt: skip
"""Values that stand in the head and foot or in other values, number others, or are too long: introductions and whole
texts."""
INSTEAD = {"certificates.missing": "certificates.held", "words.unconformed": "words.conformance"}
"""Values that say why another one is not there."""


def encode(evidence: Evidence) -> bytes:
    """The report as Markdown."""
    report = model.view(evidence.root, evidence.digest)
    lines = [*_cover(report.cover), *_sections(report)]
    lines += [f"Made by {markdown(report.tool)} from evidence `{report.digest}`."]
    return "\n\n".join(line for line in lines if line).encode() + b"\n"


def _sections(report: Report) -> Iterator[str]:
    for id_, section in report.sections.items():
        found = [block for path in PARTS.get(id_, ()) for block in blocks(_value(report, path))]
        if found:
            yield f"## {section.number}. {escaped(section.title)}"
            yield from found


def _value(report: Report, path: str) -> Any:
    if path in INSTEAD and _value(report, INSTEAD[path]):
        return ()
    found: Any = report
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else getattr(found, name, None)
    return found


def _cover(cover: Cover) -> Iterator[str]:
    yield f"# {'⚠' if cover.stamped else SIGNS.get(cover.status, '')} {markdown(cover.heading)}"
    yield markdown(cover.setting)
    yield markdown(cover.lead)
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in cover.tally)
    yield from blocks(cover.ladder)
    yield markdown(cover.caption)
    yield escaped(f"{cover.required}: {counts}{f', {cover.beyond}' if cover.beyond else ''}.") if counts else ""
    yield "\n".join(blocks(cover.facts))
    for title, rows in (("Assessed", cover.assessed), ("Not assessed", cover.unassessed)):
        yield f"**{title}**"
        yield "\n".join(f"- {SIGNS.get(status, '')} {markdown(words)}".replace("-  ", "- ") for status, words in rows)


def blocks(value: Any, name: str = "") -> Iterator[str]:
    """Paragraphs, lists and tables of a value of the report; numbers and marks that only a page needs are left out.

    Args:
        value: a text, a table, a drawing, a string, or a tuple of such, named or not.
        name: of the field that holds it, which a bare string needs beside it.
    """
    if isinstance(value, str) and value:
        yield f"- {escaped(name.replace('_', ' '))}: {escaped(value)}" if name else escaped(value)
    elif isinstance(value, Drawing):
        yield f"*{escaped(value.title)}.* {escaped(value.description)}" if value.form != "narrow" else ""
    elif isinstance(value, Table):
        yield _table(value)
    elif isinstance(value, Finding):
        yield f"### {value.number}. {markdown(value.title)}"
        yield from blocks(value.rows)
    elif _is_text(value):
        yield markdown(value)
    elif isinstance(value, tuple):
        yield from _tuple(value)


def _tuple(value: tuple[Any, ...]) -> Iterator[str]:
    fields = getattr(value, "_fields", None)
    if fields:
        for listed, group in groupby(zip(fields, value, strict=True), lambda item: isinstance(item[1], str)):
            shown = [(name, item) for name, item in group if not name.endswith("said") or not listed]
            found = [block for name, item in shown for block in blocks(item, name) if block]
            yield from ["\n".join(found)] if listed and found else found
    elif any(isinstance(item, Finding | Table | Drawing) for item in value):
        yield from (block for item in value for block in blocks(item) if block)
    elif value:
        yield "\n".join(f"- {line}" for line in map(_line, value) if line)


def _line(item: Any) -> str:
    """One line of a list: a text, or texts that belong together."""
    if _is_text(item):
        return markdown(item)
    if isinstance(item, str):
        return escaped(item)
    return _together(item) if isinstance(item, tuple) else ""


def _together(item: tuple[Any, ...]) -> str:
    """Texts that belong together: a sentence and what it rests on, a term and its words, or an enumeration."""
    if isinstance(item, Sentence):
        held = "*supported*" if item.supported else "**not supported**"
        return f"{markdown(item.words)} {held}: {markdown(item.claims)}"
    first, *rest = [line for line in map(_line, item) if line] or [""]
    if rest and all(isinstance(part, str) for part in item):
        return f"**{first}**: {'; '.join(rest)}"
    if len(rest) == 1 and all(map(_is_text, item[:2])):
        return f"{first} {rest[0]}" if first.endswith("**") else f"**{first}**: {rest[0]}"
    return "; ".join([first, *rest])


def _is_text(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(item, Run) for item in value)


def _table(table: Table) -> str:
    """A table as GitHub has them; a group of rows is headed by a row of its own."""
    rows = [f"| {' | '.join(escaped(column.head) for column in table.columns)} |"]
    rows.append("|" + "|".join(" ---: " if column.look == "r" else " --- " for column in table.columns) + "|")
    for body in table.bodies:
        if body.title:
            rows.append(_row([f"**{escaped(body.title)}**"] + [""] * (len(table.columns) - 1)))
        rows += [_row(map(markdown, row.cells)) for row in body.rows]
    return f"**Table {table.number}.** {markdown(table.caption)}\n\n" + "\n".join(rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(in_table(cell) or ' ' for cell in cells)} |"
