"""Noise: the law is exact, both paths agree word for word, and a draw is a function of its words alone."""

from fractions import Fraction
from math import ceil
from typing import NamedTuple

import mpmath
import numpy as np
import pytest
from scipy.special import ndtri

from dpspin.curator import noise
from dpspin.curator.noise import SeededBits, SystemBits, Tape, gaussian, laplace
from dpspin.errors import ImpossibleError, UsageError

SCALES = [
    Fraction(text)
    for text in ("1/1099511627776", "1/3", "1", "7/2", "3001/7", "1048576", "1073741824/7", "1099511627776")
]
LOW, HIGH = 0, 2**64 - 1


class Law(NamedTuple):
    """A noise, and what its definition says of it."""

    drawn: object
    within: object  # (k, scale) to P(|X| <= k) for k >= 0, as an mpmath number
    quantile: object  # (share, scale) to some k near that quantile of |X|
    worst: dict  # scale to k of thresholds beside which float64 errs most, relatively to y + scale + 1


def real(scale):
    return mpmath.mpf(scale.numerator) / scale.denominator


LAPLACE = Law(
    laplace,
    lambda k, b: 1 - 2 * mpmath.exp(-(k + 1) / real(b)) / (1 + mpmath.exp(-1 / real(b))),
    lambda share, b: int(-float(b) * np.log1p(-share)),
    {Fraction(639747, 1186): 2274, Fraction(721924, 11271): 309, Fraction(398163, 11): 159035},  # of 1.9 million
)
GAUSSIAN = Law(
    gaussian,
    lambda k, sigma: mpmath.erf((k + mpmath.mpf(1) / 2) / real(sigma) / mpmath.sqrt(2)),
    lambda share, sigma: int(-float(sigma) * ndtri((1 - share) / 2)),
    {Fraction(854, 15): 62, Fraction(10238, 303): 36, Fraction(29979, 52): 618},  # of 2.4 million
)
LAWS = pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])


def cumulative(law, k, scale):
    """F(k) = P(|X| <= k), from the law; call it inside a precision of mpmath."""
    return law.within(k, scale) if k >= 0 else mpmath.mpf(0)


def threshold(law, k, scale, bits):
    """floor(2^bits F(k))."""
    with mpmath.workprec(bits + 200):
        return int(mpmath.floor(mpmath.ldexp(cumulative(law, k, scale), bits)))


def both(law, scale, words, more):
    """The draws of both paths on the same words, and how many words each left over."""
    results = []
    for rigorous in (False, True):
        tape = Tape(np.concatenate([np.asarray(words, np.uint64), np.asarray(more, np.uint64)]))
        drawn = law.drawn(scale, (len(words),), tape, rigorous=rigorous)
        results.append((drawn.tolist(), len(tape._left)))
    return results


def adversarial(law, scale):
    """First words whose 63 bits lie at, or 2^j beside, a threshold of F; and the ends of the range."""
    shares = (0.001, 0.1, 0.5, 0.9, 0.999, 1 - 2.0**-30, 1 - 2.0**-50)
    quantiles = [*(law.quantile(share, scale) for share in shares), *(k for s, k in law.worst.items() if s == scale)]
    beside = [0, 1, 2, *(2**j for j in range(2, 30, 2)), *(3 * 2**j for j in range(0, 30, 3))]
    thresholds = [threshold(law, k, scale, 63) for k in quantiles]
    found = {u + side * offset for u in thresholds for offset in beside for side in (1, -1)}
    return [u for u in sorted(found | {0, 1, 2**62, 2**63 - 2, 2**63 - 1}) if 0 <= u < 2**63]


def check_paths_agree(law):
    for scale in [*SCALES, *law.worst]:
        first = adversarial(law, scale)
        words = [*first, *(u + 2**63 for u in first)]
        for more in (LOW, HIGH - 1, 0x9E3779B97F4A7C15):
            fast, rigorous = both(law, scale, words, [more] * 3 * len(words))
            assert fast == rigorous


@LAWS
def test_both_paths_agree_beside_every_threshold(law):
    check_paths_agree(law)


@LAWS
@pytest.mark.parametrize("slack", [0.0, 2.0**-52])
def test_too_little_slack_is_caught_beside_the_thresholds(monkeypatch, slack, law):
    monkeypatch.setattr(noise, "SLACK", slack)
    with pytest.raises(AssertionError):
        check_paths_agree(law)


@LAWS
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_both_paths_agree_on_random_words(scale, law):
    fast, rigorous = SeededBits(b"agree"), SeededBits(b"agree")
    shape = (3000,)
    quick, exact = law.drawn(scale, shape, fast, rigorous=False), law.drawn(scale, shape, rigorous, rigorous=True)
    assert np.array_equal(quick, exact)
    assert fast.words(1) == rigorous.words(1)


@LAWS
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(7, 2), Fraction(2**20), Fraction(2**40)], ids=str)
@pytest.mark.parametrize("more", [LOW, HIGH, 1, 2**63])
def test_every_draw_is_the_least_k_above_its_uniform(scale, more, law):
    """U = (u + 0.mmm...) / 2^63, the word m repeated for ever; the threshold itself is straddled and needs m."""
    with mpmath.workprec(1400):
        for u in adversarial(law, scale)[::5]:
            uniform = mpmath.ldexp(u + mpmath.mpf(more) / HIGH, -63)
            if uniform == 1:
                continue
            magnitude = abs(int(law.drawn(scale, (1,), Tape([u] + [more] * 20), rigorous=True)[0]))
            assert cumulative(law, magnitude - 1, scale) <= uniform < cumulative(law, magnitude, scale)


@LAWS
def test_float64_decides_nearly_every_draw(monkeypatch, law):
    monkeypatch.setattr(noise, "least", None)  # not to be called; a draw is in doubt with probability 2^-20
    law.drawn(Fraction(2**20), (2000,), SeededBits(b"clear"), rigorous=False)


@LAWS
def test_refinement_decides_exactly_at_the_threshold(law):
    scale, k = Fraction(7, 2), 5
    u, rest = divmod(threshold(law, k, scale, 127), 2**64)
    for more, magnitude in ((rest - 1, k), (rest + 1, k + 1)):
        assert both(law, scale, [u], [more, 0]) == [([magnitude], 1)] * 2


def check_grid(law, scale, drawn_from, bits=16):
    """With U = i / 2^16 for every i, exactly ceil(2^16 F(k)) draws have |X| <= k: the law itself, without chance."""
    grid = np.arange(2**bits, dtype=np.uint64) << np.uint64(63 - bits)
    words = np.concatenate([grid, grid | np.uint64(2**63)])
    drawn = drawn_from(scale, words)
    plus, minus = drawn[: 2**bits], drawn[2**bits :]
    assert np.array_equal(plus, -minus)
    assert plus.min() >= 0
    with mpmath.workprec(200):
        for k in range(int(plus.max()) + 1):
            assert (plus <= k).sum() == ceil(mpmath.ldexp(cumulative(law, k, scale), bits))


def on_tape(law, rigorous):
    zeros = np.zeros(1000, np.uint64)
    return lambda scale, words: law.drawn(scale, words.shape, Tape(np.concatenate([words, zeros])), rigorous=rigorous)


@LAWS
@pytest.mark.parametrize("scale", [Fraction(1, 5), Fraction(3, 2), Fraction(10)], ids=str)
def test_the_law_is_exact_on_a_grid(scale, law):
    check_grid(law, scale, on_tape(law, rigorous=False))
    check_grid(law, scale, on_tape(law, rigorous=True), bits=13)


def floored(law, scale, words):
    """A real of the law cut off towards zero: neither the lattice's law nor the rounded one."""
    share = (words & np.uint64(2**63 - 1)) / 2**63
    size = -np.log1p(-share) if law is LAPLACE else -ndtri((1 - share) / 2)
    return np.trunc(np.where(words >> np.uint64(63), -1, 1) * float(scale) * size)


@LAWS
@pytest.mark.parametrize("fault", [
    lambda law, scale, words: on_tape(law, False)(scale * Fraction(1001, 1000), words),  # a scale 0.1 % off
    lambda law, scale, words: on_tape(law, False)(scale, words) + 1,  # a shift
    lambda law, scale, words: np.abs(on_tape(law, False)(scale, words)),  # the sign forgotten
    lambda law, scale, words: on_tape(GAUSSIAN if law is LAPLACE else LAPLACE, False)(scale, words),
    floored,
])  # fmt: skip
def test_another_law_is_caught_on_the_grid(fault, law):
    with pytest.raises(AssertionError):
        check_grid(law, Fraction(10), lambda scale, words: fault(law, scale, words))


@LAWS
def test_the_highest_bit_is_the_sign(law):
    words = SeededBits(b"sign").words(500)
    more = np.zeros(500, np.uint64)
    plus, minus = (
        law.drawn(Fraction(50), (500,), Tape(np.concatenate([words ^ flip, more])), rigorous=False)
        for flip in (np.uint64(0), np.uint64(2**63))
    )
    assert np.array_equal(plus, -minus)
    assert (np.sign(plus) == np.where(words >> np.uint64(63), -1, 1))[plus != 0].all()


@LAWS
def test_draws_depend_on_their_words_alone_in_row_order(law):
    scale = Fraction(2**20)
    flat = law.drawn(scale, (60,), SeededBits(b"x"), rigorous=False)
    assert flat.dtype == np.int64
    assert np.array_equal(law.drawn(scale, (4, 15), SeededBits(b"x"), rigorous=True), flat.reshape(4, 15))
    for changed in (0, 59):
        words = SeededBits(b"x").words(60)
        words[changed] ^= np.uint64(2**60)
        again = law.drawn(scale, (60,), Tape(words), rigorous=True)
        assert (again != flat).nonzero()[0].tolist() == [changed]


@LAWS
def test_no_draws_need_no_words(law):
    assert law.drawn(Fraction(1), (0, 5), Tape([]), rigorous=True).shape == (0, 5)


@LAWS
@pytest.mark.parametrize(
    "scale", [Fraction(0), Fraction(-1), Fraction(2**40 + 1), Fraction(1, 2**40 + 1), Fraction(10**400)]
)
def test_a_scale_outside_the_range_is_refused(scale, law):
    tape = Tape([5])
    with pytest.raises(UsageError, match=r"noise scale: .* lattice units; choose epsilon"):
        law.drawn(scale, (1,), tape, rigorous=True)
    assert tape.words(1) == 5


@LAWS
def test_a_source_that_never_decides_is_reported(law):
    scale, k, bits = Fraction(7, 2), 3, noise.GIVE_UP + 200
    following = threshold(law, k, scale, bits)  # the bits of F(k) itself, so that U = F(k) as far as anyone can see
    words = [following >> (bits - 63)]
    words += [following >> (bits - 63 - 64 * j) & HIGH for j in range(1, 18)]
    for tape in (words, [HIGH] * 18):
        for rigorous in (True, False):
            with pytest.raises(ImpossibleError, match="repeats itself"):
                law.drawn(scale, (1,), Tape(tape), rigorous=rigorous)


def test_seeded_bits_are_reproducible_and_streams_are_separate():
    whole = SeededBits(b"seed", 1).words(50)
    again = SeededBits(b"seed", 1)
    assert np.array_equal(np.concatenate([again.words(3), again.words(47)]), whole)
    assert whole.dtype == np.uint64
    others = [SeededBits(b"seed", 2), SeededBits(b"seed"), SeededBits(b"seee", 1), SeededBits(b"", 1)]
    others += [SeededBits(seed) for seed in (b"\0seed", b"seed\0", b"", b"\0", b"\0\0", b"\0" * 32, b"\xff" * 32)]
    streams = [whole.tolist(), *(other.words(50).tolist() for other in others)]
    assert len({word for stream in streams for word in stream}) == 50 * len(streams)


def test_the_seeded_stream_is_pinned():
    assert SeededBits(b"dpspin", 7).words(2).tolist() == PINNED


PINNED = [11576548504119047456, 8752863488452452181]


def test_system_bits_never_repeat():
    words = np.concatenate([SystemBits().words(500), SystemBits().words(500)])
    assert (words.dtype, words.shape) == (np.uint64, (1000,))
    assert len(set(words.tolist())) == 1000  # a repeated word has probability below 3e-14
    assert SystemBits().words(0).shape == (0,)
    ones = np.bitwise_count(words).sum()
    assert abs(int(ones) - 32_000) < 127 * 6  # six standard deviations: probability below 2e-9


def test_a_tape_ends_with_an_error_and_gives_no_part():
    tape = Tape([1, 2, 3])
    assert tape.words(2).tolist() == [1, 2]
    with pytest.raises(ImpossibleError, match="has ended"):
        tape.words(2)
    assert tape.words(1).tolist() == [3]
