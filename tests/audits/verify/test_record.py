"""The transcript by itself: chain, fields and the files that it lists."""

import pytest

from dpspin_audits.verify import record


def found(files):
    return [(f.file, f.line, f.rule) for f in record.findings(files)]


def test_an_untouched_record_has_no_finding(bundle):
    assert found(bundle) == []
    assert found({}) == []


@pytest.mark.parametrize("keep", range(1, 7))
def test_lines_cut_off_at_the_end_are_missed(bundle, keep):
    cut = b"".join(bundle["transcript.jsonl"].splitlines(keepends=True)[:keep])
    assert ("transcript.jsonl", keep, "chain") in found(bundle | {"transcript.jsonl": cut})


@pytest.mark.parametrize("share", range(1, 20))
def test_a_record_cut_anywhere_is_broken(bundle, share):
    data = bundle["transcript.jsonl"]
    assert any(rule == "chain" for *_, rule in found(bundle | {"transcript.jsonl": data[: len(data) * share // 20]}))


def test_a_file_that_is_listed_twice_or_never_is_found(breaker):
    twice = breaker.forge(lambda rows: rows.insert(2, rows[2]))
    assert ("plan.json", None, "not on record") in found(twice)
    never = breaker.forge(lambda rows: rows.pop(1))
    assert ("universe.json", None, "not on record") in found(never)


def test_rows_that_are_no_objects_stand_as_empty_rows():
    assert record.rows_of(b'{"a":1}\n[]\nx\n7') == [{"a": 1}, {}, {}, {}]
    assert record.rows_of(b"") == [{}]
