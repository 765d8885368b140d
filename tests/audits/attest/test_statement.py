"""Statements: the layout of in-toto v1, one spelling, and every field that is not there or another one."""

import datetime
import json

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import statement
from dpspin_audits.attest.subjects import Subject
from dpspin_audits.attest.validity import Validity

ABOUT = (Subject("plan.json", "a" * 64), Subject("implementation", "b" * 64, {"digestOf": "file"}))
PERIOD = Validity(datetime.date(2027, 1, 1), datetime.date(2027, 1, 31))
COMMON = {"result": "PASSED", "validity": PERIOD.tree()}
DATA = statement.encode(statement.GUARANTEE, ABOUT, COMMON)


def test_a_statement_has_the_layout_of_in_toto():
    assert json.loads(DATA) == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": "plan.json", "digest": {"sha256": "a" * 64}},
            {"name": "implementation", "digest": {"sha256": "b" * 64}, "annotations": {"digestOf": "file"}},
        ],
        "predicateType": statement.GUARANTEE,
        "predicate": COMMON,
    }


@pytest.mark.parametrize("kind", statement.KINDS)
def test_a_statement_is_read_as_it_was_written(kind):
    predicate = COMMON if kind == statement.GUARANTEE else {statement.EXTENSION: COMMON}
    found = statement.decode(statement.encode(kind, ABOUT, predicate), "payload")
    assert (found.kind, found.subjects, found.result, found.validity) == (kind, ABOUT, "PASSED", PERIOD)
    assert found.common == (ABOUT, "PASSED", PERIOD)


def _without(field):
    return {key: value for key, value in json.loads(DATA).items() if key != field}


ROW = json.loads(DATA)["subject"][0]


@pytest.mark.parametrize(
    "tree",
    [
        [],
        _without("_type"),
        _without("subject"),
        _without("predicate"),
        _without("predicateType"),
        json.loads(DATA) | {"_type": "https://in-toto.io/Statement/v0.1"},
        json.loads(DATA) | {"extra": 1},
        json.loads(DATA) | {"predicateType": "https://slsa.dev/provenance/v1"},
        json.loads(DATA) | {"predicateType": statement.TEST_RESULT},  # whose common part stands elsewhere
        json.loads(DATA) | {"predicateType": 7},
        json.loads(DATA) | {"subject": []},
        json.loads(DATA) | {"subject": [ROW, ROW]},
        json.loads(DATA) | {"subject": [{"digest": ROW["digest"]}]},
        json.loads(DATA) | {"subject": [ROW | {"digest": {"sha1": "a" * 40}}]},
        json.loads(DATA) | {"subject": [ROW | {"digest": {"sha256": "A" * 64}}]},
        json.loads(DATA) | {"subject": [ROW | {"name": ""}]},
        json.loads(DATA) | {"predicate": COMMON | {"result": "passed"}},
        json.loads(DATA) | {"predicate": {"result": "PASSED"}},
        json.loads(DATA) | {"predicate": COMMON | {"validity": {"notBefore": "2027-01-01"}}},
        json.loads(DATA) | {"predicate": COMMON | {"validity": {"notBefore": "2027-01-01", "notAfter": "2026-01-01"}}},
    ],
)
def test_anything_else_is_refused(tree):
    with pytest.raises(IntegrityError):
        statement.decode(canonical.dumps(tree), "payload")


@pytest.mark.parametrize(
    "data", [b"", b"\xff", DATA[:-1], b" " + DATA, DATA.replace(b'"subject":', b'"subject":[],"subject":')]
)
def test_another_spelling_is_refused(data):
    with pytest.raises(IntegrityError):
        statement.decode(data, "payload")


def test_a_newer_predicate_of_ours_needs_a_newer_program():
    data = statement.encode("https://dpspin.invalid/guarantee/v2", ABOUT, COMMON)
    with pytest.raises(UsageError, match="install a newer dpspin"):
        statement.decode(data, "payload")
