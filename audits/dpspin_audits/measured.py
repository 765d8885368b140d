"""What an audit measured, in a form that a figure can be drawn from: wealth over runs, and the two errors.

Numbers are rounded against the finding: lower bounds and wealth down, margins up.
"""

from collections.abc import Iterator, Sequence

from dpspin_audits.checks.check import at_least, at_most, level, wealth
from dpspin_audits.distribution.bets import LowerBound
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.statistics.tradeoff import Tradeoff

PLACES = 6


def figures(judgements: Sequence[Judgement]) -> dict[str, object]:
    """The largest bound on mu, the path of the luckiest bettor of every family, and the most telling errors.

    Args:
        judgements: of all families, at least one.
    """
    most = max(judgements, key=lambda judgement: judgement.mu_at_least)
    return {
        "mu_at_least": at_least(most.mu_at_least),
        "bets": list(_paths(judgements)),
        "tradeoff": None if most.tradeoff is None else _errors(most, most.tradeoff),
    }


def _paths(judgements: Sequence[Judgement]) -> Iterator[dict[str, object]]:
    for judgement in judgements:
        tests = [("claim", test) for test in (*judgement.ideal, *judgement.bits)]
        tests += [("law", test) for test in judgement.law]
        for about in ("claim", "law"):
            known = [test for of, test in tests if of == about]
            found = max(known, key=_largest, default=None)
            if found is not None:
                yield from _path(about, found)


def _largest(test: LowerBound) -> float:
    return 0.0 if test.bets is None else test.bets.largest


def _path(about: str, test: LowerBound) -> Iterator[dict[str, object]]:
    if test.bets is not None:
        yield {
            "about": about,
            "pair": test.pair,
            "score": test.score,
            "alpha": level(test.bets.alpha),
            "reached": test.bets.reached,
            "path": [{"runs": look.runs, "wealth": wealth(look.log_wealth)} for look in test.bets.path],
        }


def _errors(judgement: Judgement, found: Tradeoff) -> dict[str, object]:
    return {
        "pair": judgement.ideal[-1].pair,
        "score": judgement.ideal[-1].score,
        "runs": judgement.runs,
        "alpha": level(found.alpha),
        "points": [
            {"false_alarm": f"{point.false_alarm:.{PLACES}f}", "miss": f"{point.miss:.{PLACES}f}"}
            for point in found.points
        ],
        "false_alarm_margin": at_most(found.false_alarm_margin),
        "miss_margin": at_most(found.miss_margin),
    }
