import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin_audits.report import numerals
from dpspin_audits.report.prose import plain


def test_bounds_are_rounded_away_from_the_claim():
    assert numerals.at_most(Fraction("6.8759"), 2) == "6.88"
    assert numerals.at_least(Fraction("0.9499"), 2) == "0.94"
    assert numerals.at_most(Fraction("6.871"), 2) == "6.88"
    assert numerals.at_least(Fraction("1234.5"), 0) == "1,234"


@given(st.fractions(min_value=-1000, max_value=1000))
@settings(max_examples=100)
def test_bounds_enclose_the_value(value):
    low, high = (
        Fraction(shown.replace(",", "").replace("−", "-"))
        for shown in (numerals.at_least(value, 3), numerals.at_most(value, 3))
    )
    assert low <= value <= high <= low + Fraction(1, 1000)


def test_short_numbers_are_shown_in_full_and_long_ones_cut():
    shown = [numerals.brief(Fraction(value)) for value in ("1", "0.50", "5000", "1/3", "1.00000000002", "-2.25")]
    assert shown == ["1", "0.5", "5,000", "0.333333", "1", "-2.25"]
    assert numerals.brief(Fraction("0.0123456789")) == "0.0123457"


def test_small_numbers_are_powers_of_ten():
    shown = [plain(numerals.number(Fraction(value))) for value in ("1e-6", "0.000125", "0.01", "0")]
    assert shown == ["10−6", "1.25\u00a0×\u00a010−4", "0.01", "0"]


def test_an_upper_bound_keeps_its_digits_and_is_never_below():
    shown = [
        plain(numerals.upper(Fraction(value))) for value in ("4/3", "1", "0.0012341234", "1.0001e-6", "9.9999e-7", "0")
    ]
    assert shown == ["1.33334", "1", "0.00123413", "1.01\u00a0×\u00a010−6", "10−6", "0"]


@given(st.fractions(min_value=0, max_value=10**7), st.integers(1, 8))
@settings(max_examples=100)
def test_cutting_upwards_stays_within_one_unit_of_the_last_digit(value, digits):
    found = numerals.ceiled(value, digits)
    assert value <= found <= value * (1 + Fraction(10) ** (1 - digits))


def test_a_drawing_writes_powers_with_raised_digits():
    assert numerals.inscribed(numerals.number(Fraction("2.5e-10"))) == "2.5\u00a0×\u00a010⁻¹⁰"


def test_a_share_short_of_certainty_is_never_shown_as_certain():
    assert numerals.percent(Fraction("0.999")) == "99.9\u00a0%"
    assert numerals.percent(Fraction("0.95")) == "95\u00a0%"
    assert numerals.percent(1 - Fraction("1e-6")) == "99.9999\u00a0%"


def test_the_factor_is_an_upper_bound_of_the_exponential():
    assert [numerals.factor(Fraction(value)) for value in (0, 1, 2, 5, 10)] == ["1.00", "2.72", "7.39", "149", "22,027"]
    assert numerals.factor(Fraction(10**9)) == "without useful limit"
    assert float(numerals.factor(Fraction(1, 10))) >= math.exp(0.1)


def test_the_delta_of_a_group_adds_up_and_stops_at_one():
    one, two = (numerals.group_delta(Fraction(1), Fraction(1, 10**6), units) for units in (1, 2))
    assert one == Fraction(1, 10**6)
    assert math.isclose(two, 1e-6 * (1 + math.e), rel_tol=1e-12)
    assert numerals.group_delta(Fraction(30), Fraction(1, 2), 10) == 1
    assert numerals.group_delta(Fraction(30), Fraction(0), 10) == 0


def test_counts_are_spelled_with_their_noun():
    assert numerals.counted(1, "finding") == "one finding"
    assert numerals.counted(12, "finding") == "twelve findings"
    assert numerals.counted(1200, "part") == "1,200 parts"
    assert numerals.sentence("one finding") == "One finding"
    assert numerals.sentence("paper's claim") == "Paper's claim"
    assert [numerals.stopped(words) for words in ("so", "So.", "run_info.json, 4", "")] == [
        "So.",
        "So.",
        "run_info.json, 4.",
        ".",
    ]
