"""What this version does not check, and what no check can see: listed, so that silence never looks like a pass."""

from collections.abc import Iterable

from dpspin_audits.checks.check import Check

LATER = "comes in a later version"
WHAT = {
    "conformance": "Agreement with the reference, vector by vector",
    "proofs": "Machine-checked proofs about the reference",
}
LIMITS = (
    ("memory", "Memory, swap, core dumps and logs of the curator's machine", "the claim is about released bytes"),
    ("samples", "Whether samples have the law of releases on every corpus", "compared on one corpus, by a few numbers"),
    ("training", "Whether weights, atoms or a decoder were trained on protected records", "declared, not testable"),
    (
        "subjects",
        "What the subject does on a corpus other than the audited ones",
        "audits search, they do not enumerate",
    ),
)


def checks(run: Iterable[Check]) -> list[Check]:
    """One check that was not run for every id of this version's list that no other check has."""
    done = {check.id for check in run}
    return [
        Check(id_, "not_run", "declared", f"{what}: not assessed.", {}, LATER)
        for id_, what in WHAT.items()
        if id_ not in done
    ]


def entries(run: list[Check]) -> list[dict[str, str]]:
    """The list of what was not assessed: checks that were not run, then standing limits."""
    gaps = [check for check in run if check.status == "not_run"]
    listed = [(check.id, WHAT.get(check.id, check.summary.rstrip(".")), check.reason or "") for check in gaps]
    return [{"id": id_, "what": what, "why": why} for id_, what, why in (*listed, *LIMITS)]
