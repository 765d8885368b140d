"""Families of pairs: each is one place where an implementation may lose more than it claims."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from dpspin.accounting.calibration import Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.pairs.adjacent import Change, Pair, pair
from dpspin_audits.pairs.corpora import Maker, Member, decisive
from dpspin_audits.pairs.probes import Probe

DISPLACEMENT_BASE = 1200
VARIED = 150
ODDS = (0.5, 1, 2, 4)
"""Masses at which admission is undecided, times 1 / eta."""
SEARCHED, SEARCH = 12, 7
"""How many random pairs, and where their choice begins."""
PARTS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Masses of random pairs, as parts of one that is always admitted."""
ALIKE = (("user {}", "USER {}"), ("user {}", "user {} "), ("{}", "0{}"), ("{}", "{}.0"))
"""Ids that differ, although a program may take them for one."""


@dataclass(frozen=True, slots=True)
class Family:
    """Candidates for one test; a pilot on runs of its own picks one."""

    name: str
    candidates: tuple[Pair, ...]
    heavy: bool = False
    """Whether the probed atoms are always admitted, so that their medians can be compared."""
    small: bool = True
    """Whether the corpora are small enough for subjects that release one plan at a time."""


def families(maker: Maker) -> list[Family]:
    """All families of an audit, in the order in which they are reported; those without a candidate are left out."""
    single = maker.probes.single[:3]
    wide = [found for found in maker.probes.wide if len(found.atoms) > 1][:2]
    made = [
        _extremal(maker, "many units, one atom", single, base=True),
        _extremal(maker, "many units, widest unit", wide, base=True),
        _extremal(maker, "no other unit, one atom", single, base=False),
        _extremal(maker, "no other unit, widest unit", wide, base=False),
        _empty(maker),
        _undecided(maker),
        _tied(maker),
        _planted(maker),
        _searched(maker),
        _displacement(maker),
        _alike(maker),
    ]
    return [family for family in made if family.candidates]


def _incoming(maker: Maker, found: Probe) -> Iterator[Member]:
    """Units on the atoms of a text that weigh as much as a unit may; users also with far too many records."""
    name = next(maker.identifiers("incoming"))
    yield Member(name, maker.full(found))
    if maker.by_user:
        yield Member(name, maker.overfull(found))


def _outgoing(maker: Maker, found: Probe) -> tuple[Probe | None, Member | None]:
    """Under replacement, the unit that leaves: on atoms that the other does not touch, or on no atom at all."""
    if not maker.replaces:
        return None, None
    name = next(maker.identifiers("outgoing"))
    others = [p for p in (*maker.probes.wide, *maker.probes.single) if not set(p.atoms) & set(found.atoms)]
    other = min(others, key=lambda p: abs(len(p.atoms) - len(found.atoms)), default=None)
    return other, Member(name, ("",) if other is None else maker.full(other))


def _extremal(maker: Maker, name: str, probes: Sequence[Probe], *, base: bool) -> Family:
    """Pairs that move the sketch as far as a unit can: by B, or under replacement by B up and B down elsewhere."""
    candidates = []
    for found in probes:
        other, old = _outgoing(maker, found)
        held = [*maker.heavy(found), *(maker.heavy(other) if other else ())] if base else []
        candidates += [pair(name, maker, held, Change(new, old)) for new in _incoming(maker, found)]
    return Family(name, tuple(candidates), heavy=base)


def _empty(maker: Maker) -> Family:
    """Under replacement, a unit that contributes nothing gives way to one that contributes as much as it may."""
    name = "many units, one for an empty one"
    if not maker.replaces:
        return Family(name, ())
    found, old = maker.probes.single[0], Member(next(maker.identifiers("empty")), ("",))
    pairs = [pair(name, maker, maker.heavy(found), Change(new, old)) for new in _incoming(maker, found)]
    return Family(name, tuple(pairs), heavy=True)


def _undecided(maker: Maker) -> Family:
    """Where admission goes by chance: every round that leaves the atom out tells of its mass."""
    name, noise = "few units, admission undecided", maker.setting.noise
    if not isinstance(noise, Peeling):
        return Family(name, ())
    found = maker.probes.single[0]
    other, old = _outgoing(maker, found)
    candidates = []
    for odds in ODDS:
        mass = odds / float(noise.exponent * MASS_UNIT)
        held = [*maker.weighing(found, mass), *(maker.weighing(other, mass) if other else ())]
        candidates.append(pair(name, maker, held, Change(next(_incoming(maker, found)), old)))
    return Family(name, tuple(candidates))


def _tied(maker: Maker) -> Family:
    """One atom more than a plan has, all of equal mass: the unit decides who is left out."""
    name, plan_size = "equal atoms at the boundary", maker.setting.deployment.plan.size
    tied = [found for found in maker.probes.single if len(found.atoms) == 1][: plan_size + 1]
    if len(tied) <= plan_size:
        return Family(name, ())
    held = [member for found in tied for member in maker.heavy(found)]
    old = Member(next(maker.identifiers("outgoing")), maker.full(tied[-1])) if maker.replaces else None
    changes = [Change(new, old) for new in _incoming(maker, tied[0])]
    every = [found.heaviest for found in tied]
    return Family(name, tuple(pair(name, maker, held, change, every) for change in changes))


def _planted(maker: Maker) -> Family:
    """Varied units and one planted among them."""
    name, base = "varied units, one planted", maker.varied("varied", VARIED)
    pairs = [
        pair(name, maker, base, Change(next(_incoming(maker, found)), _outgoing(maker, found)[1]))
        for found in maker.probes.single[:2]
    ]
    return Family(name, tuple(pairs), small=False)


def _searched(maker: Maker) -> Family:
    """Pairs that nobody thought of: texts and masses picked at random, alike for every audit; a pilot picks one."""
    name, coin = "searched at random", Random(SEARCH)  # noqa: S311 - a search, not a secret
    probes = [*maker.probes.single[:6], *maker.probes.wide]
    most = decisive(maker.setting.noise, len(maker.setting.universe))
    candidates = []
    for _ in range(SEARCHED):
        found, beside = coin.choice(probes), coin.choice(probes)
        other, old = _outgoing(maker, found)
        held = [
            member
            for one in {probe.heaviest: probe for probe in (beside, other or beside, found)}.values()
            for member in maker.weighing(one, most * coin.choice(PARTS))
        ]
        candidates.append(pair(name, maker, held, Change(coin.choice([*_incoming(maker, found)]), old)))
    return Family(name, tuple(candidates), small=False)


def _displacement(maker: Maker) -> Family:
    """Two atoms and many units: where a fixed number of units is kept, a new one displaces another.

    Whether it does depends on its id, and what it displaces may lie on the other atom; candidates differ in both.
    """
    name, chosen = "units on two atoms, other ids", maker.probes.single[:2]
    if len(chosen) < 2:
        return Family(name, ())
    base = maker.members("unit", [maker.full(chosen[row % 2]) for row in range(DISPLACEMENT_BASE)])
    atoms = [found.heaviest for found in chosen]
    candidates = [
        pair(name, maker, base, Change(Member(identifier, maker.full(found)), _outgoing(maker, found)[1]), atoms)
        for identifier in islice(maker.identifiers("other"), 4)
        for found in chosen
    ]
    return Family(name, tuple(candidates), heavy=True, small=False)


def _alike(maker: Maker) -> Family:
    """A user whose id is almost another's, with so many records that, taken together, they would displace that one."""
    name, chosen = "users with almost equal ids", maker.probes.single[:2]
    if not maker.by_user or len(chosen) < 2:
        return Family(name, ())
    base = [member for found in chosen for member in maker.heavy(found)]
    candidates = []
    for one, two in ALIKE:
        number = next(n for n in count(1) if maker.kept(one.format(n)) and maker.kept(two.format(n)))
        held = [*base, Member(one.format(number), maker.full(chosen[0]))]
        change = Change(Member(two.format(number), maker.overfull(chosen[1])), _outgoing(maker, chosen[1])[1])
        candidates.append(pair(name, maker, held, change, [found.heaviest for found in chosen]))
    return Family(name, tuple(candidates), heavy=True)
