"""The loss that a pair of adjacent corpora implies under frozen noise, maximised by a search.

The loss of a pair is read off from the values that noise is for, over the noise (`noise.implied`); the search
begins with hostile units and goes on from the worst.  A hit is one concrete pair of corpora that differ in one unit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, isfinite, sqrt
from typing import NamedTuple

from dpspin.accounting.calibration import LaplaceNoise, Peeling
from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.decimals import exact
from dpspin.errors import SubjectError
from dpspin_audits.checks import hostile_units
from dpspin_audits.checks.check import at_least
from dpspin_audits.checks.contributions import Searched
from dpspin_audits.checks.hostile_units import Unit
from dpspin_audits.distribution import stated
from dpspin_audits.distribution.trials import derive, stream
from dpspin_audits.noise.held import Held
from dpspin_audits.noise.implied import ROUNDING, Implied, implied
from dpspin_audits.noise.source import Asked, Frozen
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.pairs.families import DISPLACEMENT_BASE
from dpspin_audits.subject import Claim, Records

BASE, STEPS, BEST = 30, 30, 16
"""Units beside the one in question; steps of the search; units that are paired with each other under replacement."""
MOST, FEWER, FEWEST = 1000, 32, 8
"""Units that are tried beside no record, beside a few, and in a crowd."""
SHOWN = 60
"""Characters of a text that a witness shows."""


class Case(NamedTuple):
    """A pair of corpora: the same base, and one unit each, or none."""

    base: int
    without: Unit | None
    with_: Unit
    loss: Implied

    @property
    def size(self) -> float:
        """What a search maximises."""
        return float(self.loss.laplace) + sqrt(self.loss.gaussian) + self.loss.admission


class Tried(NamedTuple):
    """One base and what units do beside it."""

    records: Records
    first: tuple[int, ...]
    alone: tuple[Asked, ...]
    runs: list[tuple[Unit, tuple[Asked, ...]]]
    not_finite: list[Unit]
    """Units that bring a value that is no finite number."""


def injected(held: Held, claim: Claim, maker: Maker) -> Searched:
    """The search by injected noise.

    Raises:
        SubjectError: when a release of an ordinary corpus raises.
    """
    units = hostile_units.units(maker)
    tried = [_begin(held, units[: base.tried], base) for base in _bases(maker)]
    cases = [case for number, each in enumerate(tried) for case in _cases(number, each, claim)]
    cases += _climb(held, maker, tried, cases) if cases else []
    figures: dict[str, object] = {
        "variant": "injected", "pairs": len(cases), "draws": [_query(asked) for asked in tried[0].alone]
    }  # fmt: skip
    strange = next(((each, unit) for each in tried for unit in each.not_finite), None)
    if strange is not None:
        figures["witness"] = witness(None, strange[1], strange[0].records)
        return Searched("a value that is no finite number is to get noise", "", figures)
    if not cases:
        return Searched(None, "No pair of corpora could be compared.", figures)
    worst = [max(cases, key=key) for key in KEYS]
    case, problem = next(((case, p) for case in worst if (p := beyond(case.loss, claim, maker))), (worst[0], None))
    most = worded(case.loss, claim)
    figures |= {
        "implied_epsilon_at_least": most,
        "witness": witness(case.without, case.with_, tried[case.base].records),
    }
    return Searched(problem, f"No pair of {len(cases):,} loses more than is claimed; the worst loses {most}.", figures)


KEYS: tuple[Callable[[Case], float], ...] = (
    lambda case: case.size,
    lambda case: float(case.loss.laplace),
    lambda case: float(case.loss.gaussian),
    lambda case: case.loss.admission,
    lambda case: float(case.loss.spread),
)
"""Ways in which a pair may be the worst."""


class Base(NamedTuple):
    """A corpus that units come into."""

    records: Records
    first: tuple[int, ...]
    """Atoms that admission takes first."""
    tried: int
    """Units that are tried in it."""


def _bases(maker: Maker) -> Iterator[Base]:
    """No record, varied ones, and a crowd: where so many are kept and no more, a unit displaces another."""
    varied, full = maker.records(maker.varied("base", BASE)), [maker.full(found) for found in maker.probes.single[:2]]
    crowd = maker.records(maker.members("crowd", [full[row % len(full)] for row in range(DISPLACEMENT_BASE)]))
    single = tuple(found.heaviest for found in maker.probes.single)
    yield Base((), single, MOST)
    yield Base(varied, single, FEWER)
    if isinstance(maker.setting.noise, Peeling) and maker.probes.wide:
        yield Base(varied, maker.probes.wide[0].atoms, FEWER)
    yield Base(crowd, single, FEWEST)


def _begin(held: Held, units: Sequence[Unit], base: Base) -> Tried:
    alone = held.injected(base.records, Frozen(base.first)).asked
    tried = Tried(base.records, base.first, alone, [], [])
    for unit in units:
        _try(held, tried, unit)
    return tried


def _try(held: Held, tried: Tried, unit: Unit) -> tuple[Asked, ...] | None:
    """What is asked with a unit; None where the release breaks off, which other checks look at."""
    try:
        asked = held.injected([*tried.records, *unit], Frozen(tried.first)).asked
    except SubjectError:
        return None
    if not all(isfinite(value) for each in asked for value in each.values):
        tried.not_finite.append(unit)
        return None
    tried.runs.append((unit, asked))
    return asked


def _cases(number: int, tried: Tried, claim: Claim) -> list[Case]:
    """Adjacent pairs: each unit against none or, under replacement, the worst units against each other."""
    alone = [
        Case(number, None, unit, loss)
        for unit, asked in tried.runs
        if (loss := implied(tried.alone, asked)) is not None
    ]
    if claim.adjacency == "add_drop":
        return alone
    asked = {id(unit): each for unit, each in tried.runs}
    pairs = combinations([case.with_ for case in _apart(alone, asked)], 2)
    both = ((one, two, implied(asked[id(one)], asked[id(two)])) for one, two in pairs)
    return [Case(number, one, two, loss) for one, two, loss in both if loss is not None]


def _apart(cases: list[Case], asked: Mapping[int, tuple[Asked, ...]]) -> list[Case]:
    """The worst cases, no two of which move the same values alike, and one that moves least."""
    ordered = sorted(cases, key=lambda case: case.size)
    unlike = {tuple(each.values for each in asked[id(case.with_)]): case for case in ordered}
    return list({id(case): case for case in (*list(unlike.values())[-BEST:], *ordered[:1])}.values())


def _climb(held: Held, maker: Maker, tried: Sequence[Tried], cases: Sequence[Case]) -> list[Case]:
    """Cases near to the worst one, step by step."""
    coin, found = stream(derive(b"", "climb")), list[Case]()
    worst = max(cases, key=lambda case: case.size)
    for _ in range(STEPS):
        around = tried[worst.base]
        other = around.runs[int(coin.integers(len(around.runs)))][0]
        unit = hostile_units.mutated(maker, worst.with_, other, coin)
        asked = _try(held, around, unit)
        loss = asked and implied(_asked(around, worst.without), asked)
        if loss:
            found.append(Case(worst.base, worst.without, unit, loss))
            worst = max(worst, found[-1], key=lambda case: case.size)
    return found


def _asked(tried: Tried, unit: Unit | None) -> tuple[Asked, ...]:
    return next((asked for found, asked in tried.runs if found is unit), tried.alone)


def beyond(loss: Implied, claim: Claim, maker: Maker) -> str | None:
    """Why a loss breaks the claim, or the stated law, or None."""
    if loss.exceeds(claim.epsilon, claim.delta):
        return f"a pair loses at least {worded(loss, claim)}, more than the claimed {exact(claim.epsilon)}"
    noise, width = stated.noise_of(claim), len(maker.setting.universe)
    if noise is None:
        return None
    rounding = 1 if loss.whole else 1 + Fraction(ROUNDING)
    peeling = isinstance(noise, Peeling)
    released = min(maker.setting.deployment.plan.size, width) if peeling else width
    reach = sensitivity(claim.adjacency, claim.mass_bound, released)
    values = noise.values if isinstance(noise, Peeling) else noise
    if isinstance(values, LaplaceNoise):
        moved, most = loss.laplace, reach.l1 * MASS_UNIT / values.scale
    else:
        moved, most = loss.gaussian, reach.l2_squared * MASS_UNIT**2 / values.sigma**2
    if moved > most * rounding:
        return f"a unit moves values by {_times(moved, most)} times what the stated noise is for"
    if isinstance(noise, Peeling):
        spread = sensitivity(claim.adjacency, claim.mass_bound, width).spread * MASS_UNIT * noise.exponent
        if loss.spread > spread * rounding:
            return f"a unit moves scores by {_times(loss.spread, spread)} times what the stated admission is for"
    return None


def _times(moved: Fraction, most: Fraction) -> str:
    return at_least(float(moved / most)) if most else "infinitely many"


def worded(loss: Implied, claim: Claim) -> str:
    """The loss at the claimed delta, rounded down; a Gaussian release has none at delta 0."""
    least = loss.epsilon(float(claim.delta))
    return at_least(least) if least < inf else "any epsilon"


def witness(without: Unit | None, with_: Unit, records: Records) -> dict[str, object]:
    """A pair of corpora in few words; its records were generated here, so that they may be shown."""
    sides = {"without": without or (), "with": with_}
    return {
        "records_beside": len(records),
        "records": {name: len(unit) for name, unit in sides.items()},
        "shown": {name: [_shown(record) for record in unit[:3]] for name, unit in sides.items()},
    }


def _shown(record: Mapping[str, str]) -> dict[str, str]:
    return {ascii(key)[1:-1]: ascii(value)[1:-1][:SHOWN] for key, value in sorted(record.items())}


def _query(asked: Asked) -> str:
    query = asked.query
    return f"{query.family} for {query.size} values ({query.label!a:.40})"
