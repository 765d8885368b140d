"""The control passes: the same parts and the same protocol, without a fault."""


def test_the_control_passes(caught):
    assert caught("correct") == ("pass", set())
