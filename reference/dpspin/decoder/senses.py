"""What a parsed sentence says: from the shape of a sentence to its claims, once its values are known."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from lark import Token as Slot
from lark import Transformer, Tree, v_args

from dpspin.decoder.claims import (
    Above,
    Bin,
    Claim,
    Comparison,
    Count,
    Mass,
    Mention,
    Parameter,
    Rank,
    Similarity,
    Support,
)
from dpspin.decoder.tokens import decimal

CELLS = {
    "mass": ("INTEGER", "DECIMAL"),
    "support": ("INTEGER", "DECIMAL", "PERCENT"),
    "place": ("BIN_NAME", "BELOW"),
    "rank": ("INTEGER",),
}
"""What may stand under a column of a table."""


class Reading(NamedTuple):
    """What one sentence says."""

    claims: tuple[Claim, ...]
    lists: tuple[tuple[int, ...], ...] = ()
    """Atoms listed in one breath: the order of a list is read as the order of ranks."""
    row: tuple[int, ...] = ()
    """The atom of a row; rows that follow each other are a list too."""


Values: TypeAlias = Sequence[str]
"""Values of a sentence's tokens, by place."""
Fact: TypeAlias = Callable[[int, Values], Claim]
"""What may be said of an atom still to be named."""
Sense: TypeAlias = Callable[[Values], Reading]
"""What every sentence of one shape says, once its values are known."""


def sense(shape: tuple[str, ...], tree: Any) -> Sense | int:
    """What sentences of a shape say, or the place of a cell that does not fit its column.

    Args:
        shape: the kinds of a sentence's tokens.
        tree: its parse, whose leaves are places.
    """
    found: Sense | int = _Reader(shape).transform(tree)
    return found


@v_args(inline=True)
class _Reader(Transformer[Slot, Any]):
    """From the tree of a shape to its sense.

    A leaf is the place of a token; each method is named after the rule it reads, and `v` holds the values by place.
    """

    def __init__(self, shape: tuple[str, ...]) -> None:
        super().__init__()
        self._shape = shape

    def __default_token__(self, slot: Slot) -> int:
        return int(slot)

    def sentence(self, *parts: Sense) -> Sense:
        return parts[0] if len(parts) == 1 else lambda v: _joined([part(v) for part in parts])

    def mass(self, number: int) -> Fact:
        return lambda atom, v: Mass(atom, *decimal(v[number]))

    def support(self, number: int) -> Fact:
        return lambda atom, v: Support(atom, *decimal(v[number]))

    def place(self, name: int) -> Fact:
        return lambda atom, v: Bin(atom, int(v[name]))

    def below(self) -> Fact:
        return lambda atom, _: Bin(atom, 0)

    def rank(self, number: int) -> Fact:
        return lambda atom, v: Rank(atom, int(v[number]))

    def more(self, other: int) -> Fact:
        return lambda atom, v: Comparison(atom, int(v[other]))

    def less(self, other: int) -> Fact:
        return lambda atom, v: Comparison(int(v[other]), atom)

    def above(self, other: int) -> Fact:
        return lambda atom, v: Above(atom, int(v[other]))

    def under(self, other: int) -> Fact:
        return lambda atom, v: Above(int(v[other]), atom)

    def about(self, label: int, *facts: Fact) -> Sense:
        return lambda v: Reading(tuple([fact(int(v[label]), v) for fact in facts]))

    def row(self, label: int, *facts: Fact) -> Sense:
        return lambda v: Reading(tuple([fact(int(v[label]), v) for fact in facts]), row=(int(v[label]),))

    def together(self, *parts: Any) -> Sense:
        *labels, fact = parts
        return lambda v: Reading(
            tuple([fact(int(v[label]), v) for label in labels]), (tuple([int(v[label]) for label in labels]),)
        )

    def alike(self, left: int, right: int) -> Sense:
        return lambda v: Reading((Similarity(int(v[left]), int(v[right])),))

    def mass_of(self, label: int, number: int) -> Sense:
        return self.about(label, self.mass(number))

    def support_of(self, label: int, number: int) -> Sense:
        return self.about(label, self.support(number))

    def members(self, *labels: int) -> Sense:
        def _sense(v: Values) -> Reading:
            atoms = tuple([int(v[label]) for label in labels])
            return Reading(tuple([Mention(atom) for atom in atoms]), (atoms,) if len(atoms) > 1 else ())

        return _sense

    def includes(self, members: Sense) -> Sense:
        return members

    def size(self, number: int) -> Sense:
        return lambda v: Reading((Count(int(v[number])),))

    def releases(self, number: int, members: Sense) -> Sense:
        def _sense(v: Values) -> Reading:
            claims, lists, _ = members(v)
            stated, listed = Count(int(v[number])), Count(len(claims))  # after a colon, the list claims to be the whole
            return Reading((stated, *claims, *(() if listed == stated else (listed,))), lists)

        return _sense

    def counted(self, number: int, place: Fact) -> Sense:
        return lambda v: Reading((_tally(int(v[number]), place(0, v)),))

    def all_in(self, number: int, place: Fact) -> Sense:
        return lambda v: Reading((Count(int(v[number])), _tally(int(v[number]), place(0, v))))

    def both_in(self, place: Fact) -> Sense:
        return lambda v: Reading((Count(2), _tally(2, place(0, v))))

    def epsilon(self, number: int) -> Sense:
        return _parameter("epsilon", number)

    def delta(self, number: int) -> Sense:
        return _parameter("delta", number)

    def denominator(self, number: int) -> Sense:
        return _parameter("denominator", number)

    def plan_size(self, number: int) -> Sense:
        return _parameter("plan size", number)

    def spent(self, epsilon: Sense, delta: Sense) -> Sense:
        return self.sentence(epsilon, delta)

    def header(self, *columns: Tree[Slot]) -> list[str]:
        return [str(column.data).removesuffix("_column") for column in columns]

    def line(self, label: int, *cells: Any) -> tuple[int, list[int]]:
        return label, [cell.children[0] for cell in cells]

    def table(self, columns: list[str], *lines: tuple[int, list[int]]) -> Sense | int:
        for label, cells in lines:
            pairs = zip(cells, columns, strict=False)
            misfit = [cell for cell, column in pairs if self._shape[cell] not in CELLS[column]]
            if misfit or len(cells) != len(columns):
                return min(misfit, default=label)
        rows = [self.row(label, *map(self._cell, columns, cells)) for label, cells in lines]
        return lambda v: _as_list([row(v) for row in rows])

    def _cell(self, column: str, cell: int) -> Fact:
        fact: Fact = self.below() if self._shape[cell] == "BELOW" else getattr(self, column)(cell)
        return fact


def _tally(number: int, place: Claim) -> Claim:
    return Count(number, place.bin if isinstance(place, Bin) else None)


def _parameter(name: str, number: int) -> Sense:
    return lambda v: Reading((Parameter(name, v[number]),))


def _as_list(rows: Sequence[Reading]) -> Reading:
    claims, _, atoms = _joined(rows)
    return Reading(claims, (atoms,))


def _joined(readings: Sequence[Reading]) -> Reading:
    claims, lists, rows = (tuple(chain.from_iterable(field)) for field in zip(*readings, strict=True))
    return Reading(claims, lists, rows)
