"""distribution.ideal and distribution.bits: whether plans tell adjacent corpora apart better than claimed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from dpspin.plan import exact
from dpspin_audits.checks.check import Check, Status, at_least, at_most, level
from dpspin_audits.judgement import Judgement, LowerBound, refutes
from dpspin_audits.subject import Claim

IDEAL, BITS = "distribution.ideal", "distribution.bits"
BEYOND = 1.25
"""Where rounded masses are a finding, bits are one of their own if their bound exceeds the other by this factor."""
TELLING = 2
"""A pass needs enough power to find this multiple of the claimed epsilon: what noise of half the scale would cost."""


def ideal(judgements: Sequence[Judgement], claim: Claim) -> Check:
    """The verdict on rounded masses."""
    tests = [test for judgement in judgements for test in judgement.ideal]
    return _verdict(IDEAL, tests, judgements, claim)


def bits(judgements: Sequence[Judgement], claim: Claim) -> Check:
    """The verdict on low-order bits, by rates: that some bits occur on one side only is true of good mechanisms too.

    Bits are crossed with coarse sizes, so that what rounded masses show, bits show too.  A finding here is one that
    goes beyond them; otherwise nothing can be said of bits until the other finding is mended.
    """
    tests = [test for judgement in judgements for test in judgement.bits]
    rounded = [test for judgement in judgements for test in judgement.ideal]
    found = _verdict(BITS, tests, judgements, claim)
    known = max(test.epsilon_at_least for test in rounded)
    beyond = max(test.epsilon_at_least for test in tests) > BEYOND * known
    if found.status != "fail" or beyond or not any(refutes(test, claim) for test in rounded):
        return found
    return replace(
        found,
        status="inconclusive",
        reason="rounded masses show as much; bits cannot be told apart from them",
        remedy="mend what distribution.ideal found and audit again",
    )


def _verdict(name: str, tests: Sequence[LowerBound], judgements: Iterable[Judgement], claim: Claim) -> Check:
    figures = {"tests": [_figures(test) for test in tests]}
    best, claimed = max(tests, key=lambda test: test.epsilon_at_least), exact(claim.epsilon)
    seen = f"epsilon is at least {at_least(best.epsilon_at_least)} ({best.pair}; {best.score})"
    summary = f"Measured in {len(tests)} tests: {seen}; claimed {claimed}."
    crashed = sum(judgement.crashed for judgement in judgements)
    strongest = min((test.detectable for test in tests if test.detectable is not None), default=inf)
    status: Status = "pass"
    reason = remedy = None
    if any(refutes(test, claim) for test in tests):
        status, reason, remedy = "fail", f"{seen}, but at most {claimed} is claimed", _REMEDIES[name]
    elif crashed:
        status, remedy = "error", "make every release give a plan"
        reason = f"{crashed} runs gave no plan; they were counted as an output"
    elif strongest > TELLING * claim.epsilon:
        status, remedy = "inconclusive", "audit with more runs"
        reason = f"not even twice the claimed epsilon would have been found in {best.guesses.runs} runs"
    return Check(name, status, "statistical", summary, figures, reason, remedy)


def _figures(test: LowerBound) -> dict[str, object]:
    return {
        "pair": test.pair,
        "score": test.score,
        "runs": test.guesses.runs,
        "guessed": test.guesses.guessed,
        "right": test.guesses.right,
        "alpha": level(test.alpha),
        "epsilon_at_least": at_least(test.epsilon_at_least),
        "detectable": None if test.detectable is None else at_most(test.detectable),
    }


_REMEDIES = {
    IDEAL: "compare noise scale, contribution bound and selection of units with the claim",
    BITS: "add noise that is exact in law on a lattice, never floating-point noise",
}
