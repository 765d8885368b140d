"""accounting.claim and accounting.second_opinion: whether the claimed loss follows from the claimed noise."""

from decimal import ROUND_CEILING, Context
from fractions import Fraction

from dpspin.accounting.cost import Cost
from dpspin.accounting.second_opinion import UNEXPLAINED, Opinion, unasked
from dpspin.decimals import exact
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import Check
from dpspin_audits.distribution import stated
from dpspin_audits.subject import Claim

CLAIM, OPINION = "accounting.claim", "accounting.second_opinion"
LONGEST = 12
ROUNDED_UP = Context(prec=6, rounding=ROUND_CEILING)


def claim(claimed: Claim, setting: Setting) -> Check:
    """The cost of the claimed noise under the claimed relation, against the claimed epsilon and delta.

    Args:
        claimed: what the subject promises.
        setting: numbers of atoms and of released ones.
    """
    cost = stated.cost(claimed, setting)
    if cost is None:
        return Check(
            CLAIM, "not_run", "exact", "The claimed epsilon was not computed again.", {},
            "needs a claim that names its mechanism and noise", "claim a mechanism, its scale and, where it peels, eta",
        )  # fmt: skip
    figures = {
        "epsilon": exact(cost.epsilon),
        "delta": exact(cost.delta),
        "claimed": exact(claimed.epsilon),
        "claimed_delta": exact(claimed.delta),
        "theorem": cost.theorem,
        "alternatives": alternatives(cost),
    }
    if cost.epsilon > claimed.epsilon or cost.delta > claimed.delta:
        return Check(
            CLAIM, "fail", "exact", "The claim does not follow from the claimed noise.", figures,
            f"that noise costs epsilon {_brief(cost.epsilon)}, delta {_brief(cost.delta)}; claimed are "
            f"{exact(claimed.epsilon)} and {exact(claimed.delta)}",
            "claim what it costs, or add more noise",
        )  # fmt: skip
    how = "" if cost.delta == 0 else "; delta is rounded up"
    kept = f"keeps epsilon {_brief(cost.epsilon)} with delta {_brief(cost.delta)}"
    summary = f"The claimed noise {kept}, within the claim{how}."
    return Check(CLAIM, "pass", "exact", summary, figures)


def _brief(value: Fraction) -> str:
    """Exact where that is short, six digits rounded up elsewhere."""
    text = exact(value)
    return text if len(text) <= LONGEST else f"{ROUNDED_UP.divide(value.numerator, value.denominator):g}"


def alternatives(cost: Cost) -> list[dict[str, str]]:
    """Every bound that is known, where there are several."""
    return [{"name": one.name, "epsilon": exact(one.epsilon), "delta": exact(one.delta)} for one in cost.alternatives]


def second_opinion(cost: Cost, opinion: Opinion | None) -> Check:
    """Whether another library gives a loss that ours explains (`dpspin.accounting.second_opinion.note`).

    It may be smaller, where ours is certified to be needed, and larger by what its rounding explains.
    """
    if opinion is None:
        return Check(
            OPINION, "not_run", "exact_on_hit", "No other accountant was asked.", {}, unasked(cost),
            "none is needed: the accounted loss does not rest on it",
        )  # fmt: skip
    tool = f"{opinion.tool} {opinion.version}"
    figures = {"tool": tool, "epsilon": f"{opinion.epsilon:.6f}", "note": opinion.note}
    if opinion.note == UNEXPLAINED:
        return Check(
            OPINION, "fail", "exact_on_hit", "Two computations of the loss disagree.", figures,
            f"{opinion.tool} gives {opinion.epsilon:.6f}, we {exact(cost.epsilon)}", "find out which is wrong",
        )  # fmt: skip
    return Check(OPINION, "pass", "exact_on_hit", f"{opinion.tool}: {opinion.note}.", figures)
