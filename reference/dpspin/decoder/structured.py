"""Structured mode: a writer gives claims as data, and the text is rendered from them once all are supported.

The steps, in the numbers of the verifier (`verifier.py`), with claims in the place of sentences:

1. Length: no longer than a public cap.
2. Form: one JSON object of the published schema, without unknown fields or duplicate keys.
4. Labels: every atom is released.
8. Language: every bin and every public text is one of the plan's.
10. Claims: the plan supports every claim.

What passes is put into words and verified as a text too (steps 3 to 10): claims that cannot be said, or rows out of
order, are refused like any other.  No word of a writer reaches the text.
"""

from collections.abc import Iterator, Sequence

from dpspin.decoder import claims as c
from dpspin.decoder import claims_file, wording
from dpspin.decoder.tokens import Span
from dpspin.decoder.verdict import Verdict, Violation
from dpspin.decoder.verifier import MOST_VIOLATIONS, Verifier
from dpspin.errors import UsageError
from dpspin.plan import SemanticPlan

PLACE = "claims"
"""Name of a draft in complaints about it."""
ROOM = 3
"""A draft may be so many times as long as the longest text: names of fields take more room than words."""


class ClaimReader:
    """The judge of one plan's drafts in structured mode."""

    def __init__(self, plan: SemanticPlan, verifier: Verifier) -> None:
        self._plan = plan
        self._released = {atom.index for atom in plan.atoms}
        self._verifier = verifier
        self.longest = ROOM * verifier.longest
        """Most characters of a draft (step 1)."""

    def judge(self, draft: str) -> tuple[Verdict, str]:
        """Judge a draft and put it into words; the text is empty where the draft is refused.

        The spans of violations count claims: (3, 4) is the fourth one.
        """
        if len(draft) > self.longest:
            found = f"longer than {self.longest} characters"
            return Verdict(False, (Violation(1, found, (self.longest, len(draft)), None, ""),), ()), ""
        try:
            claims = claims_file.decode(draft, PLACE, self._plan.terms)
        except (UsageError, UnicodeError) as error:
            return Verdict(False, (Violation(2, "not claims in the published form", (0, 0), None, str(error)),), ()), ""
        violations = tuple(self._violations(claims))[:MOST_VIOLATIONS]
        if violations:
            return Verdict(False, violations, ()), ""
        text = render(claims, self._plan)
        verdict = self._verifier.verify(text)
        return verdict, text if verdict.accepted else ""

    def _violations(self, claims: Sequence[c.Claim]) -> Iterator[Violation]:
        for place, claim in enumerate(claims):
            violation = self._violation(claim, (place, place + 1))
            if violation:
                yield violation

    def _violation(self, claim: c.Claim, span: Span) -> Violation | None:
        strangers = [atom for atom in c.atoms(claim) if atom not in self._released]
        if strangers:
            return Violation(4, "atom that is not released", span, None, str(strangers[0]))
        if isinstance(claim, c.Bin | c.Count) and claim.bin == -1:
            return Violation(8, "bin that the plan does not have", span, None, "")
        if isinstance(claim, c.PublicText) and claim.id not in self._plan.terms.public_text:
            return Violation(8, "public text that the plan does not have", span, None, f"{claim.id!a:.80}")
        if c.supported(claim, self._plan):
            return None
        words = wording.sentence(claim, self._plan.terms)
        return Violation(10, "unsupported claim", span, words, c.describe(claim, self._plan))


def render(claims: Sequence[c.Claim], plan: SemanticPlan) -> str:
    """Claims as a text; that of a stamped plan begins with the stamp."""
    terms = plan.terms
    stamp = [wording.Line(terms.stamp, (c.PublicText(c.STAMP),))] if terms.stamp is not None else []
    return wording.page([*stamp, *wording.lines(claims, terms)])
