"""Claims: decided as the definitions say, by an independent reckoning in fractions."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.decoder import claims as c
from dpspin.plan import SEEDED

FAST = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def mass(plan, atom):
    return next((Fraction(a.mass, plan.terms.mass_unit) for a in plan.atoms if a.index == atom), None)


def reckoned(claim, plan):  # noqa: C901, PLR0911 - the definitions, one a case
    """Whether a claim about atoms holds, without the kernel."""
    terms = plan.terms
    unit = terms.mass_unit
    masses = {a.index: Fraction(a.mass, unit) for a in plan.atoms}
    margin = Fraction(terms.margin, unit)
    match claim:
        case c.Mention(atom):
            return atom in masses
        case c.Mass(atom, numerator, digits):
            return atom in masses and digits >= terms.mass_digits and round(masses[atom] * 10**digits) == numerator
        case c.Support(atom, numerator, digits):
            scale = 10**digits / Fraction(terms.denominator, unit)
            return (
                atom in masses and digits >= terms.support_digits and round(max(masses[atom], 0) * scale) == numerator
            )
        case c.Comparison(left, right):
            if not {left, right} <= masses.keys():
                return False
            apart = masses[left] - masses[right]
            return apart >= margin if margin else apart > 0
        case c.Similarity(left, right):
            return {left, right} <= masses.keys() and abs(masses[left] - masses[right]) < margin
        case c.Above(left, right):
            order = sorted(masses, key=lambda index: (-masses[index], index))
            return {left, right} <= masses.keys() and order.index(left) < order.index(right)
        case c.Rank(atom, rank):
            order = sorted(masses, key=lambda index: (-masses[index], index))
            return atom in masses and order.index(atom) + 1 == rank
        case c.Bin(atom, bin_):
            return atom in masses and bin_of(masses[atom], terms) == bin_
        case c.Count(count, None):
            return count == len(masses)
        case c.Count(count, bin_):
            return count == [bin_of(value, terms) for value in masses.values()].count(bin_)


def bin_of(value, terms):
    if value <= Fraction(terms.floor, terms.mass_unit):
        return 0
    support = value * terms.mass_unit / terms.denominator
    return 1 + sum(support >= Fraction(cut, terms.cut_scale) for cut in terms.cuts)


@st.composite
def about(draw, plan):
    """A claim that is often nearly true."""
    terms = plan.terms
    atom, other = (draw(st.integers(0, len(terms.universe) - 1)) for _ in range(2))
    digits = draw(st.integers(0, 5))
    shift = draw(st.sampled_from([0, 0, 0, 1, -1]))
    value = mass(plan, atom) or Fraction(7)
    share = max(value, 0) * terms.mass_unit / terms.denominator
    return draw(
        st.sampled_from(
            [
                c.Mention(atom),
                c.Mass(atom, round(value * 10**digits) + shift, digits),
                c.Support(atom, max(round(share * 10**digits) + shift, 0), digits),
                c.Bin(atom, draw(st.integers(0, len(terms.bins) - 1))),
                c.Comparison(atom, other),
                c.Similarity(atom, other),
                c.Above(atom, other),
                c.Rank(atom, draw(st.integers(1, 14))),
                c.Count(draw(st.integers(0, 12))),
                c.Count(draw(st.integers(0, 4)), draw(st.integers(0, len(terms.bins) - 1))),
            ]
        )
    )


@FAST
@given(st.data())
def test_support_of_a_claim_agrees_with_the_definitions(plans, data):
    plan = data.draw(plans)
    for claim in data.draw(st.lists(about(plan), min_size=20, max_size=20)):
        assert c.supported(claim, plan) == reckoned(claim, plan), claim


@pytest.mark.parametrize(
    "claim",
    [
        c.Rank(0, True),
        c.Above(0, True),
        c.Above(0, 0),
        c.Above(0, 1),
        c.Rank(0, 1.0),
        c.Mass(0, 2564.0, 1),
        c.Count(7, -1),
        c.Count(7, 9),
        c.Bin("0", 3),
        c.PublicText("stamp"),
        c.PublicText("none"),
        c.Parameter("epsilon", "one"),
        c.Parameter("epsilon", "1_0"),
        c.Parameter("sigma", "1"),
        c.Mention(99),
    ],
    ids=repr,
)
def test_ill_formed_claims_are_unsupported(fixed, claim):
    assert not c.supported(claim, fixed)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("epsilon", ["1", "1.0", "1.000", "10e-1", "3/3"], ["1.1", "0.9999999999999999999", "-1"]),
        ("delta", ["1e-5", "0.00001", "1/100000"], ["0", "1e-6"]),
        ("denominator", ["2000", "2e3"], ["2000.1", "1999"]),
        ("plan size", ["7"], ["8"]),
    ],
)
def test_parameters_are_compared_as_exact_numbers(fixed, name, right, wrong):
    assert [c.supported(c.Parameter(name, text), fixed) for text in right + wrong] == [True] * len(right) + [
        False
    ] * len(wrong)


def test_the_stamp_is_public_text_of_a_stamped_plan_only(fixed, stamped):
    assert (c.supported(c.PublicText(c.STAMP), fixed), c.supported(c.PublicText(c.STAMP), stamped)) == (False, True)
    assert stamped.terms.stamp == SEEDED


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (c.Mention(0), "released"),
        (c.Mention(1), "not released"),
        (c.Mass(0, 0, 1), "mass 256.4"),
        (c.Support(0, 0, 1), "support 0.128"),
        (c.Bin(0, 0), "support 0.128, very high bin"),
        (c.Bin(7, 1), "mass 12.4, noise floor 13.0"),
        (c.Comparison(0, 2), "differ by 25.0, margin 25.0"),
        (c.Comparison(2, 0), "differ by -25.0, margin 25.0"),
        (c.Similarity(4, 6), "differ by 171.4, margin 25.0"),
        (c.Comparison(0, 1), "not released"),
        (c.Above(4, 0), "rank 3 against rank 1"),
        (c.Above(4, 1), "not released"),
        (c.Rank(4, 1), "rank 3"),
        (c.Count(1), "count 7"),
        (c.Count(1, 2), "count 3"),
        (c.Parameter("delta", "0"), "delta 1e-5"),
        (c.PublicText("count"), "public text count"),
    ],
    ids=repr,
)
def test_descriptions_say_what_the_plan_says(fixed, claim, words):
    assert c.describe(claim, fixed) == words


def test_descriptions_tell_a_near_miss_from_a_hit(fixed):
    near = replace(fixed, terms=replace(fixed.terms, margin=25_001))
    assert c.describe(c.Comparison(0, 2), near) == "differ by 25.000, margin 25.001"


def test_the_atoms_of_a_claim_are_all_that_it_names():
    claims = c.Above(2, 1), c.Similarity(1, 2), c.Mass(3, 0, 0), c.Count(1), c.PublicText("a")
    assert [c.atoms(claim) for claim in claims] == [(2, 1), (1, 2), (3,), (), ()]
