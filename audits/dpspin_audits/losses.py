"""What evidence holds of the accounting: claimed and accounted loss, other bounds, the curve, charge and budget."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpspin.accounting.composition import Composition
from dpspin.accounting.cost import Alternative, Cost
from dpspin.accounting.curve import PeelingCurve, native, of_deployment, points
from dpspin.accounting.second_opinion import Opinion
from dpspin.decimals import exact
from dpspin.deployment import UniverseCharge
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.bundle import charge_of, universe_charge_of
from dpspin_audits.checks.accounting import alternatives
from dpspin_audits.curves import LEAST, mu_of
from dpspin_audits.ends import rounded
from dpspin_audits.subject import Claim

STEPS = 40
"""Points of the curve; enough for a figure."""


Exposures = Sequence[Mapping[str, object]]


def whole(setting: Setting, claim: Claim, cost: Cost, opinion: Opinion | None, seen: Exposures) -> dict[str, object]:
    """`tree` and `built` for the exposures of an audit (`bundle.exposures`)."""
    return tree(setting, cost, opinion, charge_of(seen)) | built(setting, claim, seen)


def tree(setting: Setting, cost: Cost, opinion: Opinion | None, charge: str | None) -> dict[str, object]:
    """Everything but what was measured.

    Args:
        setting: deployment and universe.
        cost: what the deployment's own noise costs.
        opinion: another library's figure, where it has one.
        charge: id of the charge of the release that is judged too.
    """
    d = setting.deployment
    claimed = {"epsilon": d.mechanism.epsilon.text, "delta": d.mechanism.delta.text}
    return {
        "claimed": claimed,
        "accounted": {"epsilon": exact(cost.epsilon), "delta": exact(cost.delta), "theorem": cost.theorem},
        "alternatives": alternatives(cost),
        "lower": cost.lower and _bound(cost.lower),
        "curve": curve(setting),
        "second_opinion": opinion and _opinion(opinion),
        "charge": None if charge is None else {"id": charge, **claimed},
        "budget": {"epsilon": d.budget.epsilon.text, "delta": d.budget.delta.text},
    }


def built(setting: Setting, claim: Claim, seen: Exposures) -> dict[str, object]:
    """What the universe is declared to cost, and its sum with the claim; nothing where it is not charged.

    The claim is about a release over the universe as it is, so that both add up (basic composition).

    Raises:
        UsageError: for a claim about another unit or adjacency than that under which the cost was declared.
    """
    if (cost := check_addable(setting, claim)) is None:
        return {}
    total = {"epsilon": exact(claim.epsilon + cost.epsilon), "delta": exact(min(claim.delta + cost.delta, Fraction(1)))}
    paid = {"id": universe_charge_of(seen), "epsilon": cost.epsilon.text, "delta": cost.delta.text}
    return {"universe": paid, "total": total}


def check_addable(setting: Setting, claim: Claim) -> UniverseCharge | None:
    """The declared cost of the universe, once it is about the same unit and adjacency as the claim; None for none.

    Raises:
        UsageError: as `built`.
    """
    d = setting.deployment
    declared, claimed = f"{d.unit} {d.adjacency}", f"{claim.unit} {claim.adjacency}"
    if d.universe.charge and declared != claimed:
        raise UsageError(
            "universe.charge", f"declared for {declared}, and the subject claims {claimed}: they have no sum",
            "claim what the deployment declares",
        )  # fmt: skip
    return d.universe.charge


def _bound(one: Alternative) -> dict[str, str]:
    return {"name": one.name, "epsilon": exact(one.epsilon), "delta": exact(one.delta)}


def _opinion(opinion: Opinion) -> dict[str, str]:
    said = {"tool": opinion.tool, "version": opinion.version, "epsilon": f"{opinion.epsilon:.6f}"}
    return said | {"note": opinion.note}


def curve(setting: Setting) -> dict[str, object] | None:
    """The curve of the deployment as configured, rounded up; None where it cannot be followed that far."""
    try:
        whole = of_deployment(setting.deployment, len(setting.universe))
        found, known = points(whole, LEAST, STEPS), native([whole])
    except UsageError:
        return None
    return {
        "attained": not isinstance(whole, PeelingCurve | Composition),
        "pure": None if known.pure is None else exact(known.pure),
        "rho": rounded(known.rho, up=True),
        "mu": rounded(mu_of(known.mu_squared), up=True),
        "points": [{"epsilon": exact(point.epsilon), "delta": rounded(point.delta.high, up=True)} for point in found],
    }
