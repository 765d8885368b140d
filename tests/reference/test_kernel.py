"""The kernel against the paper's formulas in exact rationals; each check is shown to catch a planted fault."""

from fractions import Fraction
from itertools import pairwise, product
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import kernel

SCORES = st.lists(st.integers(-3, 4) | st.integers(0, 10**30), min_size=1, max_size=9)
UNITS = st.integers(1, 2**20) | st.just(2**20)
MASSES = st.integers(-(2**50), 2**50) | st.integers(-6, 6)


def check_highest(highest):
    """Against the definition: every position in the order (-value, position)."""
    for values in product((-1, 0, 2), repeat=4):
        for count in range(6):
            left, wanted = list(range(4)), []
            while left and len(wanted) < count:
                wanted.append(max(left, key=lambda at: (values[at], -at)))
                left.remove(wanted[-1])
            assert highest(list(values), count) == wanted


def check_contribution(contribution):
    """Eq. (1): the K highest positive scores, ties to the lowest index, in proportion, rounded down."""
    for scores in product((-2, 0, 1, 3), repeat=4):
        for most, unit in product((0, 1, 2, 5), (1, 7, 2**20)):
            order = sorted((at for at in range(4) if scores[at] > 0), key=lambda at: (-scores[at], at))[:most]
            total = sum(scores[at] for at in order)
            wanted = [floor(Fraction(unit * scores[at], total)) if at in order else 0 for at in range(4)]
            assert contribution(list(scores), most, unit) == wanted


def check_clip(clip):
    """floor(U min(1, B / ||U||_1)), 0 for 0; what is negative counts as 0."""
    for unit in product((-5, 0, 1, 4, 9), repeat=3):
        for bound in (0, 1, 3, 7, 18, 50):
            positive = [max(value, 0) for value in unit]
            share = min(Fraction(1), Fraction(bound, sum(positive) or 1))
            assert clip(list(unit), bound) == [floor(value * share) for value in positive]


def check_rounded(rounded):
    """Half to even, below zero too."""
    for numerator, denominator, scale in product(range(-30, 31), range(1, 9), (1, 10)):
        assert rounded(numerator, denominator, scale) == round(Fraction(numerator * scale, denominator))


def check_compare(compare):
    """1 if and only if the difference reaches the margin and is positive."""
    for left, right, margin in product(range(-3, 4), range(-3, 4), range(4)):
        over, under = (d >= margin if margin else d > 0 for d in (left - right, right - left))
        assert compare(left, right, margin) == over - under


def check_support_bin(support_bin):
    """0 up to the floor, then one more for every cut that mass / denominator reaches."""
    for mass, bottom, denominator in product(range(-3, 13), (0, 2), (4, 6)):
        cuts, scale = [1, 3, 5], 3
        reached = sum(Fraction(mass, denominator) >= Fraction(cut, scale) for cut in cuts)
        assert support_bin(mass, bottom, denominator, cuts, scale) == (0 if mass <= bottom else 1 + reached)


def supported(plan, claim, terms):
    """Definition 3.7 once more, on exact rationals."""
    unit, margin, bottom, denominator, cuts, scale = terms
    kind, atom, other, value = claim
    mass = dict(plan)
    bins = {
        name: 0 if own <= bottom else 1 + sum(Fraction(own, denominator) >= Fraction(cut, scale) for cut in cuts)
        for name, own in plan
    }
    ranks = {name: at for at, (name, _) in enumerate(sorted(plan, key=lambda row: (-row[1], row[0])), 1)}
    if kind == kernel.COUNT:
        return value == (len(plan) if other == -1 else list(bins.values()).count(other))
    if atom not in mass or (kind in (kernel.COMPARISON, kernel.SIMILARITY) and other not in mass):
        return False
    return {
        kernel.MENTION: lambda: True,
        kernel.MASS: lambda: value == round(Fraction(mass[atom], unit) * other),
        kernel.SUPPORT: lambda: value == round(Fraction(max(mass[atom], 0), denominator) * other),
        kernel.BIN: lambda: value == bins[atom],
        kernel.COMPARISON: lambda: mass[atom] - mass[other] >= margin if margin else mass[atom] > mass[other],
        kernel.SIMILARITY: lambda: abs(mass[atom] - mass[other]) < margin,
        kernel.RANK: lambda: value == ranks[atom],
    }.get(kind, lambda: False)()


def check_claims(claim_supported):
    """Definition 3.7 on every small plan of two atoms and every small claim."""
    masses, others, values = (-1, 0, 1, 2, 4), (-1, 0, 1, 2, 10), range(-2, 5)
    terms = [(1, 0, 0, 1, [1, 2], 1), (2, 1, 0, 3, [2], 4), (3, 2, 1, 2, [1, 3], 2)]
    for first, second, kind, atom in product(masses, masses, range(10), range(3)):
        plan = [(2, first), (0, second)]
        for other, value, given_terms in product(others, values, terms):
            claim = (kind, atom, other, value)
            assert claim_supported(plan, claim, *given_terms) == supported(plan, claim, given_terms)


def _later_tie(values, count):
    return sorted(range(len(values)), key=lambda at: (-values[at], -at))[:count]


def _unscaled(scores, most, unit):
    kept = kernel.highest(scores, most)
    return [min(max(score, 0), unit) if at in kept else 0 for at, score in enumerate(scores)]


def _rounded_up(scores, most, unit):
    exact = kernel.contribution(scores, most, unit)
    return [value + (value > 0) for value in exact]


FAULTS = [
    (check_highest, kernel.highest, _later_tie),
    (check_contribution, kernel.contribution, lambda s, k, u: kernel.contribution(s, k + 1, u)),
    (check_contribution, kernel.contribution, _unscaled),
    (check_contribution, kernel.contribution, _rounded_up),
    (check_contribution, kernel.contribution, lambda s, k, u: kernel.contribution(s[::-1], k, u)[::-1]),
    (check_clip, kernel.clip, lambda v, b: kernel.shrink([max(x, 0) for x in v], b)),
    (check_clip, kernel.clip, lambda v, b: [max(x, 0) for x in v]),
    (check_clip, kernel.clip, lambda v, b: [round(Fraction(x * b, max(sum(v), b, 1))) for x in v]),
    (check_rounded, kernel.rounded, lambda n, d, s: (2 * n * s + d) // (2 * d)),
    (check_rounded, kernel.rounded, lambda n, d, s: int(n * s / d)),
    (check_compare, kernel.compare, lambda a, b, m: 1 if a - b >= m else -int(b - a >= m)),
    (check_compare, kernel.compare, lambda a, b, m: (a - b > m) - (b - a > m)),
    (check_support_bin, kernel.support_bin, lambda m, f, d, c, s: kernel.support_bin(m, f - 1, d, c, s)),
    (check_support_bin, kernel.support_bin, lambda m, f, d, c, s: kernel.support_bin(m * s - 1, f * s, d, c, 1)),
    (
        check_claims,
        kernel.claim_supported,
        lambda p, c, u, g, f, *more: kernel.claim_supported(p, c, u, g + 1, f, *more),
    ),
    (
        check_claims,
        kernel.claim_supported,
        lambda p, c, u, g, f, *more: kernel.claim_supported(p, c, u, g, f + 1, *more),
    ),
    (check_claims, kernel.claim_supported, lambda p, c, *terms: kernel.claim_supported([*p, (1, 0)], c, *terms)),
]


@pytest.mark.parametrize(("check", "right", "wrong"), FAULTS)
def test_kernel_functions_keep_their_definitions_and_faulty_ones_do_not(check, right, wrong):
    check(right)
    with pytest.raises(AssertionError):
        check(wrong)


@given(SCORES, st.integers(1, 12), UNITS)
def test_every_contribution_obeys_equation_1(scores, most, unit):
    mass = kernel.contribution(scores, most, unit)
    positive = sum(score > 0 for score in scores)
    assert len(mass) == len(scores)
    assert min(mass) >= 0
    assert sum(value > 0 for value in mass) <= min(most, positive)
    assert sum(mass) <= unit
    assert sum(mass) > unit - min(most, positive) if positive else not any(mass)


@given(SCORES, st.integers(0, 2**22))
def test_clipping_never_exceeds_the_bound_and_changes_nothing_within_it(unit, bound):
    clipped = kernel.clip(unit, bound)
    positive = [max(value, 0) for value in unit]
    assert sum(clipped) <= bound
    assert all(0 <= after <= before for after, before in zip(clipped, positive, strict=True))
    assert clipped == positive or sum(positive) > bound
    assert kernel.clip(clipped, bound) == clipped


UNITS_OF_3 = st.lists(st.lists(st.integers(0, 2**21), min_size=3, max_size=3), max_size=20)


@given(UNITS_OF_3, UNITS_OF_3, st.integers(0, 2**21), st.randoms())
def test_the_sketch_is_local_streams_and_ignores_order(first, second, bound, random):
    together = first + second
    whole = kernel.sketch(together, bound, 3)
    parts = [kernel.sketch(part, bound, 3) for part in (first, second)]
    assert whole == [sum(column) for column in zip(*parts, strict=True)]
    random.shuffle(together)
    assert kernel.sketch(together, bound, 3) == whole
    total = [0, 0, 0]
    for unit in together:
        total = kernel.absorb(total, unit, bound)
    assert total == whole


@given(st.lists(st.tuples(st.integers(0, 4), st.lists(st.integers(0, 99), min_size=3, max_size=3)), max_size=20),
       st.integers(0, 150), st.randoms())  # fmt: skip
def test_the_user_sketch_is_the_sum_of_clipped_user_totals(records, bound, random):
    wanted = [0, 0, 0]
    for user in {owner for owner, _ in records}:
        total = [sum(vector[at] for owner, vector in records if owner == user) for at in range(3)]
        share = min(Fraction(1), Fraction(bound, sum(total) or 1))
        wanted = [old + floor(value * share) for old, value in zip(wanted, total, strict=True)]
    assert kernel.user_sketch(records, bound, 3) == wanted
    random.shuffle(records)
    assert kernel.user_sketch(records, bound, 3) == wanted


PLANS = st.dictionaries(st.integers(0, 5), MASSES, max_size=6).map(lambda plan: list(plan.items()))
TERMS = st.tuples(st.integers(1, 2**20), st.integers(0, 4), st.integers(0, 3), st.integers(1, 9),
                  st.just([2, 3, 7]), st.integers(1, 9))  # fmt: skip


@given(PLANS, TERMS, st.integers(0, 9), st.integers(0, 6), st.sampled_from([-1, 0, 1, 2, 3, 10, 1000]))
def test_claims_are_decided_as_definition_3_7_says(plan, terms, kind, atom, other):
    near = {0, 1, 2, 3, 4, 5, 6, len(plan)}
    for _, mass in plan:
        near |= {round(Fraction(mass, terms[0]) * other), round(Fraction(max(mass, 0), terms[3]) * other)}
    for value in near | {value + 1 for value in near} | {value - 1 for value in near}:
        claim = (kind, atom, other, value)
        assert kernel.claim_supported(plan, claim, *terms) == supported(plan, claim, terms)


@pytest.mark.parametrize(("kind", "other", "value"), [(kernel.MENTION, 0, 0), (kernel.RANK, 0, 1), (kernel.BIN, 0, 1)])
def test_an_atom_released_twice_supports_nothing(kind, other, value):
    assert kernel.claim_supported([(1, 9)], (kind, 1, other, value), 1, 1, 0, 1, [99], 1)
    assert not kernel.claim_supported([(1, 9), (1, 9)], (kind, 1, other, value), 1, 1, 0, 1, [99], 1)


@given(PLANS)
def test_ranks_are_a_permutation_that_orders_the_masses(plan):
    ranks = {atom: kernel.rank_of(plan, atom) for atom, _ in plan}
    assert sorted(ranks.values()) == list(range(1, len(plan) + 1))
    order = sorted(plan, key=lambda row: ranks[row[0]])
    assert all(a[1] > b[1] or (a[1] == b[1] and a[0] < b[0]) for a, b in pairwise(order))
