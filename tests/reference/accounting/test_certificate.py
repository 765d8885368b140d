"""Certificates: the pinned shape, one per claim, refused claims, and the coarsest grid that tells."""

import json
import math
from fractions import Fraction
from hashlib import sha256
from math import floor
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin.accounting.certificate import Claim, certify, settled
from dpspin.accounting.certified import Ends, least
from dpspin.errors import UsageError
from dpspin_proofs import certcheck

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())["sigma"]
RELATIONS = {"1": ("add_drop", 1), "2": ("replacement", 1), "8": ("replacement", 2)}
DIGEST = sha256(Path(certcheck.__file__).read_bytes()).hexdigest()
SHAPE = {
    "schema", "mechanism", "adjacency", "mass_bound", "delta_squared", "epsilon", "delta", "delta_lo", "delta_hi",
    "bits", "predecessor", "theorem", "checker_sha256", "second_opinions", "seal",
}  # fmt: skip


def gaussian(epsilon="1", delta="1e-6", bound="1", adjacency="add_drop"):
    return Claim("gaussian", adjacency, Fraction(bound), Fraction(epsilon), Fraction(delta))


@pytest.mark.parametrize(("epsilon", "delta", "l2_squared", "sigma"), GOLDEN)
def test_all_golden_floats_are_certified_and_the_checker_agrees(epsilon, delta, l2_squared, sigma):
    adjacency, bound = RELATIONS[l2_squared]
    data = certify(gaussian(epsilon, delta, bound, adjacency), DIGEST)
    tree = json.loads(data)
    assert float.fromhex(tree["sigma_hex"]) == float.fromhex(sigma)
    assert tree["delta_squared"] == l2_squared
    assert certcheck.fault(data) is None


@pytest.mark.parametrize(("epsilon", "delta", "bound"), [
    ("0", "1e-6", "1"), ("1e-300", "1e-9", "1/3"), ("1000", "1e-6", "7/5"),
    ("40", "1e-12", "1e6"), ("1", "0.999", "1e-9"),
])  # fmt: skip
@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_corners_are_certified_and_checked(epsilon, delta, bound, adjacency):
    assert certcheck.fault(certify(gaussian(epsilon, delta, bound, adjacency), DIGEST)) is None


def test_the_shape_is_the_pinned_one():
    data = certify(gaussian(), DIGEST, ({"tool": "t", "version": "1", "epsilon": "1"},))
    tree = json.loads(data)
    assert set(tree) == SHAPE | {"sigma_hex"}
    assert set(json.loads(certify(Claim("laplace", "add_drop", Fraction(1), Fraction(1), Fraction(0)), DIGEST))) == (
        SHAPE | {"scale"}
    )
    assert canonical.dumps(tree) == data
    assert math.nextafter(float.fromhex(tree["sigma_hex"]), 0).hex() == tree["predecessor"]["sigma_hex"]
    assert Fraction(tree["delta_hi"]) - Fraction(tree["delta_lo"]) == Fraction(1, 2 ** tree["bits"])
    assert Fraction(tree["delta_hi"]) <= Fraction(1, 10**6) < Fraction(tree["predecessor"]["delta_lo"])


@pytest.mark.parametrize(("adjacency", "scale"), [("add_drop", "7/3"), ("replacement", "14/3")])
def test_laplace_certificates_are_exact(adjacency, scale):
    claim = Claim("laplace", adjacency, Fraction(1, 3), Fraction(1, 7), Fraction(0))
    data = certify(claim, DIGEST)
    assert json.loads(data)["scale"] == scale
    assert certcheck.fault(data) is None


@pytest.mark.parametrize(("mechanism", "bound", "epsilon", "delta", "field"), [
    ("gaussian", "1", "1", "0", "delta"), ("gaussian", "1", "1", "1", "delta"), ("gaussian", "1", "1", "1.5", "delta"),
    ("gaussian", "1", "1", "-0.1", "delta"), ("gaussian", "1", "-1", "0.1", "epsilon"),
    ("laplace", "1", "0", "0", "epsilon"), ("laplace", "1", "1", "1e-9", "delta"),
    ("laplace", "0", "1", "0", "mass-bound"), ("gaussian", "-1", "1", ".1", "mass-bound"),
    ("gaussian", "1", "-1e-300", "0.1", "epsilon"),
])  # fmt: skip
def test_claims_out_of_range_are_refused(mechanism, bound, epsilon, delta, field):
    with pytest.raises(UsageError) as error:
        certify(Claim(mechanism, "add_drop", Fraction(bound), Fraction(epsilon), Fraction(delta)), DIGEST)
    assert error.value.place == field
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("delta", ["1e-6", "0.5", "1/3", "0.999", "1e-30"])
def test_the_grid_is_the_coarsest_that_tells(delta):
    claim = gaussian(delta=delta)
    bits, found = settled(claim, least(claim.epsilon, claim.delta, Fraction(1)), Fraction(1))

    def tells(grid):
        at, failing = (floor(ends.low * grid) for ends in (found.delta, found.failing))
        return at + 1 <= claim.delta * grid < failing

    assert tells(2**bits)
    assert not any(tells(2**fewer) for fewer in range(bits))


def test_wide_enclosures_are_narrowed_before_a_grid_is_chosen():
    claim = gaussian()
    found = least(claim.epsilon, claim.delta, Fraction(1))
    wide = found._replace(delta=Ends(found.delta.low * Fraction(9, 10), found.delta.high))
    assert settled(claim, wide, Fraction(1))[0] == settled(claim, found, Fraction(1))[0]
