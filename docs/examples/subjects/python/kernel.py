"""The deterministic steps on integers that count lattice units (docs/spec.md sections 1, 3 and 4)."""

from collections.abc import Sequence

UNIT = 1 << 20
Vector = Sequence[int]


def highest(values: Vector, count: int) -> list[int]:
    """Positions of the largest values, largest first; the lower position wins a tie."""
    return sorted(range(len(values)), key=lambda at: (-values[at], at))[:count]


def shrink(vector: Vector, bound: int) -> list[int]:
    """The vector scaled to a total of at most `bound`, every entry rounded down."""
    total = sum(vector) or 1
    return [value * bound // total for value in vector]


def contribution(scores: Vector, max_atoms: int, unit: int) -> list[int]:
    """One unit of mass for the highest positive scores, in proportion."""
    kept = set(highest(scores, max_atoms))
    return shrink([max(score, 0) if at in kept else 0 for at, score in enumerate(scores)], unit)


def clip(vector: Vector, bound: int) -> list[int]:
    """Entries that are not negative, with a total of at most `bound`."""
    positive = [max(value, 0) for value in vector]
    return positive if sum(positive) <= bound else shrink(positive, bound)


def add(vectors: Sequence[Vector], width: int) -> list[int]:
    """Sums by coordinate."""
    return [sum(vector[at] for vector in vectors) for at in range(width)]


def sketch(units: Sequence[Vector], bound: int, width: int) -> list[int]:
    """Every unit clipped, then the sum."""
    return add([clip(unit, bound) for unit in units], width)


def rounded(numerator: int, denominator: int, scale: int) -> int:
    """scale * numerator / denominator to the nearest integer, a half to the even one."""
    floor, rest = divmod(2 * numerator * scale + denominator, 2 * denominator)
    return floor - 1 if rest == 0 and floor % 2 else floor


def support_bin(mass: int, floor: int, denominator: int, cuts: Vector, scale: int) -> int:
    """0 at or below the noise floor, else 1 and one more for every cut that the support reaches."""
    return 0 if mass <= floor else 1 + sum(cut * denominator <= mass * scale for cut in cuts)
