"""The verifier: whether every sentence of a text is supported by the plan (paper Definition 3.7).

It accepts a text only if all of it has been understood.  The steps, whose numbers violations carry:

1. Length: no longer than a public cap that grows with the released labels.
2. Normal form: the text is in Unicode normal form C.
3. Stamp: the text of a stamped plan begins with the stamp, verbatim, on a line or sentence of its own.
4. Labels: the leftmost-longest label over all m wins; an atom that is not released must not be named.
5. Characters: outside released labels, no control, format, private, unassigned or line-separating character;
   blanks are the space, the no-break space, the tab and the newline.
6. Sentences: a full stop before a blank, or a newline, ends a sentence; there is at least one, and none is empty.
   Lines that follow each other between bars are a table, which is one sentence.
7. Public text: a run of sentences that equals a public text, case and blanks folded, is that public text.
8. Language: any other sentence is one of G0, to its last character (`language.py`).
9. List order: atoms listed in one sentence, or in rows that follow each other, stand in the order of their ranks.
10. Claims: the plan supports every claim.

Steps 1 and 2 end the verification; the others report what they find, up to a limit.  This is the text mode of the
contract: sound for G0, and it refuses many true sentences.  Whether a layout misleads (rows under a sentence about
another bin) it cannot see.  What it quotes are the text's own words and the plan's public objects.
"""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise, zip_longest

from dpspin.decoder import language
from dpspin.decoder.claims import STAMP, PublicText, describe, supported
from dpspin.decoder.language import Foreign
from dpspin.decoder.page import BLANKS, Marker, Page
from dpspin.decoder.senses import Reading
from dpspin.decoder.tokens import Span
from dpspin.decoder.verdict import Statement, Verdict, Violation
from dpspin.decoder.wording import sentence
from dpspin.errors import UsageError
from dpspin.plan import PlanTerms, SemanticPlan

__all__ = ["Statement", "Verdict", "Verifier", "Violation", "check_terms", "verify"]

MOST_VIOLATIONS = 50
"""Where a report stops: whoever breaks more rules gets no longer an answer."""


class Verifier:
    """The verifier of one plan's texts; built once, used for many."""

    def __init__(self, plan: SemanticPlan) -> None:
        """Prepare the scan of labels and the public texts.

        Raises:
            UsageError: when labels or bin names are ambiguous, or when a public text names an atom that is not
                released, is not whole sentences, or says what G0 says.
        """
        terms = plan.terms
        written = (*terms.public_text.values(), terms.stamp or "")
        self.longest = 2000 + sum(600 + 8 * len(atom.label) for atom in plan.atoms) + 2 * sum(map(len, written))
        """Most characters of a text (step 1)."""
        self._plan = plan
        self._ranks = {atom.index: atom.rank for atom in plan.atoms}
        self._marker = Marker(plan)
        public = [(self._public_key(id_, text), id_) for id_, text in terms.public_text.items()]
        self._public = sorted(public, key=lambda item: -len(item[0]))  # the longest run of sentences wins

    def verify(self, text: str) -> Verdict:
        """Judge a text; no text makes it raise."""
        misshapen = self._misshapen(text)
        if misshapen:
            return Verdict(False, (misshapen,), ())
        body, violations, statements = self._unstamped(text)
        page = self._marker.page(body)
        violations += page.violations
        if not page.sentences and not statements:
            violations.append(Violation(6, "empty text", (0, len(text)), None, ""))
        reading = Reading(())
        for span, id_ in self._parts(page):
            if len(violations) >= MOST_VIOLATIONS:
                break
            if id_ is not None:
                reading = Reading((PublicText(id_),))
            elif page.is_spoiled(span):
                reading = Reading(())
            else:
                reading, problems = self._judge(page, span, reading.row)
                violations += problems
            statements += [Statement(text[slice(*span)], reading.claims)] if reading.claims else []
        return Verdict(not violations, tuple(violations), tuple(statements))

    def _misshapen(self, text: str) -> Violation | None:
        """Steps 1 and 2."""
        if len(text) > self.longest:
            return Violation(1, f"longer than {self.longest} characters", (self.longest, len(text)), None, "")
        normal = unicodedata.normalize("NFC", text)
        if normal != text:
            at = next(i for i, (a, b) in enumerate(zip_longest(text, normal)) if a != b)
            return Violation(2, "not in normal form C", (at, at + 1), None, f"U+{ord(text[at]):04X}")
        return None

    def _unstamped(self, text: str) -> tuple[str, list[Violation], list[Statement]]:
        """Step 3: the text with its stamp blanked out."""
        stamp = self._plan.terms.stamp
        if stamp is None:
            return text, [], []
        if not text.startswith(stamp) or text[len(stamp) : len(stamp) + 1] not in BLANKS:
            return text, [Violation(3, "the stamp does not come first", (0, 0), None, "")], []
        return " " * len(stamp) + text[len(stamp) :], [], [Statement(stamp, (PublicText(STAMP),))]

    def _parts(self, page: Page) -> Iterator[tuple[Span, str | None]]:
        """Step 7: the sentences of a page, those of one public text together and with its id."""
        keys = [page.key(span) for span in page.sentences]
        position = 0
        while position < len(keys):
            taken, id_ = next(
                ((len(key), id_) for key, id_ in self._public if tuple(keys[position : position + len(key)]) == key),
                (1, None),
            )
            yield (page.sentences[position][0], page.sentences[position + taken - 1][1]), id_
            position += taken

    def _judge(self, page: Page, span: Span, row: tuple[int, ...]) -> tuple[Reading, list[Violation]]:
        """Steps 8 to 10 for one sentence; `row` is the atom of the sentence before it, if that was a row of a list."""
        reading = language.read(page.blotted, page.words(span), page.marks)
        if isinstance(reading, Foreign):
            found = page.plain[slice(*reading.span)] or "end of sentence"
            return Reading(()), [Violation(8, "not in the language", reading.span, None, found)]
        lists = [row + reading.row] if reading.row else reading.lists
        ranks = [[self._ranks[atom] for atom in atoms] for atoms in lists]
        disordered = [
            Violation(
                9, "list out of order", span, "list in order of rank", ", ".join(f"rank {rank}" for rank in listed)
            )
            for listed in ranks
            if any(left >= right for left, right in pairwise(listed))
        ]
        unsupported = [
            Violation(10, "unsupported claim", span, sentence(claim, self._plan.terms), describe(claim, self._plan))
            for claim in reading.claims
            if not supported(claim, self._plan)
        ]
        return reading, disordered + unsupported

    def _public_key(self, id_: str, text: str) -> tuple[str, ...]:
        """A public text as its sentences' keys, if it can be told from everything else."""
        page = self._marker.page(text)
        violations = [*filter(None, [self._misshapen(text)]), *page.violations]
        problem = "has the id of the plan's stamp" if id_ == STAMP else None
        if violations:
            problem = f"{violations[0].rule} ({violations[0].found!a})"
        elif not page.sentences or "\n" in text or any(page.blotted[end - 1] != "." for _, end in page.sentences):
            problem = "not whole sentences on one line"
        elif any(isinstance(language.read(page.blotted, page.words(s), page.marks), Reading) for s in page.sentences):
            problem = "reads as a claim about the plan"
        if problem:
            raise UsageError(f"public_text.{id_}", problem, "choose other words")
        return tuple(page.key(span) for span in page.sentences)


def verify(text: str, plan: SemanticPlan) -> Verdict:
    """Judge one text; see `Verifier` for errors of the plan itself."""
    return Verifier(plan).verify(text)


def check_terms(terms: PlanTerms) -> None:
    """Refuse, before any record is read, terms whose summaries could not be verified whatever is released.

    Raises:
        UsageError: as `Verifier`; with nothing released, a public text may name no atom at all.
    """
    Verifier(SemanticPlan((), terms))
