"""A count beside the plan is caught by the closed list of files, and by its constancy."""


def test_a_count_without_noise_is_caught(caught):
    assert caught("beside_plan") == ("fail", {"hygiene", "canary"})
