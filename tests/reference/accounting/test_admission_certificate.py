"""Certificates of admission: written for the least factor, refused where the closed form certifies nothing."""

import json
from fractions import Fraction

import pytest

from dpspin.accounting import admission
from dpspin.accounting.admission_certificate import certify
from dpspin.accounting.split import PeelingClaim
from dpspin.errors import UsageError

CLAIM = PeelingClaim("replacement", Fraction(1, 3), 4, 30, Fraction(1, 3), Fraction(1), Fraction(1, 10**6))


def test_it_holds_the_noise_and_the_witness():
    tree = json.loads(certify(CLAIM, "0"))
    split, factor = CLAIM.split(), Fraction(tree["factor"])
    assert Fraction(tree["exponent"]) == split.per_round / CLAIM.mass_bound / factor
    assert float.fromhex(tree["sigma_hex"]) == split.sigma_at(factor)
    assert (tree["split"]["exponent"], tree["split"]["sigma_hex"]) == (str(split.per_round * 3), split.sigma.hex())
    low, high = Fraction(tree["delta_lo"]), Fraction(tree["delta_hi"])
    found = admission.delta(split.at(factor), CLAIM.epsilon)
    assert low <= found.low <= found.high <= high <= CLAIM.delta
    assert high - low == Fraction(1, 2 ** tree["bits"])
    before = Fraction(tree["predecessor"]["factor"])
    assert factor - before == Fraction(1, 10**6)
    assert CLAIM.delta < Fraction(tree["predecessor"]["delta_lo"])
    assert Fraction(tree["predecessor"]["delta_lo"]) <= admission.delta(split.at(before), CLAIM.epsilon).low


@pytest.mark.parametrize(("change", "message"), [
    ({"plan_size": 65, "universe_size": 70}, "65 rounds"), ({"delta": Fraction(1, 10**200)}, "1e-40"),
])  # fmt: skip
def test_what_no_closed_form_certifies_has_no_certificate(change, message):
    fields = {name: getattr(CLAIM, name) for name in CLAIM.__slots__}
    with pytest.raises(UsageError, match=message):
        certify(PeelingClaim(**fields | change), "0")
