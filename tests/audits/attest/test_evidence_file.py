"""Evidence files: what is none, what is newer, and what was written again by hand."""

import json

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import evidence_file


def test_evidence_of_an_audit_is_read(opened, tree):
    assert opened(tree).verdict == tree["verdict"] == "pass"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not strict JSON"),
        (b"{}", "not an evidence file"),
        (b"[]", "not an evidence file"),
        (b'{"schema":7}', "not an evidence file"),
        (b'{"schema":"dpspin-plan/1"}', "not an evidence file"),
        (b'{"schema":"dpspin-evidence/1"}', "canonical"),
        (b'{"schema":"dpspin-evidence/1"}\n', "tool: missing"),
    ],
)
def test_what_is_no_evidence_is_refused(data, said):
    with pytest.raises((UsageError, IntegrityError), match=said):
        evidence_file.opened(data, "evidence.json")


def test_evidence_of_a_newer_layout_is_the_callers_mistake(tree):
    data = canonical.dumps(tree | {"schema": "dpspin-evidence/2"})
    with pytest.raises(UsageError, match=r"dpspin-evidence/2 is unknown here.*install a newer dpspin") as caught:
        evidence_file.opened(data, "evidence.json")
    assert caught.value.exit_code == 2


def test_evidence_in_another_spelling_is_refused(tree):
    with pytest.raises(IntegrityError, match="another spelling"):
        evidence_file.opened(json.dumps(tree).encode(), "evidence.json")


def test_a_huge_file_is_not_read(tree):
    data = canonical.dumps(tree) + b" " * evidence_file.LARGEST
    with pytest.raises(UsageError, match="longer than"):
        evidence_file.opened(data, "evidence.json")
