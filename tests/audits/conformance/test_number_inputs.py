"""Inputs of exact numbers: both relations, refused ones flagged."""

from random import Random

import pytest

from dpspin.errors import DpspinError
from dpspin_audits.conformance import number_inputs, steps

MAKERS = ("sensitivity", "laplace_scale", "gaussian_sigma", "selection_cost", "joint_cost", "conversion", "ledger_sum")


@pytest.mark.parametrize("name", MAKERS)
def test_exactly_the_flagged_inputs_are_refused(name):
    for draft in getattr(number_inputs, name)(Random(1)):
        if "Refused" in draft.flags:
            with pytest.raises(DpspinError):
                steps.answer(name, draft.input)
        else:
            steps.answer(name, draft.input)


def test_both_relations_are_asked():
    for name in ("sensitivity", "laplace_scale", "gaussian_sigma", "selection_cost", "joint_cost"):
        asked = {draft.input["adjacency"] for draft in getattr(number_inputs, name)(Random(1))}
        assert {"add_drop", "replacement"} <= asked
