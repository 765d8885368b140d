"""How far one unit moves released masses under held draws: by what it adds, and by nothing else.

Masses of atoms that are always admitted are compared under the same draws, so that noise cancels.  Where the draws' law
is known, its scale is read off from how masses answer when the noise is lifted by one scale; their ratio is a loss.
"""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from dpspin.adjacency import sensitivity
from dpspin.decimals import exact
from dpspin.errors import SubjectError
from dpspin_audits.checks import hostile_units
from dpspin_audits.checks.check import at_least
from dpspin_audits.checks.contributions import Searched
from dpspin_audits.checks.frozen import beyond, witness, worded
from dpspin_audits.checks.hostile_units import Unit
from dpspin_audits.noise.exposed import ROUNDED, Added, Masses, beside, masses_of
from dpspin_audits.noise.held import Held, Release
from dpspin_audits.noise.implied import NOTHING, Implied
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import Claim, Records

FAMILIES = {"laplace": "laplace", "normal": "gaussian", "gauss": "gaussian", "normalvariate": "gaussian"}
"""Draws of a known law whose scale can be read off."""
TRIED = 28
"""Hostile units whose shifts are looked at in whole releases."""


class Response(NamedTuple):
    """How released masses answer when noise is lifted by one scale."""

    law: str
    scales: Masses
    """Scale of the noise of each atom, in units of mass; rounded up."""


class Moved(NamedTuple):
    """A pair and how far it moves released masses."""

    without: Unit | None
    with_: Unit
    steps: Masses
    """By atom, without what rounding may have done."""

    @property
    def total(self) -> Fraction:
        """In l1."""
        return sum(self.steps.values(), Fraction(0))


def tapped(held: Held, variant: str, release: Release, claim: Claim, maker: Maker) -> Searched | None:
    """The same by held draws; None where no unit is seen to move anything.

    Raises:
        SubjectError: when a release of an ordinary corpus raises.
    """
    base = beside(maker)
    pairs = _moved(Added(release, base), claim, maker)
    worst = max(pairs, key=lambda pair: pair.total, default=None)
    if worst is None or not worst.total:
        return None
    response = _response(held, base) if variant == "tap" else None
    limit = sensitivity(claim.adjacency, claim.mass_bound, len(maker.setting.universe)).l1
    loss = max((_loss(pair, response) for pair in pairs), key=lambda loss: (loss.laplace, loss.gaussian))
    figures: dict[str, object] = {
        "variant": variant,
        "pairs": len(pairs),
        "largest_shift": at_least(float(worst.total)),
        "witness": witness(worst.without, worst.with_, base),
    }
    if response:
        figures["implied_epsilon_at_least"] = worded(loss, claim)
    problem = beyond(loss, claim, maker)
    if worst.total > limit:
        shift = at_least(float(worst.total))
        problem = f"released masses shift by {shift} under the same draws, more than Delta_1 = {exact(limit)}"
    return Searched(problem, f"No pair of {len(pairs)} shifts released masses by more than {exact(limit)}.", figures)


def _moved(added: Added, claim: Claim, maker: Maker) -> list[Moved]:
    """Pairs of hostile units, or of one and none, with the masses that they move."""
    seen: list[tuple[Unit, Masses]] = []
    for unit in hostile_units.units(maker)[:TRIED]:
        try:
            seen.append((unit, added(unit)))
        except SubjectError:
            continue
    if claim.adjacency == "add_drop":
        return [Moved(None, unit, _steps({}, masses)) for unit, masses in seen]
    return [Moved(one, two, _steps(less, more)) for (one, less), (two, more) in combinations(seen, 2)]


def _steps(less: Masses, more: Masses) -> Masses:
    common = set(more) & set(less) if less else set(more)
    return {atom: max(abs(more[atom] - less.get(atom, 0)) - ROUNDED, Fraction(0)) for atom in common}


def _loss(pair: Moved, response: Response | None) -> Implied:
    """The loss by the scale that was seen; none where none was."""
    ratios = (
        [step / response.scales[atom] for atom, step in pair.steps.items() if atom in response.scales]
        if response
        else []
    )
    rough = NOTHING._replace(whole=False)
    if response and response.law == "laplace":
        return rough._replace(laplace=sum(ratios, Fraction(0)), shifted=sum(map(bool, ratios)))
    return rough._replace(gaussian=sum((ratio * ratio for ratio in ratios), Fraction(0)))


def _response(held: Held, base: Records) -> Response | None:
    """What a lift by one scale does to released masses; None where the noise is of no one known law."""
    still, lifted = (held.tapped(base, lift=lift) for lift in (0.0, 1.0))
    laws = {FAMILIES[draw.family] for draw in still.draws if draw.family in FAMILIES}
    before, after = (masses_of(run) for run in (still, lifted))
    scales = {atom: abs(after[atom] - before[atom]) + ROUNDED for atom in set(before) & set(after)}
    if len(laws) != 1 or not scales or min(scales.values()) <= 2 * ROUNDED:
        return None
    return Response(laws.pop(), scales)
