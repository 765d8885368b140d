"""Verdicts on stated noise: both sides of every border, ranges of rules, and what stays undecided."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpspin.accounting.certificate import Claim
from dpspin.accounting.certified import least
from dpspin.accounting.gaussian import classical_sigma
from dpspin.accounting.verdict import Stated, judge
from dpspin.errors import UsageError


def stated(mechanism, scale, epsilon, delta, adjacency="add_drop", *, rule="", discrete=False):
    claim = Claim(mechanism, adjacency, Fraction(1), Fraction(epsilon), Fraction(delta))
    return Stated(claim, Fraction(scale), rule, discrete)


def coordinates(shifts, scale, epsilon):
    """delta of Laplace noise on one or two coordinates, on a fine grid of losses: another way than the bounds."""
    grid = np.linspace(-60, 60, 1_200_001) if len(shifts) == 1 else np.linspace(-25, 25, 2501)
    step = grid[1] - grid[0]
    laws = [np.exp(-abs(grid - shift) / scale) / (2 * scale) * step for shift in (*shifts, 0.0)]
    if len(shifts) == 1:
        return float(np.maximum(laws[0] - math.exp(epsilon) * laws[1], 0).sum())
    joint, other = np.outer(laws[0], laws[1]), np.outer(laws[2], laws[2])
    return float(np.maximum(joint - math.exp(epsilon) * other, 0).sum())


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1e-6"), ("0.1", "1e-9"), ("8", "1e-5"), ("0", "1/3")])
@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_the_least_sigma_holds_and_the_float_below_violates(epsilon, delta, adjacency):
    found = least(Fraction(epsilon), Fraction(delta), Fraction(1 + (adjacency == "replacement")))
    assert judge(stated("gaussian", found.sigma, epsilon, delta, adjacency)).word == "holds"
    verdict = judge(stated("gaussian", found.below, epsilon, delta, adjacency))
    assert (verdict.word, verdict.enough) == ("violates", Fraction(found.sigma))
    assert verdict.delta.low > Fraction(delta)


def test_a_replacement_claim_with_the_sensitivity_of_add_drop_violates():
    sigma = least(Fraction(1), Fraction(1, 10**6), Fraction(1)).sigma
    assert judge(stated("gaussian", sigma, "1", "1e-6", "replacement")).word == "violates"


def test_the_classical_rule_outside_its_range_is_told_from_a_scale_that_holds_inside_it():
    inside = classical_sigma(Fraction(1, 2), Fraction(1, 10**5), Fraction(1))
    assert judge(stated("gaussian", inside, "0.5", "1e-5", rule="classical")).word == "holds"
    by_rule = {e: math.sqrt(2 * math.log(1.25e5)) / float(e) for e in ("2", "8.5")}
    assert (
        judge(stated("gaussian", by_rule["2"], "2", "1e-5", rule="classical")).word == "holds outside the rule's range"
    )
    assert judge(stated("gaussian", by_rule["2"], "2", "1e-5", rule="analytic")).word == "holds"
    assert judge(stated("gaussian", by_rule["8.5"], "8.5", "1e-5", rule="classical")).word == "violates"


def test_gaussian_noise_never_has_a_pure_loss():
    for sigma in ("1/10", "1", "100", "1e30"):
        assert judge(stated("gaussian", sigma, "5", "0")) == ("violates", "Gaussian noise has no pure loss", None, None)


@pytest.mark.parametrize(("scale", "adjacency", "word"), [
    ("2", "add_drop", "holds"), ("1.999999", "add_drop", "violates"), ("2", "replacement", "violates"),
    ("4", "replacement", "holds"), ("3.999999", "replacement", "violates"),
])  # fmt: skip
def test_pure_laplace_claims_hold_from_their_exact_scale_on(scale, adjacency, word):
    verdict = judge(stated("laplace", scale, "1/2", "0", adjacency))
    assert verdict.word == word
    if word == "violates":
        assert verdict.enough == 2 * (1 + (adjacency == "replacement"))


@pytest.mark.parametrize(("scale", "epsilon"), [(1.0, 0.25), (0.5, 1.0), (0.25, 3.0)])
def test_the_delta_of_laplace_noise_under_add_drop_is_exact(scale, epsilon):
    low, high = judge(stated("laplace", Fraction(scale), Fraction(epsilon), "0")).delta
    assert high - low < Fraction(1, 10**100)
    assert abs(coordinates([1.0], scale, epsilon) - low) < 2e-4


@pytest.mark.parametrize(("scale", "epsilon"), [(1.0, 0.25), (0.8, 1.0), (0.5, 3.0), (1.0, 1.5)])
def test_the_exact_delta_of_two_coordinates_is_the_numerical_value(scale, epsilon):
    low, high = judge(stated("laplace", Fraction(scale), Fraction(epsilon), "0", "replacement")).delta
    value = coordinates([1.0, -1.0], scale, epsilon)
    assert low - Fraction(1, 500) <= value <= high + Fraction(1, 500)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_laplace_noise_is_judged_on_both_sides_of_its_exact_delta(adjacency):
    low, high = judge(stated("laplace", "1", "1/2", "0", adjacency)).delta
    assert high - low < Fraction(1, 10**100)
    for delta, word in (
        (low * Fraction(999, 1000), "violates"),
        (high, "holds"),
        (high * Fraction(1001, 1000), "holds"),
    ):
        assert judge(stated("laplace", "1", "1/2", delta, adjacency)).word == word
    assert judge(stated("laplace", "1", "1/2", (low + high) / 2, adjacency)).word == "not decidable"
    assert judge(stated("laplace", "1/1000", "0", "1/2", adjacency)).enough is None


@pytest.mark.parametrize(
    ("variance", "epsilon", "delta"), [("16", "1", "3.0554546e-6"), ("17.8479117181", "1", "1.0196625e-6")]
)
def test_a_discrete_gaussian_is_judged_by_its_own_sum(variance, epsilon, delta):
    """Golden digits; a continuous sigma of the same size would hold, at the delta that is claimed here."""
    sigma = Fraction(math.sqrt(float(variance)))
    claims = {word: Fraction(delta) * Fraction(1000 + more, 1000) for word, more in (("violates", -1), ("holds", 1))}
    for word, claimed in claims.items():
        assert judge(stated("gaussian", sigma, epsilon, claimed, discrete=True)).word == word
    assert judge(stated("gaussian", sigma, epsilon, claims["violates"])).word == "holds"


def test_a_discrete_gaussian_in_several_coordinates_is_accused_but_never_cleared():
    assert judge(stated("gaussian", "2", "1", "1e-4", "replacement", discrete=True)).word == "violates"
    assert judge(stated("gaussian", "9", "1", "1e-4", "replacement", discrete=True)).word == "not decidable"
    assert judge(stated("gaussian", "9", "1", "0", discrete=True)).word == "violates"
    assert judge(stated("gaussian", "1e9", "1", "1e-4", discrete=True)).word == "not decidable"


def test_discrete_laplace_noise_is_judged_by_its_own_law():
    golden = Fraction("0.2876491366449679249217103429301319930981")  # eps 0.5, scale 1, shift 1
    for more, word in ((Fraction(-1, 10**30), "violates"), (Fraction(1, 10**30), "holds")):
        assert judge(stated("laplace", "1", "1/2", golden + more, discrete=True)).word == word
    assert judge(stated("laplace", "1", "1/2", golden)).word == "holds"  # real-valued noise needs less
    assert judge(stated("laplace", "1", "1", "0", discrete=True)).word == "holds"


def test_a_part_of_a_step_is_refused():
    claim = Claim("laplace", "add_drop", Fraction(1, 2), Fraction(1), Fraction(0))
    with pytest.raises(UsageError, match="not a number of steps"):
        Stated(claim, Fraction(1), "", discrete=True)
    assert judge(Stated(claim, Fraction(1))).word == "holds"


def test_a_violation_stays_one_where_no_float_would_be_enough():
    verdict = judge(stated("gaussian", "1", "1e-300", "1e-300"))
    assert (verdict.word, verdict.enough) == ("violates", None)


def test_what_no_bits_decide_is_not_decidable():
    assert judge(stated("gaussian", "1", "4000", "1e-6")).word == "not decidable"


@pytest.mark.parametrize("scale", ["0", "-1"])
def test_a_scale_that_is_not_positive_is_refused(scale):
    with pytest.raises(UsageError, match="not positive"):
        stated("gaussian", scale, "1", "1e-6")
