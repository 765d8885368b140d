"""Measure certificates and costs in processor time: median and 99th percentile over a grid, beside dp-accounting."""

import statistics
import sys
import time
from fractions import Fraction
from importlib.metadata import version
from itertools import product
from pathlib import Path

from dp_accounting.gaussian_mechanism import get_sigma_gaussian

from dpspin import canonical
from dpspin.accounting import admission
from dpspin.accounting.certificate import Claim, certify
from dpspin.accounting.certified import least
from dpspin.accounting.value_loss import GaussianLoss
from dpspin_proofs import certcheck

EPSILONS = "0.01 0.02 0.05 0.1 0.2 0.3 0.5 0.7 1 1.5 2 3 5 8 10".split()
DELTAS = "0.5 0.1 1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9 1e-10 1e-11 1e-12 1e-15 1e-18 1e-20 1e-24 1e-30 1e-40".split()
CLAIMS = [(e, d) for e, d in product(EPSILONS, DELTAS) if Fraction(d) >= Fraction(1, 10**12)]


def milliseconds(work, *arguments):
    """Of one call, and what it gave."""
    start = time.process_time()
    found = work(*arguments)
    return (time.process_time() - start) * 1e3, found


def spread(times):
    """Median and 99th percentile."""
    return statistics.median(times), sorted(times)[int(0.99 * len(times))]


def certificates():
    """Of Gaussian noise for Delta_2 = 1 and delta from 1e-12 on: written, and checked again."""
    digest = canonical.digest(Path(certcheck.__file__).read_bytes())
    claims = [Claim("gaussian", "add_drop", Fraction(1), Fraction(e), Fraction(d)) for e, d in CLAIMS]
    certify(claims[0], digest)
    made = [milliseconds(certify, claim, digest) for claim in claims]
    checked = [milliseconds(certcheck.fault, data)[0] for _, data in made]
    median, most = spread([spent for spent, _ in made])
    print(f"certificate of a sigma, {len(claims)} claims: median {median:.2f} ms, p99 {most:.1f} ms   (targets: 5, 60)")
    print(f"  checked again: median {spread(checked)[0]:.2f} ms   (target: under 1 ms)")


def calibrators():
    """How many claims dp-accounting's own calibrator misses by rounding, and how long it takes."""
    grid = list(product(EPSILONS, DELTAS))
    times, short = [], 0
    for epsilon, delta in grid:
        spent, sigma = milliseconds(get_sigma_gaussian, float(epsilon), float(delta))
        times.append(spent)
        short += sigma < least(Fraction(epsilon), Fraction(delta), Fraction(1)).sigma
    print(
        f"get_sigma_gaussian of dp-accounting {version('dp-accounting')}: median {spread(times)[0]:.2f} ms, "
        f"below the least sigma at {short} of {len(grid)} claims"
    )


def admission_cost():
    """(epsilon, delta) of ten rounds with Gaussian values by the closed form, a delta and a whole epsilon."""
    times = []
    for adjacency, k in product(("add_drop", "replacement"), range(20)):
        peeling = admission.Admission(adjacency, 10, Fraction(1, 20 + k), GaussianLoss(Fraction(1, 25 + k)))
        times.append(milliseconds(admission.delta, peeling, Fraction(1))[0])
    peeling = admission.Admission("add_drop", 10, Fraction(1, 19), GaussianLoss(Fraction(1, 24)))
    whole, _ = milliseconds(admission.epsilon, peeling, Fraction(1, 10**6))
    print(f"cost of admission, L = 10 with Gaussian values: median {spread(times)[0]:.1f} ms   (target: under 50 ms)")
    print(f"  its epsilon at delta 1e-6, certified to six digits: {whole:.0f} ms")


def run():
    """All of it."""
    certificates()
    calibrators()
    admission_cost()


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}")
    run()
