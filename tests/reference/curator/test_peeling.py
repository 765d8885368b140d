"""Peeling: the law of ordered outcomes is exact, both paths agree word for word, and extreme scores do no harm."""

from fractions import Fraction
from itertools import permutations, product
from math import ceil

import mpmath
import numpy as np
import pytest

from dpspin.curator import noise, peeling
from dpspin.curator.noise import SeededBits, Tape
from dpspin.curator.peeling import peel
from dpspin.errors import ImpossibleError, UsageError

LOW, HIGH = 0, 2**64 - 1
WORST = [
    ([39, 0], Fraction(59086, 124069)),
    ([2018, 0], Fraction(624129, 67978348)),
    ([26, 0], Fraction(1454685, 2048956)),
    ([449042, 0], Fraction(702363, 17150036585)),
]
"""Scores and exponents at which float64 errs most for each atom, among 1.3 million thresholds tried."""


def share(scores, exponent, left, atom):
    """P(a round admits atom, or one that stands before it), from the law; call it inside a precision of mpmath."""
    order = sorted(left, key=lambda j: (-scores[j], j))
    weights = [
        mpmath.exp(mpmath.mpf((exponent * scores[j]).numerator) / (exponent * scores[j]).denominator) for j in order
    ]
    at = order.index(atom) + 1
    return sum(weights[:at]) / sum(weights) if at < len(order) else mpmath.mpf(1)


def on_grid(scores, exponent, left, atom, bits):
    """How many of the U = i / 2^bits admit this atom."""
    order = sorted(left, key=lambda j: (-scores[j], j))
    ends = [ceil(mpmath.ldexp(share(scores, exponent, left, j), bits)) for j in order]
    at = order.index(atom)
    return ends[at] - (ends[at - 1] if at else 0)


def check_law(admit, scores, exponent, rounds, bits):
    """With U = i / 2^bits for every i in every round, each ordered outcome comes exactly as often as its law says."""
    grid = np.array(list(product(range(2**bits), repeat=rounds)), np.uint64) << np.uint64(64 - bits)
    rows, counts = np.unique(admit(scores, exponent, grid), axis=0, return_counts=True)
    found = dict(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True))
    with mpmath.workprec(200):
        for outcome in permutations(range(len(scores)), rounds):
            left, expected = set(range(len(scores))), 1
            for atom in outcome:
                expected *= on_grid(scores, exponent, left, atom, bits)
                left.remove(atom)
            assert found.pop(outcome, 0) == expected
    assert not found


def on_tape(rigorous):
    zeros = np.zeros(1000, np.uint64)
    return lambda scores, exponent, words: peel(
        scores, exponent, words.shape, Tape(np.concatenate([words.ravel(), zeros])), rigorous=rigorous
    )


LAWS = [  # scores, exponent, rounds, bits
    ([3, 1, 0], Fraction(1, 2), 1, 13),
    ([0, 3, 1], Fraction(1, 2), 2, 7),
    ([0, 3, 1], Fraction(1, 2), 3, 4),
    ([5, 7, 5, 7], Fraction(1, 3), 2, 6),
    ([4, 4, 4], Fraction(1), 2, 6),
    ([4, 4], Fraction(1, 7), 2, 6),
    ([-(10**6), 10**6, 999_999], Fraction(1, 10**6), 2, 6),
    ([9], Fraction(1), 1, 6),
]


@pytest.mark.parametrize(("scores", "exponent", "rounds", "bits"), LAWS)
def test_the_law_of_ordered_outcomes_is_exact_on_a_grid(scores, exponent, rounds, bits):
    check_law(on_tape(rigorous=False), scores, exponent, rounds, bits)
    check_law(on_tape(rigorous=True), scores, exponent, rounds, min(bits, 6))


def _with_replacement(scores, exponent, words):
    return np.stack([on_tape(False)(scores, exponent, words[:, [i]])[:, 0] for i in range(words.shape[1])], axis=1)


def _all_at_once(scores, exponent, words):
    """The rounds after the first at weights of the first round, the one before being skipped, not removed."""
    rows = on_tape(False)(scores, exponent, words)
    again = _with_replacement(scores, exponent, words)
    return np.where(again == rows[:, :1], rows, again)


@pytest.mark.parametrize("fault", [
    lambda scores, exponent, words: on_tape(False)(scores, 2 * exponent, words),  # the factor 2 dropped
    lambda scores, exponent, words: on_tape(False)(scores, exponent * Fraction(33, 32), words),
    lambda scores, exponent, words: on_tape(False)([-score for score in scores], exponent, words),  # the least first
    lambda scores, exponent, words: np.sort(on_tape(False)(scores, exponent, words), axis=1),  # the order forgotten
    _with_replacement,
    _all_at_once,
])  # fmt: skip
def test_another_law_is_caught_on_the_grid(fault):
    with pytest.raises(AssertionError):
        check_law(fault, [0, 3, 1], Fraction(1, 2), 2, 7)


def both(scores, exponent, words, more):
    """The atoms of both paths on the same words, and how many words each left over."""
    results = []
    for rigorous in (False, True):
        tape = Tape(np.concatenate([np.ravel(words), np.asarray(more, np.uint64)]))
        results.append((peel(scores, exponent, words.shape, tape, rigorous=rigorous).tolist(), len(tape._left)))
    return results


def beside(threshold):
    """The word at a threshold of F, and words 2^j beside it."""
    offsets = [0, 1, 3, *(2**j for j in range(4, 30, 3))]
    return [int(threshold) + side * offset for offset in offsets for side in (1, -1)]


def adversarial(scores, exponent, before):
    """Rows of words: the first rounds' as given, the last one's beside up to 16 of the thresholds then in force."""
    chosen = peel(scores, exponent, (1, len(before)), Tape(before + [LOW] * 20), rigorous=True)[0].tolist()
    left = sorted(set(range(len(scores))) - set(chosen))
    with mpmath.workprec(300):
        thresholds = [
            mpmath.floor(mpmath.ldexp(share(scores, exponent, left, atom), 64)) for atom in left[:: len(left) // 8 + 1]
        ]
    last = {word for threshold in thresholds for word in beside(threshold)} | {0, 1, HIGH - 1, HIGH}
    return np.array([[*before, word] for word in sorted(last) if 0 <= word <= HIGH], np.uint64)


def instances():
    """Scores, exponent and the words of earlier rounds."""
    rng = np.random.default_rng(20)
    for scores, exponent in WORST:
        yield scores, exponent, []
    for m in (2, 3, 7, 40):
        for spread in (1, 5, 60, 900):  # times 1 / eta: from nearly even to beyond the range of exp
            scores = [int(score) for score in rng.integers(-(2**30), 2**30, m)]
            exponent = Fraction(spread, 2**31) * Fraction(int(rng.integers(1, 1000)), 1001)
            yield scores, exponent, SeededBits(b"before", m).words(rng.integers(0, m)).tolist()[:2]
    for top in range(7150, 7400, 50):  # beside the first, exp of the others is subnormal
        yield [top, 13, 0], Fraction(1, 10), [LOW]
    yield [7] * 6, Fraction(1, 3), [2**63 + 5]
    yield [2**52, -(2**52), 2**52 - 1, 0], Fraction(1, 2**51), []


def check_paths_agree():
    for scores, exponent, before in instances():
        words = adversarial(scores, exponent, before)
        for more in (LOW, HIGH - 1, 0x9E3779B97F4A7C15):
            fast, rigorous = both(scores, exponent, words, [more] * 20 * len(words))
            assert fast == rigorous


def test_both_paths_agree_beside_every_threshold():
    check_paths_agree()


@pytest.mark.parametrize("slack", [0.0, 2.0**-54])
def test_too_little_slack_is_caught_beside_the_thresholds(monkeypatch, slack):
    monkeypatch.setattr(peeling, "SLACK", slack)
    with pytest.raises(AssertionError):
        check_paths_agree()


@pytest.mark.parametrize(("atoms", "rounds", "spread"), [(1, 1, 1), (2, 2, 3), (5, 5, 10), (46, 10, 8), (46, 3, 2000)])
def test_both_paths_agree_on_random_words(atoms, rounds, spread):
    scores = [int(score) for score in np.random.default_rng(atoms).integers(0, 2**28, atoms)]
    exponent = Fraction(spread, 2**28)
    fast, rigorous = SeededBits(b"agree"), SeededBits(b"agree")
    shape = (2000 // (atoms * rounds) + 200, rounds)
    quick, exact = (peel(scores, exponent, shape, bits, rigorous=bits is rigorous) for bits in (fast, rigorous))
    assert np.array_equal(quick, exact)
    assert fast.words(1) == rigorous.words(1)
    assert quick.dtype == np.int64
    assert all(len(set(row)) == rounds for row in quick.tolist())


def test_float64_decides_nearly_every_run(monkeypatch):
    monkeypatch.setattr(peeling, "_admitted", None)  # not to be called; a run is in doubt with probability 2^-28
    scores = [int(score) for score in np.random.default_rng(1).integers(0, 2**28, 46)]
    for exponent in (Fraction(1, 2**28), Fraction(1, 2**20)):
        peel(scores, exponent, (500, 10), SeededBits(b"clear"), rigorous=False)


@pytest.mark.parametrize("p", [4, 8, 64, 128])
def test_shares_are_enclosed(p):
    gaps = [0, 0, 3, 4, 50, *range(60, 90), 10**4, 10**9]
    enclosed = peeling._shares(gaps, Fraction(1, 30))
    with mpmath.workprec(400):
        for k in range(len(gaps)):
            low, high = enclosed(k, p)
            exact = mpmath.ldexp(share([-gap for gap in gaps], Fraction(1, 30), set(range(len(gaps))), k), p)
            assert low <= exact <= high
            assert high - low <= 3 * len(gaps) + 2


def test_refinement_decides_exactly_at_the_threshold_and_words_are_taken_in_order():
    scores, exponent = [0, 2, 3], Fraction(1, 2)
    with mpmath.workprec(300):
        word, rest = divmod(int(mpmath.ldexp(share(scores, exponent, {0, 1, 2}, 2), 128)), 2**64)
        second, above = divmod(int(mpmath.ldexp(share(scores, exponent, {0, 1}, 1), 128)), 2**64)
    words = np.array([[word, second], [word, 0]], np.uint64)
    for first, place in ((rest - 1, 2), (rest + 1, 1)):
        rows = [[place, 1 if place == 2 else 2], [2, 1]]
        more = [first, above - 1, rest - 1] if place == 2 else [first, rest - 1]
        assert both(scores, exponent, words, [*more, 5]) == [(rows, 1)] * 2


@pytest.mark.parametrize("scores", [
    [0, 10**18, -(10**18)],
    [2**53 + 1, 1, 0],  # as distances in float64 the lower two would tie
    [10**400, -(10**400), 0],
    [10**30 + 1, 10**30 + 2, 10**30],  # as floats they would tie
], ids=["wide", "edge", "endless", "shifted"])  # fmt: skip
def test_scores_of_any_size_are_peeled_in_order_when_eta_is_large(scores):
    words = SeededBits(b"size").words(90).reshape(30, 3)
    order = sorted(range(3), key=lambda j: -scores[j])
    assert both(scores, Fraction(300), words, []) == [([order] * 30, 0)] * 2


def test_scores_matter_by_their_differences_alone():
    scores, exponent, words = [5, 0, 9, 4], Fraction(1, 4), SeededBits(b"shift").words(600).reshape(200, 3)
    for shift in (-(10**30), 2**53, 10**400):
        assert both([s + shift for s in scores], exponent, words, []) == both(scores, exponent, words, [])


def test_what_has_probability_2_to_the_minus_360_is_admitted_by_nothing_but_its_own_words():
    scores, exponent = [0, 1000, 1000], Fraction(1, 4)
    drawn = peel(scores, exponent, (20_000, 2), SeededBits(b"gap"), rigorous=False)
    assert set(drawn.ravel().tolist()) == {1, 2}
    assert both(scores, exponent, np.array([[HIGH]], np.uint64), [HIGH] * 5 + [7]) == [([[0]], 1)] * 2
    assert both(scores, exponent, np.array([[HIGH]], np.uint64), [HIGH] * 4 + [0, 7]) == [([[2]], 1)] * 2


def test_the_last_atom_left_takes_no_word_to_refine():
    assert both([3, 8], Fraction(1), np.array([[0, HIGH]], np.uint64), []) == [([[1, 0]], 0)] * 2
    assert both([3], Fraction(1), np.array([[HIGH], [0]], np.uint64), []) == [([[0], [0]], 0)] * 2


def test_rows_depend_on_their_words_alone():
    scores, exponent = [1, 2, 3, 4, 5], Fraction(1, 2)
    words = SeededBits(b"rows").words(120).reshape(40, 3)
    whole = peel(scores, exponent, (40, 3), Tape(words.ravel()), rigorous=False)
    for row in range(0, 40, 7):
        alone = peel(scores, exponent, (1, 3), Tape(words[row]), rigorous=True)
        assert np.array_equal(alone[0], whole[row])


def test_no_runs_and_no_rounds_need_no_words():
    assert peel([1, 2], Fraction(1), (0, 2), Tape([]), rigorous=False).shape == (0, 2)
    assert peel([1, 2], Fraction(1), (3, 0), Tape([]), rigorous=True).shape == (3, 0)


@pytest.mark.parametrize("exponent", [Fraction(0), Fraction(-1), Fraction(2**40 + 1), Fraction(10**400)])
def test_an_exponent_outside_the_range_is_refused(exponent):
    tape = Tape([5])
    with pytest.raises(UsageError, match=r"exponent of admission: .*; choose epsilon"):
        peel([1, 2], exponent, (1, 1), tape, rigorous=True)
    assert tape.words(1) == 5


def test_impossible_calls_are_reported():
    with pytest.raises(ImpossibleError, match="not an integer"):
        peel([1, 2.5], Fraction(1), (1, 1), Tape([5]), rigorous=True)
    with pytest.raises(ImpossibleError, match="3 rounds of admission among 2 atoms"):
        peel([1, 2], Fraction(1), (1, 3), Tape([5] * 3), rigorous=True)


def test_a_source_that_never_decides_is_reported():
    scores, exponent, bits = [1, 0], Fraction(1), noise.GIVE_UP + 200
    with mpmath.workprec(bits + 200):
        following = int(mpmath.ldexp(share(scores, exponent, {0, 1}, 0), bits))
    tape = [following >> (bits - 64 * j) & HIGH for j in range(1, 18)]
    for rigorous in (True, False):
        with pytest.raises(ImpossibleError, match="repeats itself"):
            peel(scores, exponent, (1, 1), Tape(tape), rigorous=rigorous)
