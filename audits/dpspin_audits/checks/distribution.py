"""distribution.ideal and distribution.bits: whether plans tell adjacent corpora apart better than claimed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dpspin.decimals import exact
from dpspin_audits.checks.check import Check, Status, at_least, at_most, level
from dpspin_audits.judgement import Judgement, LowerBound
from dpspin_audits.subject import Claim

IDEAL, BITS = "distribution.ideal", "distribution.bits"
BEYOND = 1.25
"""Where rounded masses are a finding, bits are one of their own if their bound exceeds the other by this factor."""
TELLING = 2
"""A pass needs enough power to find this multiple of the claimed epsilon: what noise of half the scale would cost."""


def ideal(judgements: Sequence[Judgement], claim: Claim) -> Check:
    """The verdict on rounded masses: against the claim, then against the law that the claim states."""
    tests = [test for judgement in judgements for test in judgement.ideal]
    laws = [test for judgement in judgements for test in judgement.law]
    found = _verdict(IDEAL, tests, judgements, claim, laws)
    broken = [test for test in laws if test.refutes]
    if found.status == "fail" or not broken:
        return found
    worst, (most, delta) = broken[0], broken[0].point
    reason = (
        f"not the stated law: at delta {delta:.3g} the stated noise keeps epsilon {at_most(most)}, "
        f"and epsilon is at least {at_least(worst.epsilon_at_least)} ({worst.pair}); the claim itself was not refuted"
    )
    return replace(found, status="fail", reason=reason, remedy=_REMEDIES[IDEAL])


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
    if found.status != "fail" or beyond or not any(test.refutes for test in rounded):
        return found
    return replace(
        found,
        status="inconclusive",
        reason="rounded masses show as much; bits cannot be told apart from them",
        remedy="mend what distribution.ideal found and audit again",
    )


def _verdict(
    name: str,
    tests: Sequence[LowerBound],
    judgements: Iterable[Judgement],
    claim: Claim,
    laws: Sequence[LowerBound] = (),
) -> Check:
    figures = {"tests": [_figures(test) for test in (*tests, *laws)]}
    best, claimed = max(tests, key=lambda test: test.epsilon_at_least), exact(claim.epsilon)
    seen = f"epsilon is at least {at_least(best.epsilon_at_least)} ({best.pair}; {best.score})"
    summary = f"Measured in {len(tests) + len(laws)} tests: {seen}; claimed {claimed}."
    crashed = sum(judgement.crashed for judgement in judgements)
    status: Status = "pass"
    reason = remedy = None
    if any(test.refutes for test in tests):
        status, reason, remedy = "fail", f"{seen}, but at most {claimed} is claimed", _REMEDIES[name]
    elif crashed:
        status, remedy = "error", "make every release give a plan"
        reason = f"{crashed} runs gave no plan; they were counted as an output"
    elif not any(_telling(test) for test in (*tests, *laws)):
        status, remedy = "inconclusive", "audit with more runs"
        reason = f"not even twice the claimed epsilon would have been found in {best.guesses.runs} runs"
    return Check(name, status, "statistical", summary, figures, reason, remedy)


def _telling(test: LowerBound) -> bool:
    return test.detectable is not None and test.detectable <= TELLING * test.point.epsilon


def _figures(test: LowerBound) -> dict[str, object]:
    return {
        "pair": test.pair,
        "score": test.score,
        "runs": test.guesses.runs,
        "guessed": test.guesses.guessed,
        "right": test.guesses.right,
        "alpha": level(test.alpha),
        "against": {"epsilon": at_most(test.point.epsilon), "delta": f"{test.point.delta:.6g}"},
        "epsilon_at_least": at_least(test.epsilon_at_least),
        "detectable": None if test.detectable is None else at_most(test.detectable),
    }


_REMEDIES = {
    IDEAL: "compare noise scale, contribution bound and selection of units with the claim",
    BITS: "add noise that is exact in law on a lattice, never floating-point noise",
}
