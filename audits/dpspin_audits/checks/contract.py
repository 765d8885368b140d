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
            return _fail(error.problem, error.place, looked, "A summary cannot be judged by its plan.")
        if not found.verdict.accepted:
            first = found.verdict.violations[0]
            return _fail(
                f"step {first.step}: {first.rule}: {(first.claim or first.found)!a:.80}", "summary.txt", looked
            )
        looked += 1
    return Check(ID, "pass", "exact", f"Every sentence of {looked} summaries is supported.", {"bundles": looked})


def _fail(
    seen: str, file: str, looked: int, summary: str = "A summary says something that its plan does not support."
) -> Check:
    return Check(
        ID, "fail", "exact", summary, {"bundles": looked + 1}, seen, "reject such texts before publication",
        Location(file.partition(":")[0]),
    )  # fmt: skip
