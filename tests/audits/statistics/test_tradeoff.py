"""Errors are counted as defined, and the band holds for all thresholds at once."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from dpspin_audits.statistics.tradeoff import POINTS, tradeoff


def test_points_are_the_two_errors_of_one_threshold():
    without, with_ = np.array([0.0, 1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0, 5.0])
    found = tradeoff(without, with_, 0.05)
    expected = {((without >= t).mean(), (with_ < t).mean()) for t in (*without, *with_)}
    assert set(found.points) <= expected
    assert found.points[0] == (1.0, 0.0)
    assert list(found.points) == sorted(found.points, key=lambda point: (-point.false_alarm, point.miss))


def test_points_are_few_and_lie_between_the_extremes():
    coin = np.random.default_rng(1)
    found = tradeoff(coin.normal(0, 1, 5000), coin.normal(1, 1, 3000), 0.01)
    assert 15 <= len(found.points) <= POINTS
    assert found.false_alarm_margin == pytest.approx(sqrt(log(400) / 10_000))
    assert found.miss_margin == pytest.approx(sqrt(log(400) / 6000))


def outside(shrunk):
    """How many of 300 bands at alpha .2 miss the true errors of uniform scores somewhere, margins times `shrunk`."""
    coin, count = np.random.default_rng(2), 0
    for _ in range(300):
        found = tradeoff(coin.random(200), coin.random(200) ** 0.5, 0.2)
        thresholds = [1 - point.false_alarm for point in found.points]
        # the true miss at a threshold t is t^2; what is measured at an unknown t may lie off both ways
        for point, t in zip(found.points, thresholds, strict=True):
            root = sqrt(point.miss)
            if abs(root - t) > shrunk * (found.false_alarm_margin + found.miss_margin / max(root + t, 1e-9)):
                count += 1
                break
    return count


def test_the_band_holds_at_its_level():
    """More than `limit` of 300 at alpha .2 has a probability below 1e-6; half of the band fails."""
    limit = int(binom.isf(1e-6, 300, 0.2))
    assert outside(1.0) <= limit < outside(0.4)
