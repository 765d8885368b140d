"""Answers as data, table, words and figure."""

import csv
import io
import json
import re
from fractions import Fraction

import pytest

from dpspin import canonical
from dpspin.accounting.curve import GaussianCurve
from dpspin.accounting.guarantee import Guarantee
from dpspin.accounting.laplace import RealLaplace
from dpspin_audits import curve_views
from dpspin_audits.curves import Question, Release, answered

MILLIONTH = Fraction(1, 10**6)
LAPLACE = Release("first", RealLaplace(Fraction(1), 1), "user", "add_drop",
                  Guarantee(Fraction(1), Fraction(0), "user", "add_drop"))  # fmt: skip
GAUSSIAN = Release("second", GaussianCurve(Fraction(1, 16)), "user", "add_drop", None)


def answer(*releases, records=1, asked=False, deltas=(MILLIONTH, Fraction(0))):
    return answered(releases, Question(deltas, records, asked))


def test_the_tree_is_canonical_and_holds_ends_that_are_decimals():
    tree = json.loads(canonical.dumps(curve_views.tree(answer(GAUSSIAN))))
    assert (tree["schema"], tree["bound"], tree["releases"]) == ("dpspin-curve/1", "exact", ["second"])
    assert tree["native"] == {"mu": "2.5e-01", "pure": None, "rho": "3.125e-02"}
    row, none = tree["epsilon_at"]
    assert Fraction(row["epsilon_lo"]) < Fraction(row["epsilon_hi"]) < Fraction(row["epsilon_lo"]) * (1 + MILLIONTH)
    assert (none["epsilon_hi"], "no loss" in none["why_none"]) == (None, True)
    for point in tree["points"]:
        ends = GAUSSIAN.curve.delta(Fraction(point["epsilon"]))
        assert Fraction(point["delta_lo"]) <= ends.low <= ends.high <= Fraction(point["delta_hi"])


def test_the_table_has_the_points_of_the_tree():
    found = answer(LAPLACE)
    rows = list(csv.DictReader(io.StringIO(curve_views.table(found).decode())))
    assert rows == [{name: point[name] for name in rows[0]} for point in curve_views.tree(found)["points"]]
    assert (rows[0]["epsilon"], rows[-1]["delta_hi"]) == ("0", "0")


def test_words_say_what_is_exact_and_what_is_a_bound():
    exact, bound = curve_views.text(answer(GAUSSIAN)), curve_views.text(answer(LAPLACE, GAUSSIAN, LAPLACE))
    assert "epsilon at delta 1e-06: from 1.06" in exact
    assert "epsilon at delta 0: none: Gaussian noise has no loss at delta 0" in exact
    assert "zero-concentrated rho: 0.03125\n" in exact
    assert "zero-concentrated rho: at most" in bound
    assert re.search(r"epsilon at delta 1e-06: at most 3\.0\d+e\+00", bound)
    assert "3 releases of one population, fixed in advance; protects one user, add/drop" in bound
    assert "sum of the claims: epsilon 1, delta 0" in curve_views.text(answer(LAPLACE))
    assert "sum of the claims, for 3 units: epsilon 3" in curve_views.text(answer(LAPLACE, records=3))
    assert "sum of the claims" not in bound
    assert "  the curve at that delta: epsilon 1, the same" in curve_views.text(answer(LAPLACE))
    tree = curve_views.tree(answer(LAPLACE, LAPLACE))
    assert tree["curve_at_claimed"] == {"epsilon": "2e+00", "order": "equal"}


def test_opinions_and_their_absence_are_said():
    said = curve_views.text(answer(LAPLACE, asked=True, deltas=(MILLIONTH, Fraction(1, 10**11))))
    assert re.search(r"  dp-accounting PLD [\d.]+ says 0\.999998: agrees with ours", said)
    assert "  no second opinion: dp-accounting is accurate" in said


def test_the_figure_names_up_to_four_kinds_and_counts_more():
    few = curve_views.figure(answer(LAPLACE, LAPLACE, GAUSSIAN))
    assert few.title == "Privacy curve: first, 2 times + second"
    assert [series.name for series in few.singles] == ["each first", "second"]
    many = [GAUSSIAN._replace(name=str(k)) for k in range(5)]
    assert curve_views.figure(answer(*many)).title == "Privacy curve: 5 releases"
    assert curve_views.figure(answer(*many)).singles == ()
    assert curve_views.figure(answer(LAPLACE)).singles == ()
    long = LAPLACE._replace(name="x" * 200)
    assert curve_views.figure(answer(long, GAUSSIAN)).title == "Privacy curve: 2 releases"
    assert len(curve_views.figure(answer(long)).title) == curve_views.LONGEST


@pytest.mark.parametrize("releases", [(LAPLACE,), (GAUSSIAN,), (LAPLACE, LAPLACE)])
def test_the_description_says_what_the_picture_shows(releases):
    figure = curve_views.figure(answer(*releases))
    assert "down to 10⁻¹²" in figure.description
    assert "At delta 1e-06 epsilon is" in figure.description
    assert ("Delta is 0 from epsilon" in figure.description) == (GAUSSIAN not in releases)


def test_the_sum_of_the_claims_is_shown_beside_the_curve_of_several():
    spots = curve_views.figure(answer(LAPLACE, LAPLACE)).spots
    assert [spot.other for spot in spots] == [False, True]
    assert spots[1].place == (2, 0)
    assert len(curve_views.figure(answer(LAPLACE)).spots) == 1


def test_the_picture_is_the_drawing_of_the_figure():
    found = answer(LAPLACE)
    assert curve_views.picture(found).startswith(b"<svg ")
    assert curve_views.picture(found) == curve_views.picture(found)
