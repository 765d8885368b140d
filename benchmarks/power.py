"""What each depth of an audit finds with 90 % power, mechanism by mechanism: `python benchmarks/power.py [--json]`.

For a fault "the noise is a factor f too small" on the pair that tells most, the rates of right and wrong guesses of the
best rule follow from the law, and the power of the fixed-n bound (`statistics.bounds`) from binomial ones.  Bets find
most faults earlier; they are left out, so that the table promises too little rather than too much.
"""

import argparse
import json
from math import exp

import numpy as np
from scipy.stats import binom, norm

from dpspin_audits.depths import DEPTHS
from dpspin_audits.statistics.bounds import Guesses, epsilon_at_least
from dpspin_audits.statistics.gaussian_loss import delta_at

ALPHA = 0.001
TESTS = 30
"""Tests of an audit that share alpha, about; the bound has half of its part."""
LEVEL = ALPHA / TESTS / 2
POWER = 0.9
MU = 0.26805112
"""A Gaussian shift of so many standard deviations keeps (1, 1e-5)."""
CURVE = [float(loss) for loss in np.linspace(0, MU**2 / 2 + 3 * MU, 13)]
HALF = 0.5
"""The part of epsilon 1 that the values of an admitted atom spend."""


def laplace(factor, epsilon=1.0):
    """(P(guess), P(right)): one atom moves by the scale times epsilon; guess beyond either mass."""
    wrong = exp(-epsilon / factor)
    return (1 + wrong) / 2, 1 / (1 + wrong)


def gaussian(factor, shift, threshold):
    """The same for a normal shift of `shift` standard deviations, guessing where the loss exceeds a threshold."""
    at = threshold / shift
    right, wrong = norm.sf((at - shift / 2) / factor), norm.sf((at + shift / 2) / factor)
    return right + wrong, right / (right + wrong)


def power(runs, guess, right, epsilon, delta):
    """P(the bound exceeds epsilon), with the number of guesses at its mean."""
    guessed = round(runs * guess)
    if guessed == 0 or epsilon_at_least(Guesses(runs, guessed, guessed), delta, LEVEL) <= epsilon:
        return 0.0
    low, high = -1, guessed
    while high - low > 1:
        middle = (low + high) // 2
        refutes = epsilon_at_least(Guesses(runs, guessed, middle), delta, LEVEL) > epsilon
        low, high = (low, middle) if refutes else (middle, high)
    return float(binom.sf(high - 1, guessed, right))


def least(found):
    """The largest factor below 1 at which `found(factor)` has the power."""
    low, high = 0.2, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) >= POWER else (low, middle)
    return low


def laplace_found(runs, factor, epsilon=1.0, promised=1.0):
    """Power against the claim."""
    return power(runs, *laplace(factor, epsilon), promised, 0.0)


def gaussian_found(runs, factor):
    """Power against the best point of the stated curve."""
    return max(power(runs, *gaussian(factor, MU, loss), loss, delta_at(loss, MU)) for loss in CURVE)


MECHANISMS = {
    "Laplace, epsilon 1": laplace_found,
    "Gaussian, (1, 1e-5), stated law": gaussian_found,
    "private top-L, values of epsilon 1/2, against epsilon 1": lambda runs, f: laplace_found(runs, f, HALF),
}


def rows():
    """One for every depth, way of running and mechanism."""
    for depth, each in DEPTHS.items():
        for way, effort in (("sample", each.sampled), ("release", each.released)):
            for name, found in MECHANISMS.items():
                runs = effort.testing
                factor = least(lambda factor, runs=runs, found=found: found(runs, factor))
                yield {
                    "depth": depth, "way": way, "mechanism": name, "runs": runs,
                    "scale_too_small_by": f"{1 - factor:.1%}", "power_at_half": f"{found(runs, 0.5):.3f}",
                }  # fmt: skip


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    found = list(rows())
    if parser.parse_args().json:
        print(json.dumps(found, indent=1))
        return
    print("| depth | runs on a pair | mechanism | found with 90 % power: noise too small by | noise halved |")
    print("|---|---|---|---|---|")
    for row in found:
        print(
            f"| {row['depth']}, {row['way']} | {row['runs']:,} | {row['mechanism']} | {row['scale_too_small_by']} | "
            f"{row['power_at_half']} |"
        )


if __name__ == "__main__":
    main()
