"""accounting.claim and accounting.second_opinion: whether the claimed epsilon follows from the claimed noise."""

from dpspin.accounting.cost import Cost, Opinion
from dpspin.adjacency import sensitivity
from dpspin.plan import exact
from dpspin_audits.checks.check import Check
from dpspin_audits.subject import Claim

CLAIM, OPINION = "accounting.claim", "accounting.second_opinion"
AGREEMENT = 1e-6


def claim(claimed: Claim, universe_size: int) -> Check:
    """Delta_1 / scale, exactly, against the claimed epsilon (paper section 5.4).

    Args:
        claimed: what the subject promises.
        universe_size: number of atoms.
    """
    if claimed.mechanism != "laplace" or not claimed.scale:
        return Check(
            CLAIM, "not_run", "exact", "The claimed epsilon was not computed again.", {},
            "needs a claim that names its mechanism and scale", 'claim mechanism "laplace" and its scale',
        )  # fmt: skip
    shift = sensitivity(claimed.adjacency, claimed.mass_bound, universe_size).l1
    cost = shift / claimed.scale
    figures = {
        "sensitivity": exact(shift),
        "scale": exact(claimed.scale),
        "epsilon": exact(cost),
        "claimed": exact(claimed.epsilon),
    }
    if cost > claimed.epsilon or claimed.delta < 0:
        return Check(
            CLAIM, "fail", "exact", "The claimed epsilon does not follow from the claimed noise.", figures,
            f"Delta_1 / scale is {exact(cost)}, more than {exact(claimed.epsilon)}",
            "claim that, or add noise of a larger scale",
        )  # fmt: skip
    return Check(CLAIM, "pass", "exact", f"Delta_1 / scale is {exact(cost)}, at most the claimed epsilon.", figures)


def second_opinion(cost: Cost, opinion: Opinion) -> Check:
    """Whether another library gives the same loss, to within AGREEMENT."""
    figures = {"tool": f"{opinion.tool} {opinion.version}", "epsilon": f"{opinion.epsilon:.6f}"}
    if abs(opinion.epsilon - float(cost.epsilon)) > AGREEMENT * max(1.0, float(cost.epsilon)):
        return Check(
            OPINION, "fail", "exact_on_hit", "Two computations of the loss disagree.", figures,
            f"{opinion.tool} gives {opinion.epsilon:.6f}, we {exact(cost.epsilon)}", "find out which is wrong",
        )  # fmt: skip
    return Check(OPINION, "pass", "exact_on_hit", f"{opinion.tool} agrees to six digits.", figures)
