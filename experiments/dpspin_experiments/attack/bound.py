"""How often an attacker can be right about an attribute, from (epsilon, delta) alone.

Let the attribute have A equally likely values, let all other records be known, and let any two values give adjacent
corpora (the relation is replacement).  Write p(a | b) for the probability of the guess a when b is true.  Then
p(a | a) <= e^epsilon p(a | b) + delta for every b other than a.  Summed over all such pairs, with s the rate of right
guesses: (A - 1) A s <= e^epsilon A (1 - s) + A (A - 1) delta, so that

    s <= (e^epsilon + (A - 1) delta) / (e^epsilon + A - 1).

For A = 2 this is (e^epsilon + delta) / (1 + e^epsilon), which follows from the trade-off of errors under
(epsilon, delta)-DP (Wasserman and Zhou 2010; Kairouz, Oh and Viswanath 2015); for delta = 0, randomised response
(Warner 1965) attains it.  Neither the number of other records nor who wrote them stands in it.
"""

from fractions import Fraction
from math import exp

from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.deployment import Deployment
from dpspin.errors import UsageError


def success_at_most(epsilon: float, delta: float = 0.0, values: int = 2) -> float:
    """The largest rate of right guesses among equally likely values.

    Args:
        epsilon: under replacement.
        delta: under replacement.
        values: how many, at least 2.

    Raises:
        UsageError: for fewer values, or a loss that is negative.
    """
    if values < 2 or epsilon < 0 or delta < 0:
        raise UsageError("attribute", "no bound for these numbers", "ask for 2 values or more and a loss of 0 or more")
    factor = exp(-epsilon)  # of numerator and denominator, so that a large loss does not overflow
    return min((1 + (values - 1) * delta * factor) / (1 + (values - 1) * factor), 1.0)


def under_replacement(deployment: Deployment) -> tuple[Fraction, Fraction]:
    """What one release costs where one record takes the place of another: twice as much if add/drop is claimed."""
    epsilon, delta = Fraction(deployment.mechanism.epsilon), Fraction(deployment.mechanism.delta)
    return (epsilon, delta) if deployment.adjacency == "replacement" else from_add_drop_to_replacement(epsilon, delta)
