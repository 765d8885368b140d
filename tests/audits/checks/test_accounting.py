"""The claimed epsilon is computed again, exactly."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin.accounting.cost import Cost, Opinion
from dpspin_audits.checks import accounting


@pytest.mark.parametrize(
    ("change", "status"),
    [({}, "pass"), ({"scale": Fraction(2)}, "pass"), ({"scale": Fraction(999999, 10**6)}, "fail"),
     ({"adjacency": "replacement"}, "fail"), ({"mass_bound": Fraction(2)}, "fail"),
     ({"epsilon": Fraction(1, 2)}, "fail"),
     ({"mechanism": None}, "not_run"), ({"scale": None}, "not_run"), ({"mechanism": "gaussian"}, "not_run")],
)  # fmt: skip
def test_delta_1_over_the_scale_must_not_exceed_the_claim(reference, change, status):
    assert accounting.claim(replace(reference.claim, **change), 8).status == status


def test_replacement_on_one_atom_moves_it_by_the_bound_only(reference):
    assert accounting.claim(replace(reference.claim, adjacency="replacement"), 1).status == "pass"


@pytest.mark.parametrize(("other", "status"), [(0.9999999, "pass"), (1.00001, "fail"), (0.7, "fail")])
def test_a_second_opinion_agrees_or_is_a_finding(other, status):
    found = accounting.second_opinion(Cost(Fraction(1), Fraction(0), "theorem"), Opinion("other tool", "1", other))
    assert found.status == status
    assert found.figures["epsilon"] == f"{other:.6f}"
