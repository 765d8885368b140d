"""Floating-point noise is caught by its low-order bits and by nothing else."""


def test_floating_point_noise_is_caught(caught):
    assert caught("float_noise") == ("fail", {"distribution.bits"})
