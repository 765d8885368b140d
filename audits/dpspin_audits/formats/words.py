"""Words of others in formats that give some characters a meaning: nothing that evidence holds may act there."""

import re
from collections.abc import Iterable

from dpspin.errors import printable
from dpspin_audits.report.prose import Run, Text

NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?([eE][-+]?[0-9]+)?|-?[0-9]+/[0-9]+")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "|", "%", "＝", "＋", "－", "＠")
"""How text begins that spreadsheets take for a formula."""
SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$])|:(?=[a-z0-9_+-]+:)")
"""What Markdown gives a meaning wherever it stands, and colons that would make a picture of a word."""
FIRST = re.compile(r"(\s*)([-+=#>]|[0-9]{1,9}(?=[.)](?:\s|$)))")
"""What it gives one at the beginning of a line."""
ACTS = re.compile(r"(?i)((?:[a-z][a-z0-9+.-]*://|www\.)\S+|\S*@\S+|\bGH-\d+|#\d+)")
"""What GitHub turns into a link or a notice although no character of it is escaped in vain: inside code it does not."""
BAR = re.compile(r"(?<!\\)\|")
SIGNS = {"pass": "✓", "fail": "✗", "inconclusive": "◐", "not_run": "○", "error": "⚠", "declared": "◇"}
RAISED = str.maketrans("0123456789−-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")


def cell(value: str) -> str:
    """A cell of a table that a spreadsheet may open: text that looks like a formula begins with an apostrophe."""
    shown = printable(value)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) and not NUMBER.fullmatch(shown) else shown


def message(value: str) -> str:
    """A message of SARIF: braces are doubled, and what would be an embedded link is taken apart."""
    return printable(value).replace("](", "] (").replace("{", "{{").replace("}", "}}")


def coded(value: str) -> str:
    """A code span of Markdown, whatever it holds."""
    shown = printable(value)
    fence = "`" * (1 + max((len(found) for found in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def escaped(value: str) -> str:
    """Plain words in Markdown, fit for the beginning of a line."""
    shown = SPECIAL.sub(lambda found: f"\\{found[0]}", printable(value.replace("\u00a0", " ")))
    first = FIRST.match(shown)
    if first is None:
        return shown
    rest = shown[first.end() :]
    return f"{first[1]}{first[2]}\\{rest}" if first[2].isdigit() else f"{first[1]}\\{first[2]}{rest}"


def quoted(value: str) -> str:
    """Words that others wrote in Markdown: what GitHub would link or notify stands as code."""
    pieces = ACTS.split(printable(value.replace("\u00a0", " ")))
    return _joined(coded(piece) if at % 2 else escaped(piece) for at, piece in enumerate(pieces))


def in_table(words: str) -> str:
    """Markdown as a cell of a table, which ends at the next bar, in code too."""
    return BAR.sub(r"\\|", words)


def _joined(pieces: Iterable[str]) -> str:
    """One after the other; a blank keeps the marks of neighbouring code spans apart, which would be read as one."""
    found = ""
    for piece in pieces:
        found += " " * (found.endswith("`") and piece.startswith("`")) + piece
    return found


def _run(run: Run) -> str:
    if run.role in ("code", "control"):
        return coded(run.text)
    if run.role == "label":
        return quoted(run.text)
    if run.role == "status":
        return f"{SIGNS.get(run.text, '')} {run.text.replace('_', ' ')}".strip()
    if run.role == "note":
        return ""
    return _set(run.role, run.text)


def _set(role: str, words: str) -> str:
    """Words of this program in their type; blanks stay outside the marks, which would not hold otherwise."""
    if role == "sup":
        raised = words.translate(RAISED)
        return raised if raised != words else f"^{escaped(words)}"
    mark = {"strong": "**", "em": "*", "var": "*"}.get(role, "")
    inner = words.strip()
    if not mark or not inner:
        return escaped(words)
    head, tail = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return f"{head}{mark}{escaped(inner)}{mark}{tail}"


def markdown(text: Text) -> str:
    """A text of the report in one line of Markdown."""
    return _joined(map(_run, text))
