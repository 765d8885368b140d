"""The deterministic steps on integers that count lattice units (docs/spec.md sections 1, 3 and 4)."""

from collections.abc import Sequence

UNIT = 1 << 20
Vector = Sequence[int]
Pairs = Sequence[tuple[int, int]]


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


def user_sketch(records: Sequence[tuple[int, Vector]], bound: int, width: int) -> list[int]:
    """What one user owns is one unit."""
    owned: dict[int, list[Vector]] = {}
    for owner, vector in records:
        owned.setdefault(owner, []).append(vector)
    return sketch([add(vectors, width) for vectors in owned.values()], bound, width)


def mass_of(plan: Pairs, atom: int) -> int:
    """The noisy mass of an atom; 0 where it is not released."""
    return sum(mass for name, mass in plan if name == atom)


def is_admitted(plan: Pairs, atom: int) -> bool:
    """Whether an atom is released, once."""
    return [name for name, _ in plan].count(atom) == 1


def compare(left: int, right: int, margin: int) -> int:
    """1 or -1 where one is ahead by the margin, else 0."""
    least = max(margin, 1)
    return int(left - right >= least) - int(right - left >= least)


def rounded(numerator: int, denominator: int, scale: int) -> int:
    """scale * numerator / denominator to the nearest integer, a half to the even one."""
    floor, rest = divmod(2 * numerator * scale + denominator, 2 * denominator)
    return floor - 1 if rest == 0 and floor % 2 else floor


def support_bin(mass: int, floor: int, denominator: int, cuts: Vector, scale: int) -> int:
    """0 at or below the noise floor, else 1 and one more for every cut that the support reaches."""
    return 0 if mass <= floor else 1 + sum(cut * denominator <= mass * scale for cut in cuts)


def rank_of(plan: Pairs, atom: int) -> int:
    """1 for the largest mass; the lower atom wins a tie."""
    own = mass_of(plan, atom)
    return 1 + sum(mass > own or (mass == own and name < atom) for name, mass in plan)


def claim_supported(  # noqa: PLR0913, PLR0917 - what a claim is decided by
    plan: Pairs, claim: Vector, unit: int, margin: int, floor: int, denominator: int, cuts: Vector, scale: int
) -> bool:
    """Whether a plan supports a claim (kind, atom, other, value); kinds are numbered as below, from 1."""
    kind, atom, other, value = claim
    if kind == 8:  # count
        bins = [support_bin(mass, floor, denominator, cuts, scale) for _, mass in plan]
        return value == sum(other in (-1, found) for found in bins)
    if not is_admitted(plan, atom) or (kind in (5, 6) and not is_admitted(plan, other)):
        return False
    own, theirs = mass_of(plan, atom), mass_of(plan, other)
    cases = {
        1: lambda: True,
        2: lambda: value == rounded(own, unit, other),
        3: lambda: value == rounded(max(own, 0), denominator, other),
        4: lambda: value == support_bin(own, floor, denominator, cuts, scale),
        5: lambda: compare(own, theirs, margin) == 1,
        6: lambda: abs(own - theirs) < margin,
        7: lambda: value == rank_of(plan, atom),
    }
    return kind in cases and cases[kind]()
