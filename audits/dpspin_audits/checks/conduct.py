"""conduct: what a subject does besides releasing, seen in a process of its own.

Whatever it writes, sends or leaves running is an output that no charge covers.  What it prints is searched by the
canary; whether its prints depend on records is a matter of the error channel.
"""

from dpspin_audits.checks.check import Check, Location
from dpspin_audits.running.outcomes import Conduct

ID, PROCESSES = "conduct", "conduct.processes"
REMEDY = "let a release give its files and nothing else"


def check(seen: Conduct | None) -> Check:
    """The verdict.

    Args:
        seen: what became of some releases; None where new processes cannot be had.
    """
    if seen is None:
        return Check(
            ID, "not_run", "exact_on_hit", "What the subject does besides releasing was not watched.", {},
            "needs releases in a new process", "audit by the command line",
        )  # fmt: skip
    figures = {
        "releases": len(seen.outcomes),
        "printed": sum(bool(outcome.printed) for outcome in seen.outcomes),
        "processes": seen.started,
    }
    if seen.ended:
        return Check(
            ID, "error", "exact_on_hit", "The implementation broke off.", figures, seen.ended, "mend it and audit again"
        )
    if seen.written:
        return Check(
            ID, "fail", "exact_on_hit", "A release leaves files outside its bundle.", figures,
            f"{seen.written[0]!a:.200} was written", REMEDY, Location(ascii(seen.written[0])[1:-1]),
        )  # fmt: skip
    if seen.network:
        return Check(
            ID, "fail", "exact_on_hit", "A release turns to the network.", figures,
            f"it turned to {seen.network[0]!a:.200}", REMEDY,
        )  # fmt: skip
    if seen.outlived:
        return Check(
            ID, "fail", "exact_on_hit", "A release leaves a process behind.", figures,
            "a process that it started was there after it; it was ended", REMEDY,
        )  # fmt: skip
    what = "write and send" if seen.unseen else "write, send and leave"
    watched = "" if not seen.started else "; what processes that it started did was not seen"
    return Check(ID, "pass", "exact_on_hit", f"Releases {what} nothing but their bundles{watched}.", figures)


def unseen(seen: Conduct) -> Check:
    """That processes which a release leaves behind could not be looked for, where that is so: neither found nor ended.

    Args:
        seen: with a reason why.
    """
    return Check(
        PROCESSES, "not_run", "exact_on_hit", "Whether a release leaves a process behind was not looked for.", {},
        seen.unseen, "audit on a system that has it, such as Linux, and look for processes of the subject by hand here",
    )  # fmt: skip
