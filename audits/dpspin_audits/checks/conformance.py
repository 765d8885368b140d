"""conformance: whether every deterministic step gives what the vectors say."""

from collections import Counter

from dpspin_audits.checks.check import Check
from dpspin_audits.conformance import suite
from dpspin_audits.conformance.run import answers_of, run

ID = "conformance"
MOST_NAMED = 10


def check(subject: object) -> Check:
    """Run the vectors, all of them, on a subject that answers them.

    A difference is exact: the vector names the input.  Steps that the subject skips are counted and named.
    """
    answer = answers_of(subject)
    if answer is None:
        return Check(
            ID, "not_run", "exact", "The steps were not compared with the reference.", {},
            "needs a subject that answers vectors", "give it `vector(function, given)` (`dpspin conform`)",
        )  # fmt: skip
    outcomes = list(run(suite.cases(), answer))
    if lost := getattr(subject, "lost", None):  # a command that broke off is no wrong answer
        raise lost
    counts = Counter(outcome.status for outcome in outcomes)
    steps = {outcome.case.function for outcome in outcomes if outcome.status == "skipped"}
    wrong = [outcome for outcome in outcomes if outcome.status in ("fail", "error")]
    figures = {
        "vectors": len(outcomes), "passed": counts["pass"], "failed": len(wrong), "skipped": counts["skipped"],
        "steps_skipped": sorted(steps), "first": [outcome.case.name for outcome in wrong[:MOST_NAMED]],
    }  # fmt: skip
    if wrong:
        first = wrong[0]
        return Check(
            ID, "fail", "exact", f"{len(wrong)} of {len(outcomes)} vectors are answered otherwise.", figures,
            f"{first.case.name} ({first.case.comment}): {first.found}",
            "run `dpspin conform` and mend the steps that it names",
        )  # fmt: skip
    if not counts["pass"]:
        return Check(
            ID, "not_run", "exact", "The subject skips every step.", figures, "needs a subject that has the steps",
            "answer at least one function",
        )  # fmt: skip
    rest = f"; {counts['skipped']} were skipped" if steps else ""
    return Check(ID, "pass", "exact", f"{counts['pass']} vectors are answered as the reference does{rest}.", figures)
