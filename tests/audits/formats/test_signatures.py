"""Signatures of an index: none, unchecked, checked; another key, other evidence or a day outside is refused."""

import datetime

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError
from dpspin_audits.attest import attestation, evidence_file, keys, subjects
from dpspin_audits.attest.predicates import Terms
from dpspin_audits.attest.validity import Validity
from dpspin_audits.formats.opened import opened
from dpspin_audits.formats.signatures import beside, signature

pytest.importorskip("cryptography")
FIRST, LAST = datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)


@pytest.fixture(scope="module")
def pair():
    return keys.generate(None)


@pytest.fixture
def signed(tree_of, pair, tmp_path):
    """An evidence file and the attestation beside it."""
    data = canonical.dumps(tree_of())
    path = tmp_path / "evidence.json"
    path.write_bytes(data)
    given = subjects.Given(canonical.digest(data))
    key = keys.signer(pair.secret, None, "key")
    made = attestation.sign(evidence_file.opened(data, "e"), given, Terms(Validity(FIRST, LAST)), key)
    (tmp_path / "evidence.intoto.jsonl").write_bytes(made)
    return opened(data, str(path)), path


def test_three_states(signed, pair):
    evidence, path = signed
    found = signature(evidence, path, pair.public, FIRST)
    assert (found.state, found.keyid, found.until) == ("signed", pair.keyid, "2026-12-31")
    assert found.result in ("PASSED", "WARNED")
    assert found.words == f"signed: {found.result}, until 2026-12-31"
    assert signature(evidence, path, None, None).words == "signed, not checked"
    path.with_name("evidence.intoto.jsonl").unlink()
    assert signature(evidence, path, pair.public, None).words == "not signed"


def test_it_lies_under_one_name(signed, pair):
    """Of two attestations beside an evidence file nobody could say which one counts."""
    evidence, path = signed
    assert beside(path) == path.with_name("evidence.intoto.jsonl")
    beside(path).rename(path.with_name("attestation.jsonl"))
    assert signature(evidence, path, pair.public, None).state == "not signed"


def test_one_line_of_it_is_not_enough(signed, pair):
    evidence, path = signed
    beside(path).write_bytes(beside(path).read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(IntegrityError, match="3 statements"):
        signature(evidence, path, pair.public, None)


def test_another_key_is_refused(signed):
    with pytest.raises(IntegrityError, match=r"evidence\.intoto\.jsonl"):
        signature(*signed, keys.generate(None).public, None)


def test_a_day_outside_is_refused(signed, pair):
    with pytest.raises(IntegrityError, match="notAfter"):
        signature(*signed, pair.public, LAST + datetime.timedelta(1))


def test_other_evidence_is_refused(signed, pair, faulty):
    _, path = signed
    other = opened(canonical.dumps(faulty()), str(path))
    with pytest.raises(IntegrityError, match="digest of"):
        signature(other, path, pair.public, None)


def test_a_changed_byte_is_refused(signed, pair):
    place = signed[1].with_name("evidence.intoto.jsonl")
    data = bytearray(place.read_bytes())
    data[40] ^= 1
    place.write_bytes(bytes(data))
    with pytest.raises(IntegrityError):
        signature(*signed, pair.public, None)
