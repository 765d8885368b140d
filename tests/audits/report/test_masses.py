from fractions import Fraction

import pytest

from dpspin_audits.report.marks import Words
from dpspin_audits.report.masses import Atom, Terms, masses

ATOMS = (
    Atom(1, "first", Fraction(100), "0.2", "high"),
    Atom(2, "second", Fraction(20), "0.04", "low"),
    Atom(3, "third", Fraction(5), "0.01", "below noise floor"),
)
TERMS = Terms(Fraction(6), Fraction(12), (("low", Fraction(0)), ("high", Fraction(50))), 2, "all 40 themes", "95 %")


def words(drawing):
    return [mark.text for mark in drawing.marks if isinstance(mark, Words)]


def dots(drawing):
    return [mark for mark in drawing.marks if mark.kind == "dot"]


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_each_theme_has_label_value_band_and_dot(form):
    drawn = masses(ATOMS, TERMS, "fig2", form)
    assert {"first", "100.00", "5.00", "low", "high"} <= set(words(drawn))
    assert len(dots(drawn)) == len([mark for mark in drawn.marks if mark.kind == "box" and mark.opacity == ".25"]) == 3


def test_the_band_says_for_which_themes_it_holds():
    assert "noisy mass; band: ± 6.00, for all 40 themes at once (95 %)" in words(masses(ATOMS, TERMS, "fig2", "wide"))
    sparse = masses(ATOMS, TERMS._replace(noised="the 3 admitted themes"), "fig2", "narrow")
    assert "noisy mass; band: ± 6.00, the 3 admitted themes" in words(sparse)


def test_a_mass_below_the_floor_is_hollow():
    assert [dot.fill for dot in dots(masses(ATOMS, TERMS, "fig2", "wide"))] == ["measured", "measured", "paper"]


def test_dots_stand_at_their_masses():
    high = 106 * 1.05
    wanted = [262 + 428 * mass / high for mass in (100, 20, 5)]
    assert [float(dot.x) for dot in dots(masses(ATOMS, TERMS, "fig2", "wide"))] == pytest.approx(wanted, abs=0.06)


def test_negative_masses_extend_the_scale():
    drawn = masses((*ATOMS, Atom(4, "fourth", Fraction(-30), "0", "below noise floor")), TERMS, "fig2", "wide")
    xs = [float(dot.x) for dot in dots(drawn)]
    assert xs == sorted(xs, reverse=True)
    assert xs[-1] > 262
    assert "−30.00" in words(drawn)


def test_the_margin_is_drawn_to_scale_where_it_fits():
    drawn = masses(ATOMS, TERMS, "fig2", "wide")
    assert "margin 12.00" in words(drawn)
    assert "margin 99.00" not in words(masses(ATOMS, TERMS._replace(margin=Fraction(99)), "fig2", "wide"))


def test_a_large_plan_shows_its_thirty_highest():
    many = tuple(Atom(k, f"theme {k}", Fraction(200 - k), "0", "high") for k in range(1, 120))
    assert len(dots(masses(many, TERMS, "fig2", "narrow"))) == 30


def test_the_description_counts_what_may_be_noise():
    described = masses(ATOMS, TERMS, "fig2", "wide").description
    assert described == "Three released themes, from 100.00 down to 5.00. At or below the noise floor: one."


def test_a_plan_without_mass_can_be_drawn():
    flat = tuple(atom._replace(mass=Fraction(0)) for atom in ATOMS)
    assert len(dots(masses(flat, TERMS._replace(floor=Fraction(0), margin=Fraction(0)), "fig2", "wide"))) == 3
