"""Feedback is canonical JSON with the fields that everyone relies on."""

import json

from dpspin.decoder.verdict import Violation, encode


def test_feedback_holds_the_fields_of_every_violation():
    data = encode((Violation(10, "unsupported claim", (3, 9), "é ranks first.", "rank 2"),))
    assert data.endswith(b"\n")
    assert json.loads(data) == {
        "violations": [
            {"step": 10, "rule": "unsupported claim", "span": [3, 9], "claim": "é ranks first.", "found": "rank 2"}
        ]
    }
    assert encode(()) == b'{"violations":[]}\n'
