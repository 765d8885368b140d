"""Sections 5 and 6: the whole transcript, object by object, and what became of each attempt of the writer."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import IntegrityError
from dpspin_audits.report import repeats
from dpspin_audits.report.case import Case, to_finding
from dpspin_audits.report.numerals import counted, sentence
from dpspin_audits.report.prose import Run, Text, code, joined, label, lines, status, text
from dpspin_audits.report.tables import Column, Row, Table, table
from dpspin_audits.report.tree import Node

LEAKS = ("canary", "conduct", "errors", "hygiene", "noninterference", "tripwire")
"""Checks whose findings mean that an object may hold what no charge covers; it is then not repeated here."""
ROOM = 1_300_000
"""Bytes of page that transcripts may take; what does not fit is named, not shown."""
MARKED = 40
"""Bytes that a character takes which is named by its code point."""
COLUMNS = (
    Column("No.", "r", "attempt"),
    Column("Offending words", names_row=True),
    Column("Rule that was broken first"),
    Column("Outcome", "nw"),
)


class Object(NamedTuple):
    """One object that a reader or the writer could see."""

    order: int
    name: Text
    note: Text
    """What stands for its text, or before it."""
    words: Text
    """The text itself, with its line ends; parts of an earlier object are named (role em); empty beside a note."""


class Transcript(NamedTuple):
    """All objects with a text, and what they come to."""

    objects: tuple[Object, ...]
    said: Text
    """How the writer fared, or why that is not known."""


def verified(root: Node) -> None:
    """Hold every text against the digest beside it.

    Raises:
        IntegrityError: naming the first text that is not the one that was digested.
    """
    for exposure in root.nodes("exposures"):
        if exposure.has("text"):
            found = canonical.digest(exposure.text("text").encode("utf-8", "surrogatepass"))
            if found != exposure.text("sha256"):
                place, wanted = f"{exposure.path}: text", f"SHA-256 {exposure.text('sha256')}"
                raise IntegrityError(place, wanted, found, "audit again, and trust neither")


def _against(order: int, old: str, new: str) -> tuple[Text, Text]:
    """A note and a text that names what an earlier object has instead of showing it again; lossless."""
    if old == new:
        return text(f"the same as object {order}"), ()
    found = repeats.parts(old, new)
    shown = [lines(part) if isinstance(part, str) else _named(order, part) for part in found]
    return (), tuple(piece for part in shown for piece in part)


def _named(order: int, part: repeats.Copy) -> Text:
    return (Run("em", f"⟨characters {part.start + 1:,} to {part.end:,} of object {order}⟩"),)


def _leaks(case: Case) -> list[Text]:
    """Links to findings that mean that a text may hold what no charge covers."""
    return [to_finding(check) for check in case.findings if check.id in LEAKS]


def _objects(case: Case) -> Iterator[Object]:
    leaks = _leaks(case)
    room, latest = ROOM, dict[str, tuple[int, str]]()
    for exposure in case.root.nodes("exposures"):
        if not exposure.has("text"):
            continue
        order, name, whole = exposure.count("order"), exposure.text("name"), exposure.text("text")
        kind = name.rpartition("-")[0] or "draft"  # a summary is mostly the last draft
        if leaks:
            withheld = text("text withheld: it may hold what no charge covers (", joined(leaks), ")")
            yield Object(order, code(name), withheld, ())
            continue
        note, shown = _against(*latest[kind], whole) if kind in latest else ((), lines(whole))
        latest[kind] = order, whole
        room -= sum(map(_bytes, shown))
        if room < 0:
            note, shown = text(f"{len(whole):,} characters, left out to keep this page small; see transcript.jsonl"), ()
        yield Object(order, code(name), note, shown)


def _bytes(run: Run) -> int:
    """What a run takes on the page, about."""
    return MARKED if run.role == "control" else len(escape(run.text).encode())


def _feedback(case: Case) -> list[tuple[int, list[dict[str, Any]]]]:
    """The number of each attempt and the reasons for its rejection."""
    found = []
    for exposure in case.root.nodes("exposures"):
        kind, _, number = exposure.text("name").rpartition("-")
        if kind == "feedback" and number.isdecimal() and exposure.has("text"):
            reasons = _violations(exposure.text("text"))
            if reasons is not None:
                found.append((int(number), reasons))
    return found


def _violations(feedback: str) -> list[dict[str, Any]] | None:
    """The list of violations in a feedback, or None where it is no such list."""
    try:
        tree = json.loads(feedback)
        rows = tree["violations"]
        return rows if all(isinstance(row, dict) for row in rows) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def attempts(case: Case) -> Table | None:
    """What each attempt broke first, and what became of it."""
    rows = [_attempt(number, reasons, withheld=bool(_leaks(case))) for number, reasons in _feedback(case)]
    return table("Attempts of the writer, and the first rule that each one broke.", COLUMNS, rows)


def _attempt(number: int, reasons: list[dict[str, Any]], *, withheld: bool) -> Row:
    if not reasons:
        return Row((text(f"{number}"), text("none"), text("every sentence is supported"), text("accepted")))
    first = reasons[0]
    words = text("withheld") if withheld else label(str(first.get("claim") or first.get("found") or "no words"))
    rule = text(f"step {first.get('step', '?')}: ", label(str(first.get("rule", "not named"))))
    return Row((text(f"{number}"), words, rule, text(f"rejected, {counted(len(reasons), 'violation')}")))


def view(case: Case) -> Transcript:
    """The transcript, and how the writer fared."""
    tried, most = _feedback(case), case.deployment.count("max_attempts")
    writer = text("The writer (", code(case.deployment.text("decoder")), f") had at most {counted(most, 'attempt')}")
    if not tried:
        said = text(writer, "; how it fared is ", status("not_assessed"), ": the evidence holds no feedback.")
    elif tried[-1][1]:
        used = counted(len(tried), "attempt")
        said = text(writer, f". {sentence(used)} failed; published is the fallback, a function of the plan alone.")
    else:
        said = text(writer, f" and needed {counted(len(tried), 'attempt')}.")
    seen = " All that it saw is listed in the ledger; attempts cost no budget, because they see the plan alone."
    return Transcript(tuple(_objects(case)), text(said, _model(case), seen if tried else ""))


def _model(case: Case) -> Text:
    """Which language model was asked, and what answered, where a prompt says so."""
    prompts = [row for row in case.root.nodes("exposures") if row.text("name") == "prompt-1" and row.has("text")]
    try:
        question = json.loads(prompts[0].text("text"))["question"]
        model, by = str(question["model"]), str(question["answered_by"])
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        return ()
    return text(" A language model was asked (", label(model), "); answered by: ", label(by), ".")
