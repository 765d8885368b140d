"""The claimed loss is computed again from the claimed noise, for every mechanism."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin.accounting.certified import Ends
from dpspin.accounting.cost import Cost, accounted
from dpspin.accounting.second_opinion import Asked, Opinion, note, second_opinion
from dpspin_audits.checks import accounting
from dpspin_audits.reference_subject import claim_of


def judged(setting, **change):
    return accounting.claim(replace(claim_of(setting), **change), setting)


@pytest.mark.parametrize(
    ("change", "status"),
    [({}, "pass"), ({"scale": Fraction(2)}, "pass"), ({"scale": Fraction(999999, 10**6)}, "fail"),
     ({"adjacency": "replacement"}, "fail"), ({"mass_bound": Fraction(2)}, "fail"),
     ({"epsilon": Fraction(1, 2)}, "fail"), ({"delta": Fraction(-1)}, "fail"),
     ({"mechanism": None}, "not_run"), ({"scale": None}, "not_run"), ({"mechanism": "private_top_l"}, "not_run"),
     ({"mechanism": "gaussian"}, "fail")],
)  # fmt: skip
def test_laplace_noise_costs_delta_1_over_its_scale(setting, change, status):
    assert judged(setting, **change).status == status


@pytest.mark.parametrize("unit", ["record", "user"])
@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "top_l", "top_l_gaussian"])
def test_the_references_claims_follow_from_their_noise(setting_of, mechanism, unit, adjacency):
    setting = setting_of(mechanism=mechanism, unit=unit, adjacency=adjacency)
    assert judged(setting).status == "pass"
    claim = claim_of(setting)
    assert judged(setting, scale=claim.scale * Fraction(2, 5)).status == "fail"


@pytest.mark.parametrize(
    ("mechanism", "change"),
    [
        ("gaussian", {"adjacency": "replacement"}),  # the square root of two forgotten
        ("gaussian", {"delta": Fraction(1, 10**6)}),
        ("gaussian", {"mass_bound": Fraction(11, 10)}),
        ("top_l", {"exponent": Fraction(1, 2)}),  # epsilon in every round
        ("top_l_gaussian", {"exponent": Fraction(1)}),
    ],
)
def test_a_claim_of_too_little_noise_is_found(setting_of, mechanism, change):
    assert judged(setting_of(mechanism=mechanism), **change).status == "fail"


def test_the_last_digit_of_sigma_decides(setting_of):
    setting = setting_of(mechanism="gaussian")
    scale = claim_of(setting).scale
    assert judged(setting, scale=scale * (1 - Fraction(1, 10**15))).status == "fail"
    assert judged(setting, scale=scale * (1 + Fraction(1, 10**15))).status == "pass"


def test_alternatives_are_listed_and_the_least_is_accounted(setting_of):
    found = judged(setting_of(mechanism="top_l"))
    bounds = [Fraction(row["epsilon"]) for row in found.figures["alternatives"]]
    assert len(bounds) == 3
    assert Fraction(found.figures["epsilon"]) == min(bounds) < 1


def test_replacement_on_one_admitted_atom_is_told_apart(setting_of):
    """The whole sketch moves by 2 B, and noise for B fails it; nothing is said of universes of one atom here."""
    assert judged(setting_of(adjacency="replacement"), scale=Fraction(1)).status == "fail"


@pytest.mark.parametrize(
    ("other", "status", "words"),
    [(0.9999999, "pass", "agrees with ours"), (1.00001, "fail", None), (0.7, "pass", "ours stands")],
)
def test_a_second_opinion_agrees_or_is_explained_or_is_a_finding(other, status, words):
    said = note(Asked("PLD", 1), Ends(Fraction(1), Fraction(1)), other)
    cost = Cost(Fraction(1), Fraction(0), "theorem")
    found = accounting.second_opinion(cost, Opinion("other tool", "1", other, said))
    assert found.status == status
    assert found.figures["epsilon"] == f"{other:.6f}"
    assert words is None or words in found.summary


@pytest.mark.parametrize(
    ("mechanism", "status"),
    [("laplace", "pass"), ("gaussian", "pass"), ("top_l", "not_run"), ("top_l_gaussian", "not_run")],
)
def test_another_library_agrees_where_it_has_a_figure(setting_of, mechanism, status):
    cost = accounted(setting_of(mechanism=mechanism, adjacency="replacement").deployment, 12)
    assert accounting.second_opinion(cost, second_opinion(cost)).status == status
