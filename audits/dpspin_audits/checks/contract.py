"""contract: whether the plan supports every sentence of the summary, by this project's own verifier.

A plan of this project's layout has exactly min(L, m) rows: the number of atoms that are released is public, and rules
about ranks and superlatives rest on it.  A bundle without such a plan has no contract to keep, and fails.
"""

from collections.abc import Iterable

from dpspin.errors import UsageError
from dpspin_audits.bundle import Files, judged
from dpspin_audits.checks.check import Check, Location

ID = "contract"


def check(bundles: Iterable[Files]) -> Check:
    """The verdict on several bundles: plan consistent, summary accepted."""
    looked = 0
    for bundle in bundles:
        try:
            found = judged(bundle)
        except UsageError as error:
            where = Location(error.place.partition(":")[0])
            return _fail(error.problem, where, looked, "A summary cannot be judged by its plan.")
        if not found.verdict.accepted:
            first = found.verdict.violations[0]
            where = Location("summary.txt", _line(bundle["summary.txt"].decode(), first.span[0]))
            return _fail(f"step {first.step}: {first.rule}: {(first.claim or first.found)!a:.80}", where, looked)
        looked += 1
    return Check(ID, "pass", "exact", f"Every sentence of {looked} summaries is supported.", {"bundles": looked})


def _line(text: str, position: int) -> int:
    """The line of a sentence that begins after a blank or a line end at a position, from 1."""
    return text.count("\n", 0, position + len(text[position:]) - len(text[position:].lstrip())) + 1


def _fail(
    seen: str, where: Location, looked: int, summary: str = "A summary says something that its plan does not support."
) -> Check:
    remedy = "reject such texts before publication"
    return Check(ID, "fail", "exact", summary, {"bundles": looked + 1}, seen, remedy, where)
