"""Claims on the methods that the plan is compared with (paper sections 1 and 6.5)."""

from math import sqrt

from dpspin_experiments.baselines.methods import CATEGORIES, KEYWORDS, PLAN, URANIA
from dpspin_experiments.baselines.standing import Standing
from dpspin_experiments.results.evidence import Evidence
from dpspin_experiments.results.finding import NOTHING, Finding, verdict

HIGH = 0.9
"""What "high" is taken to mean; the paper speaks of scores of a language model and gives no number here.

Verdicts are by what the told entries hold (MassRetained), because Overlap hangs on ties at the boundary.
"""

DEVIATIONS = 3
"""Standard errors by which two means differ where that is no chance."""


def histograms_do_well(seen: Evidence) -> Finding:
    """Histograms of a fixed vocabulary that fits the corpus tell its most frequent entries."""
    found = {each.name: each for each in seen.standings}
    rows = [found[name] for name in (KEYWORDS, CATEGORIES) if name in found]
    if not rows or PLAN not in found:
        return NOTHING
    said = "; ".join(f"{each.name}: {_told(each)}" for each in (*rows, found[PLAN]))
    reached = ", ".join(f"{_mean(each, 'reach'):.0%}" for each in (*rows, found[PLAN]))
    why = (
        "By counts, not by the scores of a model that the paper has. Each is held to its own entries: a high number "
        f"says that the noise is small, not that the entries say much. Reach, in the same order: {reached}."
    )
    return Finding(verdict(all(_mean(each, "retained") >= HIGH for each in rows)), said, why)


def clusters_are_no_aggregates(seen: Evidence) -> Finding:
    """Descriptions of clusters do not give the aggregates of the whole collection."""
    found = {each.name: each for each in seen.standings}
    if not {KEYWORDS, URANIA} <= set(found) or "overlap" not in found[URANIA].measures:
        return NOTHING
    said = "; ".join(f"{name} {_told(found[name])}" for name in (KEYWORDS, URANIA))
    why = (
        "At the same epsilon. It pays for clustering and sizes, too, and answers another question: which groups there "
        "are. A structure is compared here, not the authors' system."
    )
    less = _mean(found[KEYWORDS], "retained") - _mean(found[URANIA], "retained")
    chance = _chance(found[KEYWORDS], found[URANIA])
    if 0 < less <= chance:
        why = f"MassRetained is lower, but by no more than chance of so few releases can do ({chance:.3f}). {why}"
    return Finding(verdict(less > chance), f"the collection's most frequent keywords: {said}", why)


def _chance(one: Standing, other: Standing) -> float:
    """What two means of MassRetained may differ by where the methods do not."""
    spreads = [each.measures["retained"] for each in (one, other) if "retained" in each.measures]
    return DEVIATIONS * sqrt(sum(each.deviation**2 / each.runs for each in spreads))


def _told(each: Standing) -> str:
    return f"Overlap {_mean(each, 'overlap'):.2f}, MassRetained {_mean(each, 'retained'):.3f}"


def _mean(each: Standing, name: str) -> float:
    spread = each.measures.get(name)
    return 0.0 if spread is None else spread.mean
