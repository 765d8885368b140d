"""Inputs for the functions of the kernel: edge cases by hand, then random ones from a fixed seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from dpspin_audits.conformance.draft import BIG, UNIT, Draft

PLAN = [[3, 5 * UNIT], [1, 5 * UNIT], [7, 2 * UNIT + 1], [0, -UNIT]]
TERMS: dict[str, Any] = {
    "unit": UNIT, "margin": 2 * UNIT, "floor": UNIT, "denominator": 100 * UNIT, "cuts": [0, 3, 5], "scale": 100,
}  # fmt: skip


def vectors_of(random: Random, size: int, most: int) -> list[int]:
    """A random vector; some entries are zero."""
    return [random.choice((0, random.randrange(most))) for _ in range(size)]


def highest(random: Random) -> Iterator[Draft]:
    """Top-L with ties."""
    yield Draft("no values", {"values": [], "count": 3}, ("Empty",))
    yield Draft("none asked for", {"values": [1, 2], "count": 0}, ("Empty",))
    yield Draft("more asked for than there are", {"values": [1, 2], "count": 9})
    yield Draft("all equal", {"values": [4] * 6, "count": 3}, ("Tie",))
    yield Draft("a tie at the boundary", {"values": [5, 9, 5, 5], "count": 2}, ("Tie",))
    yield Draft("negative values", {"values": [-3, -1, -2, -1], "count": 3}, ("Tie", "Negative"))
    yield Draft("beyond doubles", {"values": [str(BIG), str(BIG + 1), str(BIG)], "count": 2}, ("Large", "Tie"))
    for _ in range(30):
        size = random.randrange(1, 12)
        values = [random.randrange(-3, 4) for _ in range(size)]
        yield Draft("few distinct values", {"values": values, "count": random.randrange(size + 2)}, ("Random", "Tie"))


def shrink(random: Random) -> Iterator[Draft]:
    """Scaling to a total."""
    yield Draft("zero vector", {"vector": [0, 0], "bound": UNIT}, ("Empty",))
    yield Draft("empty vector", {"vector": [], "bound": UNIT}, ("Empty",))
    yield Draft("thirds lose a unit", {"vector": [1, 1, 1], "bound": UNIT}, ("RoundDown",))
    yield Draft("small entries vanish", {"vector": [1, UNIT * UNIT], "bound": 10}, ("RoundDown",))
    yield Draft("exact products beyond doubles", {"vector": [str(BIG), str(BIG - 1)], "bound": BIG}, ("Large",))
    for _ in range(20):
        vector = vectors_of(random, random.randrange(1, 8), 1 << random.randrange(1, 40))
        yield Draft("random", {"vector": vector, "bound": random.choice((1, 7, UNIT, 3 * UNIT))}, ("Random",))


def contribution(random: Random) -> Iterator[Draft]:
    """phi(x) from scores."""
    base = {"max_atoms": 3, "unit": UNIT}
    yield Draft("no score", {"scores": [], **base}, ("Empty",))
    yield Draft("no positive score", {"scores": [0, -4, 0], **base}, ("Empty", "Negative"))
    yield Draft("one positive score takes all", {"scores": [0, 1, -9], **base})
    yield Draft("a tie at K", {"scores": [2, 2, 2, 2], **base}, ("Tie", "RoundDown"))
    yield Draft("a negative score among the highest", {"scores": [5, -1, -2], **base}, ("Negative",))
    yield Draft("K above m", {"scores": [1, 2], "max_atoms": 9, "unit": UNIT})
    yield Draft("K = 0", {"scores": [1, 2], "max_atoms": 0, "unit": UNIT}, ("Empty",))
    yield Draft("total not divisible", {"scores": [3, 3, 1], **base}, ("RoundDown",))
    yield Draft("large scores", {"scores": [str(BIG), "3"], **base}, ("Large", "RoundDown"))
    for _ in range(40):
        scores = [random.randrange(-2, 9) for _ in range(random.randrange(1, 10))]
        yield Draft("random", {"scores": scores, "max_atoms": random.randrange(1, 5), "unit": UNIT}, ("Random",))


def clip(random: Random) -> Iterator[Draft]:
    """Clip_B."""
    yield Draft("zero", {"vector": [0, 0, 0], "bound": UNIT}, ("Empty",))
    yield Draft("below the bound", {"vector": [1, 2, 3], "bound": 7})
    yield Draft("exactly the bound", {"vector": [1, 2, 4], "bound": 7}, ("Bound",))
    yield Draft("one above the bound", {"vector": [1, 2, 5], "bound": 7}, ("Bound", "RoundDown"))
    yield Draft("negative entries are dropped first", {"vector": [-5, 4, 4], "bound": 6}, ("Negative",))
    yield Draft("bound 0", {"vector": [3, 1], "bound": 0}, ("Bound",))
    yield Draft("beyond doubles", {"vector": [str(BIG), str(3 * BIG)], "bound": str(BIG + 1)}, ("Large",))
    for _ in range(30):
        vector = [random.randrange(-UNIT, 3 * UNIT) for _ in range(random.randrange(1, 8))]
        yield Draft("random", {"vector": vector, "bound": random.choice((UNIT, 2 * UNIT, UNIT // 3))}, ("Random",))


def add(random: Random) -> Iterator[Draft]:
    """Coordinatewise sums."""
    yield Draft("nothing to add", {"vectors": [], "width": 3}, ("Empty",))
    yield Draft("no coordinates", {"vectors": [[], []], "width": 0}, ("Empty",))
    yield Draft("cancels", {"vectors": [[1, -2], [-1, 2]], "width": 2}, ("Negative",))
    yield Draft("beyond doubles", {"vectors": [[str(BIG)], ["1"], ["1"]], "width": 1}, ("Large",))
    yield Draft("unequal lengths", {"vectors": [[1], [1, 2]], "width": 1}, ("Refused",))
    for _ in range(10):
        width = random.randrange(1, 5)
        rows = [vectors_of(random, width, UNIT) for _ in range(random.randrange(1, 5))]
        yield Draft("random", {"vectors": rows, "width": width}, ("Random",))


def sketch(random: Random) -> Iterator[Draft]:
    """Record level: each unit clipped, then summed."""
    yield Draft("no unit", {"units": [], "bound": UNIT, "width": 2}, ("Empty",))
    yield Draft("one unit above its bound", {"units": [[UNIT, UNIT]], "bound": UNIT, "width": 2}, ("Bound",))
    yield Draft(
        "clipped one by one, not in sum", {"units": [[UNIT, 0], [UNIT, 0]], "bound": UNIT, "width": 2}, ("Bound",)
    )
    yield Draft("unequal lengths", {"units": [[1], [1, 2]], "bound": 3, "width": 2}, ("Refused",))
    for _ in range(25):
        width = random.randrange(1, 6)
        units = [vectors_of(random, width, 2 * UNIT) for _ in range(random.randrange(6))]
        yield Draft("random", {"units": units, "bound": random.choice((UNIT, 2 * UNIT)), "width": width}, ("Random",))


def grouping(random: Random) -> Iterator[Draft]:
    """Which records are one unit."""
    for policy in ("drop", "own_unit"):
        yield Draft("no record", {"ids": [], "on_missing_user": policy}, ("Empty",))
        yield Draft("missing and empty ids", {"ids": ["a", None, "", "a", None], "on_missing_user": policy}, ("Ids",))
        yield Draft("case and blanks count", {"ids": ["a", "A", "a ", " a"], "on_missing_user": policy}, ("Ids",))
        yield Draft("digits stay text", {"ids": ["1", "01", "1.0", "1"], "on_missing_user": policy}, ("Ids",))
        yield Draft("unicode forms differ", {"ids": ["é", "é", "é"], "on_missing_user": policy}, ("Ids",))
        yield Draft(
            "words for nothing are ids", {"ids": ["null", "None", "nan", "null"], "on_missing_user": policy}, ("Ids",)
        )
        yield Draft("a number is no id", {"ids": ["1", 1], "on_missing_user": policy}, ("Ids", "Refused"))
        for _ in range(6):
            ids = [random.choice(("a", "b", "c", None, "")) for _ in range(random.randrange(1, 9))]
            yield Draft("random", {"ids": ids, "on_missing_user": policy}, ("Random",))
    yield Draft("unknown policy", {"ids": ["a"], "on_missing_user": "pool"}, ("Refused",))


def user_sketch(random: Random) -> Iterator[Draft]:
    """User level: sums of a user's records, clipped, summed."""
    yield Draft("no record", {"records": [], "bound": UNIT, "width": 2}, ("Empty",))
    both = [[5, [UNIT, 0]], [2, [0, UNIT]], [5, [0, UNIT]]]
    yield Draft("two records of one user", {"records": both, "bound": UNIT, "width": 2}, ("Bound", "RoundDown"))
    heavy = [[1, [UNIT, 0, 0]]] * 7
    yield Draft("a heavy user", {"records": heavy, "bound": 2 * UNIT, "width": 3}, ("Bound",))
    for _ in range(30):
        width = random.randrange(1, 5)
        records = [[random.randrange(3), vectors_of(random, width, UNIT)] for _ in range(random.randrange(8))]
        yield Draft(
            "random", {"records": records, "bound": random.choice((UNIT, 2 * UNIT)), "width": width}, ("Random",)
        )


def rounded(random: Random) -> Iterator[Draft]:
    """Half-even rounding of exact rationals."""
    for numerator in range(-7, 8):
        yield Draft("halves and fourths", {"numerator": numerator, "denominator": 4, "scale": 2}, ("HalfEven",))
    yield Draft("zero", {"numerator": 0, "denominator": 3, "scale": 1000})
    yield Draft("beyond doubles", {"numerator": str(BIG + 1), "denominator": "2", "scale": 1}, ("Large", "HalfEven"))
    yield Draft("denominator 0", {"numerator": 1, "denominator": 0, "scale": 1}, ("Refused",))
    yield Draft("negative denominator", {"numerator": 1, "denominator": -2, "scale": 1}, ("Refused",))
    for _ in range(20):
        numbers = {"numerator": random.randrange(-BIG, BIG), "denominator": random.randrange(1, UNIT)}
        text = {key: str(value) for key, value in numbers.items()}
        yield Draft("random", {**text, "scale": 10 ** random.randrange(5)}, ("Random", "Large"))


def compare(random: Random) -> Iterator[Draft]:
    """The margin rule."""
    for gap in (-4, -3, -2, 0, 2, 3, 4):
        yield Draft("around the margin", {"left": 10 + gap, "right": 10, "margin": 3}, ("Bound",))
    for gap in (-1, 0, 1):
        yield Draft("strict at margin 0", {"left": gap, "right": 0, "margin": 0}, ("Bound",))
    for _ in range(10):
        left, right = random.randrange(-9, 9), random.randrange(-9, 9)
        yield Draft("random", {"left": left, "right": right, "margin": random.randrange(6)}, ("Random",))


def support_bin(random: Random) -> Iterator[Draft]:
    """Noise floor, then cuts."""
    base = {"floor": UNIT, "denominator": 100 * UNIT, "cuts": [0, 3, 5], "scale": 100}
    for mass in (-UNIT, 0, UNIT, UNIT + 1, 3 * UNIT - 1, 3 * UNIT, 3 * UNIT + 1, 5 * UNIT, 500 * UNIT):
        yield Draft("around floor and cuts", {"mass": mass, **base}, ("Bound",))
    yield Draft("no cut", {"mass": 9 * UNIT, **base, "cuts": []}, ("Empty",))
    yield Draft("floor above the cuts", {"mass": 9 * UNIT, **base, "floor": 10 * UNIT}, ("Bound",))
    yield Draft("denominator 0", {"mass": 1, **base, "denominator": 0}, ("Refused",))
    yield Draft("cuts that fall", {"mass": 1, **base, "cuts": [5, 3]}, ("Refused",))
    for _ in range(20):
        yield Draft("random", {"mass": random.randrange(-UNIT, 9 * UNIT), **base}, ("Random",))


def of_plan(random: Random, **more: Any) -> Iterator[Draft]:
    """Questions about one atom of a plan."""
    for atom in (3, 1, 7, 0, 2, -1):
        yield Draft("ties, a last and an absent one", {"plan": PLAN, "atom": atom, **more}, ("Tie",))
    yield Draft("empty plan", {"plan": [], "atom": 0, **more}, ("Empty",))
    for _ in range(15):
        atoms = random.sample(range(8), random.randrange(1, 6))
        plan = [[atom, random.randrange(-2, 3)] for atom in atoms]
        yield Draft("random", {"plan": plan, "atom": random.randrange(8), **more}, ("Random", "Tie"))


def claim_supported(random: Random) -> Iterator[Draft]:
    """Every kind of claim, true and just not."""
    edges = [
        ("mention", [1, 3, 0, 0]), ("mention of an absent atom", [1, 2, 0, 0]), ("mass", [2, 7, 1, 2]),
        ("mass to a tenth", [2, 7, 10, 20]), ("mass one off", [2, 7, 10, 21]), ("negative mass", [2, 0, 1, -1]),
        ("support", [3, 3, 100, 5]), ("support of a negative mass", [3, 0, 100, 0]), ("bin", [4, 3, 0, 3]),
        ("wrong bin", [4, 3, 0, 2]), ("below the floor", [4, 0, 0, 0]), ("over, by the margin", [5, 3, 7, 0]),
        ("over, a tie", [5, 3, 1, 0]), ("over an absent atom", [5, 3, 2, 0]), ("over itself", [5, 3, 3, 0]),
        ("similar, a tie", [6, 3, 1, 0]), ("similar, apart", [6, 3, 0, 0]), ("rank of a tie, lower atom", [7, 1, 0, 1]),
        ("rank of a tie, higher atom", [7, 3, 0, 2]), ("last rank", [7, 0, 0, 4]), ("count of all", [8, 0, -1, 4]),
        ("count of a bin", [8, 0, 3, 2]), ("wrong count", [8, 0, 3, 3]), ("unknown kind", [9, 3, 0, 0]),
    ]  # fmt: skip
    for comment, claim in edges:
        yield Draft(comment, {"plan": PLAN, "claim": claim, **TERMS}, ("Bound",))
    yield Draft(
        "margin 0 allows no similarity", {"plan": PLAN, "claim": [6, 3, 1, 0], **TERMS, "margin": 0}, ("Bound",)
    )
    yield Draft("margin 0 and a tie", {"plan": PLAN, "claim": [5, 3, 1, 0], **TERMS, "margin": 0}, ("Bound",))
    yield Draft("an atom that stands twice", {"plan": [[3, 1], [3, 2]], "claim": [1, 3, 0, 0], **TERMS})
    for _ in range(80):
        claim = [random.randrange(1, 9), random.choice((0, 1, 2, 3, 7)), random.choice((-1, 0, 1, 3, 7, 10)),
                 random.randrange(-1, 6)]  # fmt: skip
        claim[2] = abs(claim[2]) or 1 if claim[0] in (2, 3) else claim[2]
        yield Draft("random", {"plan": PLAN, "claim": claim, **TERMS}, ("Random",))
