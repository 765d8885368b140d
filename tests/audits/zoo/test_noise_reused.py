"""One draw for all atoms is caught by the difference of two masses."""

import pytest


@pytest.mark.parametrize("mechanism", ["laplace", "top_l"])
def test_it_is_caught(caught, mechanism):
    verdict, failed = caught("noise_reused", mechanism=mechanism)
    assert verdict == "fail"
    assert "distribution.ideal" in failed


def test_the_measured_loss_has_no_limit(audited):
    tree = audited("py:dpspin_audits.zoo.noise_reused:subject", mechanism="top_l")
    assert float(tree["accounting"]["measured"]["epsilon_at_least"]) > 5
