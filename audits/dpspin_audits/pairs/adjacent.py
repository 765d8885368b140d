"""Adjacent corpora and the witness that they are: nothing is compared that differs in more than one unit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dpspin.adjacency import MASS_UNIT, Adjacency
from dpspin.deployment import Deployment
from dpspin.errors import ImpossibleError
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.subject import Record, Records


@dataclass(frozen=True, slots=True)
class Pair:
    """Two corpora that differ in one unit, and the exact sketches that the reference gives them.

    The corpus without the unit is smaller under add/drop; under replacement another unit stands in its place.
    """

    name: str
    without: Records
    with_: Records
    atoms: tuple[int, ...]
    """Probed atoms: those that a rule looks at, all that differ among them."""
    before: tuple[float, ...]
    """Exact masses of all atoms without the unit, in units of mass."""
    after: tuple[float, ...]
    """The same with it."""

    @property
    def probed(self) -> tuple[list[float], list[float]]:
        """Masses of the probed atoms, without the unit and with it."""
        before, after = ([masses[atom] for atom in self.atoms] for masses in (self.before, self.after))
        return before, after


class Difference(NamedTuple):
    """Units that only one of two corpora holds, as it holds them."""

    without: int
    with_: int


ADJACENT = {"add_drop": Difference(0, 1), "replacement": Difference(1, 1)}


def difference(without: Records, with_: Records, deployment: Deployment) -> Difference:
    """How many units differ: a user with one record more counts on both sides, and order counts nowhere."""
    left, right = (Counter(_units(records, deployment)) for records in (without, with_))
    return Difference((left - right).total(), (right - left).total())


def _units(records: Records, deployment: Deployment) -> list[tuple[tuple[tuple[str, str], ...], ...]]:
    """Every unit as the sorted tuple of its records."""
    if deployment.user is None:
        return [(_items(record),) for record in records]
    groups: dict[str, list[tuple[tuple[str, str], ...]]] = {}
    for record in records:
        groups.setdefault(record[deployment.user.id_field], []).append(_items(record))
    return [tuple(sorted(group)) for group in groups.values()]


def _items(record: Record) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(record.items()))


class Change(NamedTuple):
    """What distinguishes the two corpora: a unit comes in and, under replacement, another one leaves."""

    new: Member
    old: Member | None


def pair(name: str, maker: Maker, base: Sequence[Member], change: Change, beside: Sequence[int] = ()) -> Pair:
    """A pair with its witness checked.

    Args:
        name: of the pair, in reports.
        maker: makes records and knows masses.
        base: units that both corpora hold.
        change: the unit that differs.
        beside: atoms to look at besides those that differ.

    Raises:
        ImpossibleError: when the corpora are not adjacent; that would be a fault of this auditor.
    """
    adjacency: Adjacency = maker.setting.deployment.adjacency
    sides = [*base] if change.old is None else [*base, change.old], [*base, change.new]
    without, with_ = (maker.records(side) for side in sides)
    if difference(without, with_, maker.setting.deployment) != ADJACENT[adjacency]:
        raise ImpossibleError(f"the corpora of {name!r} do not differ in exactly one unit")
    before, after = (maker.masses(side) for side in sides)
    changed = {atom for atom, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
    atoms = tuple(sorted(changed | set(beside)))
    return Pair(name, tuple(without), tuple(with_), atoms, *(tuple(m / MASS_UNIT for m in x) for x in (before, after)))
