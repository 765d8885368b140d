"""What was declared, found with its line."""

import pytest

from dpspin_audits.verify import declared

NAME = declared.NAME


def findings(bundle, old=b"", new=b"", outside=None):
    assert old in bundle[NAME]
    return declared.setting_of(bundle | {NAME: bundle[NAME].replace(old, new, 1)}, outside)


def test_a_setting_needs_no_term_weights(bundle):
    setting, found = findings(bundle)
    assert (found, setting.deployment_bytes) == ([], bundle[NAME])
    assert setting.terms().floor > 0
    assert len(setting.weights.rows) == 0


@pytest.mark.parametrize(("old", "new", "words", "rule"), [
    (b"size: 10", b"size: ten", b"size: ten", "deployment"), (b"size: 10", b"siez: 10", b"plan:", "deployment"),
    (b"size: 10", b"size: 10\n  seed: 7", b"seed: 7", "seed"), (b"unit: record", b"unit: [", b"", "deployment"),
    (b"name: low", b"name: low\n      count: 3", b"count: 3", "record count"),
    (b"unit: record", b"unit: record\nunit: record", b"unit: record", "deployment"),
])  # fmt: skip
def test_a_deployment_that_cannot_be_used_is_a_finding_with_its_line(bundle, old, new, words, rule):
    setting, found = findings(bundle, old, new)
    assert setting is None
    assert [(f.file, f.rule) for f in found] == [(NAME, rule)]
    lines = bundle[NAME].replace(old, new, 1).splitlines()
    assert not words or words in lines[found[0].line - 1]


def test_another_deployment_than_the_declared_one_is_found(bundle):
    assert findings(bundle, outside=bundle[NAME])[1] == []
    assert [(f.rule, f.integrity) for f in findings(bundle, outside=b"x")[1]] == [("digest", True)]


def test_without_files_there_is_nothing_to_say_here(bundle):
    assert declared.setting_of({}, None) == (None, [])
    assert declared.setting_of({NAME: bundle[NAME]}, None) == (None, [])


@pytest.mark.parametrize(("path", "line"), [
    ("a", 1), ("b.c", 4), ("c", 2), ("b.d.0.e", 6), ("b.d.1.e", 5), ("b", 3), ("x", None), ("", None), ("b.c.x", 4),
    ("b.x", 3),
])  # fmt: skip
def test_the_line_of_a_path_is_that_of_its_deepest_key(path, line):
    assert declared.line_of(b"a: 1\nc: 2\nb:\n  c: 3\n  d:\n    - {e: 1}\n", path) == line
