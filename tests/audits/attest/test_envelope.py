"""Envelopes: the protocol's own example, one spelling, and nothing that a base64 or JSON reader would forgive."""

import base64
import json

import pytest

from dpspin.errors import IntegrityError
from dpspin_audits.attest import envelope
from dpspin_audits.attest.envelope import Envelope

HELD = Envelope("application/vnd.in-toto+json", b'{"a":1}\n', "ab" * 32, bytes(range(64)))
LINE = envelope.encode(HELD)


def test_what_is_signed_is_the_example_of_the_protocol():
    found = envelope.signed_bytes("http://example.com/HelloWorld", b"hello world")
    assert found == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_no_type_can_be_taken_for_a_part_of_a_payload():
    assert envelope.signed_bytes("a", b"b 1 c") != envelope.signed_bytes("a b", b"1 c")


def test_an_envelope_is_read_as_it_was_written():
    assert envelope.decode(LINE, "line") == HELD
    assert LINE.count(b"\n") == 1


def test_every_byte_of_an_envelope_counts():
    """Every byte is changed in two ways: whatever is still an envelope holds something else."""
    for at in range(len(LINE)):
        for flip in (1, 0x20):
            other = LINE[:at] + bytes([LINE[at] ^ flip]) + LINE[at + 1 :]
            try:
                assert envelope.decode(other, "line") != HELD, at
            except IntegrityError:
                continue


def _tree(**changes):
    return json.loads(LINE) | changes


def _spelt(tree):
    return json.dumps(tree, sort_keys=True, separators=(",", ":")).encode() + b"\n"


SIGNATURE = json.loads(LINE)["signatures"][0]
TWICE = LINE.replace(b'"payloadType":', b'"payloadType":"x","payloadType":')


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not strict JSON"),
        (b"\n", "not strict JSON"),
        (b"[]\n", "other fields"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b"[" * 100_000, "too deeply nested"),
        (TWICE, "a key stands twice"),
        (LINE + b"\n", "another spelling"),
        (LINE[:-1], "another spelling"),
        (LINE[:-1] + b" \n", "another spelling"),
        (b" " + LINE, "another spelling"),
        (json.dumps(json.loads(LINE)).encode() + b"\n", "another spelling"),
        (LINE + LINE, "not strict JSON"),
        (_spelt(_tree(extra=1)), "other fields"),
        (_spelt({key: value for key, value in _tree().items() if key != "payloadType"}), "other fields"),
        (_spelt(_tree(payloadType=7)), "found int"),
        (_spelt(_tree(payload=7)), "standard base64"),
        (_spelt(_tree(signatures=[])), "found 0 of them"),
        (_spelt(_tree(signatures=[SIGNATURE, SIGNATURE])), "found 2 of them"),
        (_spelt(_tree(signatures={})), "found dict"),
        (_spelt(_tree(signatures=[SIGNATURE | {"cert": "x"}])), "other fields"),
        (_spelt(_tree(signatures=[{"sig": SIGNATURE["sig"]}])), "other fields"),
        (_spelt(_tree(signatures=[{"keyid": 1, "sig": SIGNATURE["sig"]}])), "other fields"),
    ],
)
def test_anything_else_is_refused(data, said):
    with pytest.raises(IntegrityError, match=said):
        envelope.decode(data, "line")


@pytest.mark.parametrize(
    "text",
    [
        "YQ",  # no padding
        "YR==",  # bits set that padding leaves over: the same byte, another text
        "YQ==\n",
        " YQ==",
        "YQ=",
        "YQ===",
        "YQ==YQ==",
        "-_8=",  # URL-safe: the same bytes as +/8=
        "é",
    ],
)
def test_base64_has_one_spelling(text):
    with pytest.raises(IntegrityError, match="standard base64"):
        envelope.decode(_spelt(_tree(payload=text)), "line")


def test_the_sloppy_spelling_is_one_that_a_usual_reader_takes_for_the_same():
    assert base64.b64decode("YR==") == base64.b64decode("YQ==")
    assert envelope.decode(_spelt(_tree(payload="YQ==")), "line").payload == b"a"
