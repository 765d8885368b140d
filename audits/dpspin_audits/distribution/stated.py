"""What a claim states beyond (epsilon, delta): the law of the release, its cost, and the whole curve that follows.

For any fixed rule, what (epsilon, delta) implies at another epsilon' is a mixture of that inequality and of
P(right) + P(wrong) <= 1, and so never sharper: a bare claim is tried at its own point alone.  The curve of a named
mechanism is sharper, and is a statement about that mechanism: an implementation may break it and keep (epsilon, delta).
"""

from contextlib import suppress
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from dpspin.accounting import admission as closed_form
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Noise, Peeling, ValueNoise
from dpspin.accounting.cost import Alternative, Cost, admission_of, cost_of, selection_cost
from dpspin.accounting.gaussian import tight_delta
from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.mechanism import Gaussian, Laplace, PrivateTopL
from dpspin.pipeline import Setting
from dpspin.settings import Exact
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.statistics.full_sketch import FullSketchScore
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.statistics.laws import GaussianLaw, LaplaceLaw, Law
from dpspin_audits.statistics.peeling import PeelingScore
from dpspin_audits.subject import Claim

StatedScore = FullSketchScore | PeelingScore
STEPS = 12
"""Points of a curve, evenly from epsilon 0 to where losses three standard deviations above their mean lie."""


def noise_of(claim: Claim) -> Noise | None:
    """The noise that a claim names, in lattice units; None where it does not name all of it."""
    if claim.mechanism is None or not claim.scale:
        return None
    if claim.mechanism != "private_top_l":
        return _values(claim.mechanism, claim.scale)
    values = _values(claim.values, claim.scale)
    return None if values is None or not claim.exponent else Peeling(claim.exponent / MASS_UNIT, values)


def _values(kind: str | None, scale: Fraction) -> ValueNoise | None:
    if kind == "laplace":
        return LaplaceNoise(scale * MASS_UNIT)
    return GaussianNoise(scale * MASS_UNIT) if kind == "gaussian" else None


def cost(claim: Claim, setting: Setting) -> Cost | None:
    """What the stated noise costs under the claimed relation; None where it is not stated.

    Args:
        claim: unit, relation, bound and noise as claimed.
        setting: numbers of atoms and of released ones.
    """
    noise = noise_of(claim)
    if noise is None:
        return None
    return cost_of(noise, _deployment(claim, noise, setting), len(setting.universe))


def _deployment(claim: Claim, noise: Noise, setting: Setting) -> Deployment:
    """The deployment as the claim would have it."""
    relation = {"adjacency": claim.adjacency, "mass_bound": _exact(claim.mass_bound)}
    return setting.deployment.model_copy(update={**relation, "mechanism": _mechanism(claim, noise, setting)})


def _mechanism(claim: Claim, noise: Noise, setting: Setting) -> Laplace | Gaussian | PrivateTopL:
    """The claim as a declared mechanism; what admission does not spend of epsilon is left to the values."""
    loss: dict[str, Any] = {"epsilon": _exact(claim.epsilon), "delta": _exact(claim.delta)}
    if isinstance(noise, LaplaceNoise):
        return Laplace.model_construct(kind="laplace", **loss)
    if isinstance(noise, GaussianNoise):
        return Gaussian.model_construct(kind="gaussian", calibration="analytic", **loss)
    spent = _selection(claim, noise, setting)
    share = spent / claim.epsilon if spent < claim.epsilon else Fraction(1)
    return PrivateTopL.model_construct(
        kind="private_top_l", em_mode="tight", selection_share=_exact(share), values=claim.values or "laplace", **loss
    )


def _selection(claim: Claim, noise: Peeling, setting: Setting) -> Fraction:
    admitted, width = setting.deployment.plan.size, len(setting.universe)
    if admitted >= width:
        return Fraction(0)
    return selection_cost(claim.adjacency, admitted, noise.exponent * MASS_UNIT * claim.mass_bound)


def _exact(value: Fraction) -> Exact:
    return Exact(str(Fraction(value)))


def curve(claim: Claim, setting: Setting) -> list[Point]:
    """Points (epsilon, delta) that the stated law keeps and the claim alone does not; none where they coincide.

    A Gaussian release keeps (e, delta(e; sigma)) for every e.  Admission adds its own pure loss to each, or makes delta
    that of the closed form; the lesser one counts.
    """
    noise, known = noise_of(claim), cost(claim, setting)
    if noise is None or known is None:
        return []
    values = noise.values if isinstance(noise, Peeling) else noise
    if not isinstance(values, GaussianNoise):
        pure = [Alternative("accounted", known.epsilon, known.delta), *known.alternatives]
        least = min((one.epsilon for one in pure if one.delta == 0), default=claim.epsilon)
        return [point(least, Fraction(0))] if least < claim.epsilon else []
    released = len(setting.universe)
    if isinstance(noise, Peeling):
        released = min(setting.deployment.plan.size, released)
    shift = sensitivity(claim.adjacency, claim.mass_bound, released).l2_squared * MASS_UNIT**2
    ratio = shift / values.sigma**2
    if isinstance(noise, Peeling):
        return _peeling_curve(claim, noise, setting, ratio)
    return [point(loss, tight_delta(loss, ratio)) for loss in _losses(ratio)]


def _losses(square: Fraction) -> list[Fraction]:
    """Evenly from 0 to three standard deviations above the mean of a normal loss with this variance."""
    furthest = float(square) / 2 + 3 * float(square) ** 0.5
    return [Fraction(step * furthest / STEPS).limit_denominator(10**6) for step in range(STEPS + 1)]


def _peeling_curve(claim: Claim, noise: Peeling, setting: Setting, ratio: Fraction) -> list[Point]:
    """As `curve`, with ratio = (Delta_2 / sigma)^2 of the values."""
    admission = admission_of(noise, _deployment(claim, noise, setting), len(setting.universe))
    spent, found = _selection(claim, noise, setting), []
    for loss in _losses(ratio + min(admission.rounds, 4) * admission.per_round**2):
        deltas = [tight_delta(loss - spent, ratio)] if loss >= spent else []
        with suppress(UsageError):  # more rounds or finer numbers than the closed form takes
            deltas.append(closed_form.delta(admission, loss).high)
        found += [point(loss, min(deltas))] if deltas else []
    return found


def point(epsilon: Fraction, delta: Fraction) -> Point:
    """Two exact numbers in binary64, rounded up where they must be rounded."""
    return Point(*(x if (x := float(exact)) >= exact else nextafter(x, inf) for exact in (epsilon, delta)))


def law(claim: Claim) -> Law | None:
    """The law of the noise of released masses, where it is stated."""
    noise = noise_of(claim)
    if noise is None:
        return None
    values = noise.values if isinstance(noise, Peeling) else noise
    if isinstance(values, LaplaceNoise):
        return LaplaceLaw(float(values.scale / MASS_UNIT))
    return GaussianLaw(float(values.sigma / MASS_UNIT))


def score(claim: Claim, pair: Pair) -> StatedScore | None:
    """The log-likelihood ratio of the stated law on a pair; None where it is not stated."""
    stated = law(claim)
    if stated is None:
        return None
    if claim.mechanism == "private_top_l" and claim.exponent:
        return PeelingScore(pair.before, pair.after, pair.atoms, float(claim.exponent), stated)
    return FullSketchScore(*pair.probed, stated)
