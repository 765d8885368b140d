"""A subject of DPSP/1 in the environment of a library: the Python sample of docs/examples with that library's noise.

`python dpsp.py LIBRARY`: diffprivlib, opendp, python-dp or tmlt.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs" / "examples" / "subjects" / "python"))

import subject

OFFERS = ["sample", "contribution", "unit_key", "sketch", "decoder_input", "spent"]
"""What the sample offers, without what follows from a seed."""


def tmlt(scale, count):
    import numpy as np
    from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise

    made, zero = AddGeometricNoise(alpha=f"{scale.numerator}/{scale.denominator}"), np.int64(0)
    return [int(made(zero)) for _ in range(count)]


def diffprivlib(scale, count):
    from diffprivlib.mechanisms import Geometric

    made = Geometric(epsilon=1 / float(scale), sensitivity=1)
    return [int(made.randomise(0)) for _ in range(count)]


def opendp(scale, count):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    return dp.m.make_laplace(*space, scale=float(scale))([0] * count)


def python_dp(scale, count):
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    made = LaplaceMechanism(1 / float(scale), 1.0)
    return [made.add_noise(0) for _ in range(count)]


def main(library):
    """Answer requests until the last one."""
    draw = {"tmlt": tmlt, "diffprivlib": diffprivlib, "opendp": opendp, "python-dp": python_dp}[library]
    subject.laplace = lambda scale, count, _bits=None: draw(scale, count)
    subject.OFFERS[:] = OFFERS
    talking = subject.Subject()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        subject.answer(talking, request)
        if request["op"] == "bye":
            break


main(sys.argv[1])
