"""What the noise of a deployment does to its plans, and what other mechanisms would do at the same loss (Appendix A).

Everything follows from public parameters; nothing is known here of a corpus.
"""

from collections.abc import Iterator
from fractions import Fraction

from dpspin.accounting.calibration import Peeling
from dpspin.accounting.comparison import ASSUMED_DELTA, best, compare
from dpspin.accounting.utility import admission_gap, admission_loss, sharper_top_l_loss
from dpspin.adjacency import MASS_UNIT
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import at_most


def tree(setting: Setting) -> dict[str, object]:
    """The evidence's account of utility; errors are in units of mass and rounded up."""
    bounds = compare(setting.deployment, len(setting.universe))
    least = best(bounds)
    return {
        "noise_floor": at_most(setting.floor / MASS_UNIT),
        "statements": list(_statements(setting)),
        "comparison": [
            {
                "mechanism": bound.mechanism,
                "selection_error": at_most(bound.selection_error),
                "value_error": at_most(bound.value_error),
            }
            for bound in bounds
        ],
        "best": {"selection": least.selection, "values": least.values},
        "assumed_delta": ASSUMED_DELTA if any(bound.delta_assumed for bound in bounds) else None,
    }


def _statements(setting: Setting) -> Iterator[dict[str, object]]:
    """Bounds of this deployment, each by itself with probability at least 1 - noise_beta."""
    plan, width, tau = setting.deployment.plan, len(setting.universe), setting.floor / MASS_UNIT
    kept = 1 - float(plan.noise_beta)
    if isinstance(setting.noise, Peeling):
        shape = float(setting.noise.exponent * MASS_UNIT), width, plan.size, float(plan.noise_beta)
        gap, loss, which = admission_gap(*shape), admission_loss(*shape), "released"
    else:
        gap = 2 * tau if plan.size < width else 0.0
        loss, which = float(sharper_top_l_loss(Fraction(setting.floor), plan.size, width)) / MASS_UNIT, "noisy"
    yield _statement("masses", f"All {which} masses lie within this of the exact sums.", tau, kept, "exact")
    yield _statement("gap", "No released theme has so much less mass than one left out.", gap, kept, "bound")
    yield _statement("loss", "The released themes lack at most so much of the largest total.", loss, kept, "bound")


def _statement(name: str, text: str, value: float, probability: float, kind: str) -> dict[str, object]:
    return {"id": name, "text": text, "value": at_most(value), "probability": f"{probability:.6g}", "kind": kind}
