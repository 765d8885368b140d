"""Sources answer as they say, in the type that they are asked in, and write everything down."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.noise.source import Frozen, Query, Silent


def test_silence_is_no_noise_and_admits_the_highest():
    source = Silent()
    assert source.laplace([3, -1], Fraction(1, 3), label="sketch") == [3, -1]
    assert source.gaussian([0.5], 2.0, label="values") == [0.5]
    assert source.peel([5, 7, 7, 1], 1, 3, label="admission") == [1, 2, 0]
    assert [asked.query for asked in source.asked] == [
        Query("laplace", "sketch", 2, Fraction(1, 3), 0),
        Query("gaussian", "values", 1, Fraction(2), 0),
        Query("peel", "admission", 4, Fraction(1), 3),
    ]
    assert [asked.values for asked in source.asked] == [(3, -1), (0.5,), (5, 7, 7, 1)]


def test_frozen_answers_do_not_depend_on_values_but_on_their_number_and_scale():
    for values in ([0, 0, 0], [10**9, -5, 3]):
        source = Frozen((2,), level=1)
        assert source.laplace(values, 10, label="s") == [0, -10, 10]  # the first position is ranked first
        assert source.gaussian([float(v) for v in values], Fraction(1, 2), label="s") == [0.0, -0.5, 0.5]
        assert source.peel(values, 1, 3, label="a") == [2, 0, 1]
    assert Frozen().laplace([7], 3, label="s") == [64 * 3]


@pytest.mark.parametrize(
    ("values", "kind"), [([1, 2], int), (np.array([1, 2]), int), ([1.0, 2], float), ([True], float)]
)
def test_integers_are_answered_by_integers_and_floats_by_floats(values, kind):
    assert {type(answer) for answer in Frozen().laplace(values, 1, label="s")} == {kind}


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), Fraction(-1, 2)])
def test_a_scale_that_is_no_positive_number_is_the_subjects_mistake(scale):
    with pytest.raises(SubjectError, match="no positive number"):
        Silent().laplace([1], scale, label="s")


def test_more_rounds_than_atoms_are_the_subjects_mistake():
    with pytest.raises(SubjectError, match="3 rounds"):
        Silent().peel([1, 2], 1, 3, label="a")
