"""Claims as data: one way to write each, nothing else is read, and the published schema says the same."""

import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.decoder import claims as c
from dpspin.decoder import claims_file
from dpspin.errors import UsageError

VALID = jsonschema.Draft202012Validator(claims_file.schema()).is_valid
ONE_OF_EACH = [
    c.Mention(0),
    c.Mass(8, -3200, 3),
    c.Mass(0, 1234567, 1),
    c.Support(0, 128, 3),
    c.Bin(0, 3),
    c.Bin(7, 0),
    c.Comparison(0, 2),
    c.Similarity(2, 4),
    c.Above(2, 4),
    c.Rank(0, 1),
    c.Count(7),
    c.Count(1, 3),
    c.Parameter("epsilon", "1.0"),
    c.Parameter("delta", "1e-5"),
    c.Parameter("plan size", "7"),
    c.PublicText("count"),
]


def draft(*claims, schema="dpspin-claims/1", **more):
    return json.dumps({"schema": schema, "claims": list(claims), **more})


def test_every_claim_written_reads_back_and_fits_the_schema(terms):
    text = claims_file.encode(ONE_OF_EACH, terms)
    assert claims_file.decode(text, "x", terms) == ONE_OF_EACH
    assert VALID(json.loads(text))
    assert {type(claim) for claim in ONE_OF_EACH} == set(c.Claim.__args__)


GOOD = {"kind": "mass", "atom": 0, "value": "256.4"}
BAD = [
    ({**GOOD, "value": 256.4}, "claims.0.value"),
    ({**GOOD, "value": "256,4"}, "claims.0.value"),
    ({**GOOD, "value": "2.564e2"}, "claims.0.value"),
    ({**GOOD, "value": "0256.4"}, "claims.0.value"),
    ({**GOOD, "value": "٢"}, "claims.0.value"),
    ({**GOOD, "value": "NaN"}, "claims.0.value"),
    ({**GOOD, "atom": "dry skin"}, "claims.0.atom"),
    ({**GOOD, "atom": True}, "claims.0.atom"),
    ({**GOOD, "atom": -1}, "claims.0.atom"),
    ({**GOOD, "atom": 10**7}, "claims.0.atom"),
    ({**GOOD, "note": "raw text"}, "claims.0.note"),
    ({"kind": "mass", "atom": 0}, "claims.0.value"),
    ({"kind": "cause", "atom": 0}, "claims.0.kind"),
    ({"kind": "rank", "atom": 0, "value": 0}, "claims.0.value"),
    ({"kind": "rank", "atom": 0, "value": 1.0}, "claims.0.value"),
    ({"kind": "count", "value": 3}, "claims.0.bin"),
    ({"kind": "parameter", "name": "sigma", "value": "1"}, "claims.0.name"),
    ({"kind": "parameter", "name": "epsilon", "value": "1E0"}, "claims.0.value"),
    ({"kind": "parameter", "name": "epsilon", "value": "-1"}, "claims.0.value"),
    ({"kind": "public_text", "id": "x" * 1001}, "claims.0.id"),
    ("dry skin ranks first", "claims.0"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "field"), BAD, ids=lambda value: str(value)[:60])
def test_any_other_form_is_refused_with_its_field(terms, claim, field):
    with pytest.raises(UsageError, match=rf"^draft: {field}[:]"):
        claims_file.decode(draft(claim), "draft", terms)
    assert VALID(json.loads(draft(GOOD)))
    # the only form that JSON Schema cannot tell apart: 1.0 is an integer there
    assert claim == {"kind": "rank", "atom": 0, "value": 1.0} or not VALID(json.loads(draft(claim)))


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{}", "dry skin ranks first.", draft(), draft(GOOD, schema="dpspin-claims/2"),
        draft(GOOD, text="extra"), draft(GOOD) + draft(GOOD), "[" * 100_000, '{"schema": "a", "schema": "b"}',
        draft(GOOD).replace("256.4", "256.4\\ud800"), "```json\n" + draft(GOOD) + "\n```",
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_what_is_not_one_object_of_claims_is_refused(terms, text):
    with pytest.raises(UsageError):
        claims_file.decode(text, "draft", terms)


def test_the_number_of_claims_is_bounded(terms):
    with pytest.raises(UsageError, match="20000"):
        claims_file.decode(draft(*[{"kind": "mention", "atom": 0}] * 20_001), "draft", terms)


def test_a_bin_that_the_plan_does_not_have_is_no_bin(terms):
    assert claims_file.decode(draft({"kind": "bin", "atom": 0, "value": "High"}), "x", terms) == [c.Bin(0, -1)]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(-(10**30), 10**30), st.integers(0, 60))
def test_numbers_of_any_size_read_back(terms, atom, numerator, digits):
    claim = c.Mass(atom, numerator, digits)
    assert claims_file.decode(claims_file.encode([claim], terms), "x", terms) == [claim]
