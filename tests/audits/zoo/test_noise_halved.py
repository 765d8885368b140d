"""Half the noise is caught by the distribution of rounded masses, and blamed on nothing else."""


def test_half_the_noise_is_caught(caught):
    assert caught("noise_halved") == ("fail", {"distribution.ideal"})


def test_the_measured_loss_is_nearly_twice_the_claim(audited):
    tree = audited("py:dpspin_audits.zoo.noise_halved:subject")
    assert 1.8 < float(tree["accounting"]["measured"]["epsilon_at_least"]) <= 2
