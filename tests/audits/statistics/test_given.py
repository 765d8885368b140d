"""A score from outside is called with plans, checked, and found by its address."""

import sys
from types import ModuleType

import numpy as np
import pytest

from dpspin.errors import UsageError
from dpspin_audits.draws import Draws
from dpspin_audits.statistics import given

DRAWS = Draws(np.array([[1, 0], [0, -1]]), np.array([[2.26, 1.0], [3.0, 0.0]]))


def test_a_score_sees_atoms_and_rounded_masses():
    found = given.values(lambda atoms, masses: masses[:, 0] + 10 * atoms[:, 0], DRAWS, 0.5)
    assert found.tolist() == [[12.5], [3.0]]


@pytest.mark.parametrize(
    "score",
    [lambda a, m: m, lambda a, m: m[:1, 0], lambda a, m: m[:, 0] * np.nan, lambda a, m: 1 / 0, lambda a, m: ["x", "y"]],
)
def test_anything_but_one_finite_number_a_run_is_refused(score):
    with pytest.raises(UsageError, match="the given score"):
        given.values(score, DRAWS, 0.5)


def test_it_is_found_by_its_address(monkeypatch):
    module = ModuleType("some_scores")
    module.mass, module.number = len, 3
    monkeypatch.setitem(sys.modules, "some_scores", module)
    assert given.resolve("py:some_scores:mass") is len
    wrong_ones = (
        "some_scores:mass",
        "py:some_scores",
        "py:some_scores:number",
        "py:no_such_module:x",
        "py:some_scores:y",
    )
    for wrong in wrong_ones:
        with pytest.raises(UsageError, match="--score"):
            given.resolve(wrong)
