"""One request, one answer, in order; anything else is named."""

import pytest

from dpspin.errors import SubjectError


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("order", r"no answer to request 3: '.*'\.*; write \{\"id\": 3, \"result\": "),
        ("utf8", r"not UTF-8\): .*; write one line of JSON for each request, and all else on standard error"),
        ("nan", "NaN is not JSON"),
        ("skips", "skipped release, which it had offered: not today"),
        ("errs", "failed in release: ValueError: bad"),
    ],
)
def test_a_broken_answer_is_named(connect, records, fault, words):
    with pytest.raises(SubjectError, match=words):
        connect(fault).release(records)


def test_another_protocol_is_refused(connect):
    with pytest.raises(SubjectError, match="protocol DPSP/1"):
        connect("version")


def test_a_broken_answer_does_not_end_the_conversation(connect, records):
    found = connect("errs")
    with pytest.raises(SubjectError):
        found.release(records)
    assert found.contribution(records[0]) == [1 << 20, 0]
