"""The integer kernel: from atom scores to the exact sketch, and from the noisy plan to its checks.

Every quantity is a Python integer counted in lattice units, and every function is pure.  The file keeps to the subset
of Python that `dpspin_proofs.translate` lists, so that it can be translated to Coq as it stands.  Annotations are not
enforced at run time: callers check that every number is an `int`, that vectors have equal lengths, that the denominator
is positive and that cuts ascend.
"""

Vector = list[int]
Record = tuple[int, Vector]  # owner, one lattice value per atom
Plan = list[tuple[int, int]]  # atom, noisy mass
Claim = tuple[int, int, int, int]  # kind, atom, other atom, value

MENTION = 1
MASS = 2
SUPPORT = 3
BIN = 4
COMPARISON = 5
SIMILARITY = 6
RANK = 7
COUNT = 8


def highest(values: Vector, count: int) -> list[int]:
    """Positions of the `count` largest values, largest first; the lower position wins a tie."""
    order = sorted(range(len(values)), key=lambda position: (-values[position], position))
    return order[:count]


def shrink(vector: Vector, bound: int) -> Vector:
    """Scale a nonnegative vector to a total of at most `bound`, rounding every entry down."""
    total = sum(vector)
    return [value * bound // max(total, 1) for value in vector]


def contribution(scores: Vector, max_atoms: int, unit: int) -> Vector:
    """One record's mass: `unit` shared by its `max_atoms` highest positive scores, in proportion."""
    kept = highest(scores, max_atoms)
    weights = [max(score, 0) if atom in kept else 0 for atom, score in enumerate(scores)]
    return shrink(weights, unit)


def clip(vector: Vector, bound: int) -> Vector:
    """Drop negative entries, then shrink the vector if its total exceeds `bound`."""
    positive = [max(value, 0) for value in vector]
    if sum(positive) <= bound:
        return positive
    return shrink(positive, bound)


def add(vectors: list[Vector], width: int) -> Vector:
    """Coordinatewise sum of vectors with `width` entries."""
    return [sum([vector[atom] for vector in vectors]) for atom in range(width)]


def sketch(units: list[Vector], bound: int, width: int) -> Vector:
    """The exact total of all protected units, each clipped to `bound`."""
    return add([clip(unit, bound) for unit in units], width)


def absorb(total: Vector, unit: Vector, bound: int) -> Vector:
    """One step of the streaming sketch: the total so far plus one clipped unit."""
    return add([total, clip(unit, bound)], len(total))


def total_of(user: int, records: list[Record], width: int) -> Vector:
    """The unclipped sum of everything one user owns."""
    return add([vector for owner, vector in records if owner == user], width)


def group_by_user(records: list[Record], width: int) -> list[Vector]:
    """One unclipped total per user, in order of user id."""
    users = sorted(set([owner for owner, vector in records]))
    return [total_of(user, records, width) for user in users]


def user_sketch(records: list[Record], bound: int, width: int) -> Vector:
    """The exact sketch in which one user, with all of their records, is one protected unit."""
    return sketch(group_by_user(records, width), bound, width)


def mass_of(plan: Plan, atom: int) -> int:
    """The noisy mass that the plan releases for an admitted atom."""
    return sum([mass for name, mass in plan if name == atom])


def is_admitted(plan: Plan, atom: int) -> bool:
    """Whether the plan releases this atom, exactly once."""
    return len([name for name, mass in plan if name == atom]) == 1


def compare(left: int, right: int, margin: int) -> int:
    """1 if left reaches right plus the margin (exceeds right at margin 0), -1 the other way, else 0."""
    if left - right >= max(margin, 1):
        return 1
    if right - left >= max(margin, 1):
        return -1
    return 0


def rounded(numerator: int, denominator: int, scale: int) -> int:
    """scale * numerator / denominator to the nearest integer, a half to the even one."""
    twice = 2 * numerator * scale + denominator
    floor = twice // (2 * denominator)
    if twice % (2 * denominator) == 0 and floor % 2 == 1:
        return floor - 1
    return floor


def support_bin(mass: int, floor: int, denominator: int, cuts: Vector, scale: int) -> int:
    """0 at or below the noise floor, else 1 + how many public cuts `cut / scale` the support reaches."""
    if mass <= floor:
        return 0
    return 1 + len([cut for cut in cuts if cut * denominator <= mass * scale])


def rank_of(plan: Plan, atom: int) -> int:
    """1 for the largest noisy mass; the lower atom number wins a tie."""
    own = mass_of(plan, atom)
    ahead = [name for name, mass in plan if mass > own or (mass == own and name < atom)]
    return 1 + len(ahead)


def claim_supported(
    plan: Plan, claim: Claim, unit: int, margin: int, floor: int, denominator: int, cuts: Vector, scale: int
) -> bool:
    """Whether the released integers alone support a claim; anything unknown is unsupported.

    Claim = (kind, atom, other, value).  `other` is the second atom of COMPARISON and SIMILARITY, the
    scale 10^digits of MASS and SUPPORT, and the bin of COUNT (-1: any bin).
    """
    kind, atom, other, value = claim
    if kind == COUNT:
        bins = [support_bin(mass, floor, denominator, cuts, scale) for name, mass in plan]
        return value == len([bin_ for bin_ in bins if other == -1 or bin_ == other])
    if not is_admitted(plan, atom):
        return False
    own = mass_of(plan, atom)
    if kind == MENTION:
        return True
    if kind == MASS:
        return value == rounded(own, unit, other)
    if kind == SUPPORT:
        return value == rounded(max(own, 0), denominator, other)
    if kind == BIN:
        return value == support_bin(own, floor, denominator, cuts, scale)
    if kind == RANK:
        return value == rank_of(plan, atom)
    if kind == COMPARISON and is_admitted(plan, other):
        return compare(own, mass_of(plan, other), margin) == 1
    if kind == SIMILARITY and is_admitted(plan, other):
        return abs(own - mass_of(plan, other)) < margin
    return False
