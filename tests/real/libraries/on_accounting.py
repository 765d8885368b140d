"""What is asked of dp-accounting and autodp."""

import dp_accounting
from autodp.mechanism_zoo import ExactGaussianMechanism
from dp_accounting import pld, rdp
from worker import serve

ACCOUNTANTS = {"rdp": rdp.RdpAccountant, "pld": pld.PLDAccountant}


def dp_accounting_epsilon(accountant, relation, noise_multiplier, delta):
    """What an accountant says of one Gaussian release."""
    made = ACCOUNTANTS[accountant](neighboring_relation=dp_accounting.NeighboringRelation[relation])
    made.compose(dp_accounting.GaussianDpEvent(noise_multiplier))
    return made.get_epsilon(delta)


def dp_accounting_laplace_epsilon(accountant, relation, noise_multiplier, delta):
    """What an accountant says of one Laplace release; None where it refuses."""
    made = ACCOUNTANTS[accountant](neighboring_relation=dp_accounting.NeighboringRelation[relation])
    try:
        made.compose(dp_accounting.LaplaceDpEvent(noise_multiplier))
    except dp_accounting.UnsupportedEventError:
        return None
    return made.get_epsilon(delta)


def autodp_epsilon(sigma, delta):
    """What autodp says of a Gaussian release of sensitivity 1."""
    return float(ExactGaussianMechanism(sigma=sigma).get_approxDP(delta))


NAMES = (dp_accounting_epsilon, dp_accounting_laplace_epsilon, autodp_epsilon)
serve({function.__name__: function for function in NAMES})
