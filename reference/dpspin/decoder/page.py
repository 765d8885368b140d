"""Steps 4 to 6 of the verifier: from a raw text to sentences whose labels and bin names are marked.

Marks are kept beside the text, by position: whatever a text contains, it cannot write a mark.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from dpspin.decoder.labels import Found, labels_of
from dpspin.decoder.tokens import Span, Token
from dpspin.decoder.verdict import Violation
from dpspin.errors import UsageError
from dpspin.plan import SemanticPlan
from dpspin.universe import HIDDEN, REFUSED_CATEGORIES, fold

BLANKS = " \u00a0\t\n"
BLOT = "\ue000"  # hides labels from the rest; one that was written falls to step 5, and step 8 has no use for it
PLAIN = str.maketrans("‘’“”−", "''\"\"-")
MOST = 50  # violations of a kind; a page of nothing else need not be listed in full
ENDS = re.compile(r"\.(?=[ \u00a0\t\n]|\Z)|\n")
NEXT_ROW = re.compile(r"(?<=\|)[ \u00a0\t]*(\n)(?=[ \u00a0\t]*\|)")
"""A newline between two rows of a table, which is one sentence."""


class Page(NamedTuple):
    """A text after step 6.  Both strings have the raw text's length, so that every position is a raw one."""

    plain: str
    """Typographic quotes and U+2212 in ASCII."""
    blotted: str
    """The same with labels hidden."""
    marks: dict[int, Token]
    """LABEL, BIN_NAME and _NEXT_ROW tokens by start; values are positions in the universe and among the bins."""
    sentences: tuple[Span, ...]
    """Sentences with their full stops, without the blanks around them."""
    violations: tuple[Violation, ...]

    def words(self, span: Span) -> Span:
        """A sentence without its full stop."""
        start, end = span
        return start, end - (self.blotted[end - 1] == ".")

    def key(self, span: Span) -> str:
        """What must be equal for a sentence to be a public one."""
        return fold(self.plain[slice(*span)])

    def is_spoiled(self, span: Span) -> bool:
        """Whether an earlier step has refused something in a sentence."""
        start, end = span
        return any(violation.span[0] < end and start < violation.span[1] for violation in self.violations)


class Marker:
    """Steps 4 to 6 for the texts of one plan."""

    def __init__(self, plan: SemanticPlan) -> None:
        """Build the scan of labels and bin names.

        Raises:
            UsageError: when two labels, two bin names, or a label and a bin name read alike.
        """
        labels = plan.terms.universe.labels
        self._universe = labels
        self._labels = labels_of(labels)
        self._released = {atom.index for atom in plan.atoms}
        self._bins = {fold(name): number for number, name in enumerate(plan.terms.bins)}
        ambiguous = len(self._bins) < len(plan.terms.bins) or self._bins.keys() & {fold(label) for label in labels}
        if ambiguous:
            raise UsageError("plan: bins", "a bin name reads like another one or like a label", "rename the bin")
        words = "|".join(re.escape(name).replace(r"\ ", "[ \u00a0\t]+") for name in self._bins)
        # ASCII: otherwise "i" also matches dotted and dotless ones that do not fold to it
        self._bin_name = re.compile(
            rf"(?<!\w)({words})(?=[ \u00a0\t]+bin(?!\w))|(?<=\|)[ \u00a0\t]*({words})(?=[ \u00a0\t]*\|)",
            re.ASCII | re.IGNORECASE,
        )

    def page(self, text: str) -> Page:
        """Mark a text and split it into sentences."""
        plain = text.translate(PLAIN)
        found = self._labels.scan(text)
        blotted = _blot(plain, found)
        marks = {label.start: Token("LABEL", str(label.atom), label.start, label.end) for label in found}
        for name in self._bin_name.finditer(blotted):
            start, end = name.span(name.lastindex or 0)
            marks[start] = Token("BIN_NAME", str(self._bins[fold(blotted[start:end])]), start, end)
        for newline in NEXT_ROW.finditer(blotted):
            marks[newline.start(1)] = Token("_NEXT_ROW", "", *newline.span(1))
        sentences = tuple(_sentences(blotted, marks))
        empty = [Violation(6, "empty sentence", span, None, ".") for span in sentences if blotted[slice(*span)] == "."]
        names = [
            Violation(4, "label that is not released", (label.start, label.end), None, self._universe[label.atom])
            for label in found
            if label.atom not in self._released
        ]
        strange = islice(_strange(text, blotted), MOST)
        return Page(plain, blotted, marks, sentences, (*names[:MOST], *strange, *empty[:MOST]))


def _blot(text: str, found: list[Found]) -> str:
    characters = list(text)
    for label in found:
        characters[label.start : label.end] = BLOT * (label.end - label.start)
    return "".join(characters)


def _strange(text: str, blotted: str) -> Iterator[Violation]:
    """Step 5, on all that is not part of a label."""
    strange = {character for character in set(text) if _is_strange(character)}
    if not strange:
        return
    for position, (raw, left) in enumerate(zip(text, blotted, strict=True)):
        if raw in strange and (left != BLOT or raw == BLOT):
            yield Violation(5, "forbidden character", (position, position + 1), None, f"U+{ord(raw):04X}")


@lru_cache(4096)
def _is_strange(character: str) -> bool:
    kind = unicodedata.category(character)
    return character not in BLANKS and (kind == "Zs" or kind in REFUSED_CATEGORIES or bool(HIDDEN.match(character)))


def _sentences(blotted: str, marks: dict[int, Token]) -> Iterator[Span]:
    start = 0
    stops = (stop.end() for stop in ENDS.finditer(blotted) if stop.start() not in marks or stop.group() == ".")
    for end in [*stops, len(blotted)]:
        piece = blotted[start:end]
        span = start + len(piece) - len(piece.lstrip(BLANKS)), start + len(piece.rstrip(BLANKS))
        if span[0] < span[1]:
            yield span
        start = end
