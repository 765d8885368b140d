"""distribution.ideal and distribution.bits: whether plans tell adjacent corpora apart better than claimed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dpspin.decimals import exact
from dpspin.errors import ImpossibleError
from dpspin_audits.checks.check import Check, Status, at_least, at_most, level, wealth
from dpspin_audits.distribution.bets import Bets, LowerBound
from dpspin_audits.distribution.judgement import Judgement
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
    worst = max(broken, key=lambda test: (test.exceeds, test.epsilon_at_least - test.point.epsilon))
    reason = f"not the stated law: {_against_law(worst)} ({worst.pair}); the claim itself was not refuted"
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
    figures = {"tests": [*(_figures(test, "claim") for test in tests), *(_figures(test, "law") for test in laws)]}
    best, claimed = max(tests, key=lambda test: test.epsilon_at_least), exact(claim.epsilon)
    seen = f"epsilon is at least {at_least(best.epsilon_at_least)} ({best.pair}; {best.score})"
    about = f"{len(tests)} tests of the claim" + (f" and {len(laws)} of the stated law" if laws else "")
    summary = f"Measured in {about}: {seen}; claimed {claimed}."
    crashed = sum(judgement.crashed for judgement in judgements)
    status: Status = "pass"
    reason = remedy = None
    refuting = [test for test in tests if test.refutes]
    if refuting:
        shown = seen if best.exceeds else _grown(max(refuting, key=_wealth))
        status, reason, remedy = "fail", f"{shown}, but at most {claimed} is claimed", _REMEDIES[name]
    elif crashed:
        status, remedy = "error", "make every release give a plan"
        reason = f"{crashed} runs gave no plan; they were counted as an output"
    elif not any(_telling(test) for test in (*tests, *laws)):
        status, remedy = "inconclusive", "audit with more runs"
        reason = f"not even twice the claimed epsilon would have been found in {best.guesses.runs} runs"
    return Check(name, status, "statistical", summary, figures, reason, remedy)


def _wealth(test: LowerBound) -> float:
    return 0.0 if test.bets is None else test.bets.largest


def _grown(test: LowerBound) -> str:
    """What a bettor did that no bettor does, but for one time in so many, where the promise is kept."""
    if test.bets is None or test.bets.reached is None:
        raise ImpossibleError("a bet that was not won")
    return f"a stake grew {1 / test.bets.alpha:.0f}-fold within {test.bets.reached} runs ({test.pair}; {test.score})"


def _against_law(test: LowerBound) -> str:
    most, delta = test.point
    if not test.exceeds:
        return f"{_grown(test)} against the curve of the stated noise"
    return (
        f"at delta {delta:.3g} the stated noise keeps epsilon {at_most(most)}, "
        f"and epsilon is at least {at_least(test.epsilon_at_least)}"
    )


def _telling(test: LowerBound) -> bool:
    return test.detectable is not None and test.detectable <= TELLING * test.point.epsilon


def _figures(test: LowerBound, about: str) -> dict[str, object]:
    event = None if test.rule is None else {"side": test.rule.side, "threshold": f"{test.rule.threshold:.6g}"}
    return {
        "about": about,
        "pair": test.pair,
        "score": test.score,
        "runs": test.guesses.runs,
        "guessed": test.guesses.guessed,
        "right": test.guesses.right,
        "event": event,
        "alpha": level(test.alpha),
        "against": {"epsilon": at_most(test.point.epsilon), "delta": f"{test.point.delta:.6g}"},
        "epsilon_at_least": at_least(test.epsilon_at_least),
        "detectable": None if test.detectable is None else at_most(test.detectable),
        "bets": None if test.bets is None else _bets(test.bets),
    }


def _bets(bets: Bets) -> dict[str, object]:
    return {"runs": bets.runs, "reached": bets.reached, "alpha": level(bets.alpha), "wealth": wealth(bets.largest)}


_REMEDIES = {
    IDEAL: "compare noise scale, contribution bound and selection of units with the claim",
    BITS: "add noise that is exact in law on a lattice, never floating-point noise",
}
