"""The same calls in Python and in the program that Coq extracts: equal values, and raising in the same places.

The translator is trusted; this is what ties it to Python beyond reading it.  Inputs are drawn from small numbers, in
which ties and coincidences abound, and from numbers around powers of two and beyond 64 bits.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from dpspin_proofs.extract import Named, answers, words
from dpspin_proofs.shapes import INT, Shape

COUNT = 20_000
EDGES = [sign * (2**power + off) for power in (1, 20, 31, 53, 63, 64, 90) for off in (-1, 0, 1) for sign in (1, -1)]
SIZES = {"count", "max_atoms", "width"}
"""Parameters that count items: Coq computes with them in unary, so they stay small."""
RAISES = (IndexError, ZeroDivisionError, ValueError)


class Call(NamedTuple):
    """A function's name and its arguments."""

    name: str
    arguments: tuple[Any, ...]


class Compared(NamedTuple):
    """How many calls were compared, how many of them raise, and what differs, by call."""

    calls: int
    raising: int
    differences: tuple[str, ...]


def compare(program: Path, functions: Mapping[str, Callable[..., Any]], calls: list[Call]) -> Compared:
    """Run calls in Python and in an extracted program.

    Args:
        program: as `extract.build` makes it.
        functions: the Python functions by name.
        calls: what to compute.
    """
    found = answers(program, (f"{name} {' '.join(map(words, arguments))}" for name, arguments in calls))
    expected = [_python(functions[name], arguments) for name, arguments in calls]
    differences = [
        f"{call.name}{call.arguments}: Python {mine!r}, Coq {theirs!r}"
        for call, mine, theirs in zip(calls, expected, found, strict=True)
        if mine != theirs
    ]
    return Compared(len(calls), expected.count("0"), tuple(differences))


def _python(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    try:
        return f"1 {words(function(*arguments))}".strip()
    except RAISES:
        return "0"


def calls(functions: Mapping[str, Named], count: int, seed: int) -> Iterator[Call]:
    """Calls of every function in turn, more of those with more parameters; the same for the same seed.

    Args:
        functions: as `extract.signatures` gives them.
        count: how many calls.
        seed: of the inputs.
    """
    source = random.Random(seed)  # noqa: S311 - inputs to compare; nothing is protected by them
    turns = cycle([name for name, (names, _) in functions.items() for _ in names])
    for name in islice(turns, count):
        names, signature = functions[name]
        drawn = _Drawn(source)
        yield Call(name, tuple(map(drawn.argument, names, signature.parameters)))


class _Drawn:
    """Inputs of one call, which share a width, a range of numbers and a handful of names."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.width = source.randint(0, 5)
        self.edges = source.random() < 0.4
        self.uneven = source.random() < 0.3

    def argument(self, name: str, shape: Shape) -> Any:
        """A value for a parameter."""
        if name == "width":
            return self.width + self.source.choice([0] * 8 + [-7, -1, 1])
        if name in SIZES:
            return self.source.randint(-3, 7)
        if name == "plan" and not self.uneven:
            return [(atom, self.value(INT)) for atom in self.source.sample(range(6), self.width)]
        if name == "claim" and not self.uneven:
            return tuple(self.source.randint(*ends) for ends in ((0, 9), (0, 5), (-1, 5), (0, 4)))
        return self.value(shape)

    def value(self, shape: Shape) -> Any:
        """A value of a shape."""
        if shape.word == "tuple":
            return tuple(map(self.value, shape.parts))
        if shape.word == "list":
            vector = shape.parts[0].word == "int"
            length = self.width if vector and not self.uneven else self.source.randint(0, 6)
            return [self.value(shape.parts[0]) for _ in range(length)]
        if self.edges and self.source.random() < 0.5:
            return self.source.choice(EDGES)
        return self.source.randint(-2, 9)
