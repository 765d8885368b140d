"""Formats by name: each makes its file, and what is not a format of one or of many is refused."""

import pytest

from dpspin.errors import UsageError
from dpspin_audits.formats import made, pdf
from dpspin_audits.formats.index import Entry
from dpspin_audits.formats.signatures import Signature


def test_all_formats_of_one_audit(invented, monkeypatch):
    monkeypatch.setattr(pdf, "encode", lambda page: b"%PDF" + page.encode()[:3])
    files = made.of_one(invented("fail"), ["all"])
    assert list(files) == [name for name, _ in made.OF_ONE.values()]
    assert all(files.values())
    assert len(set(files.values())) == len(files)


def test_chosen_formats_each_once(invented):
    assert list(made.of_one(invented(), ["sarif", "junit", "sarif"])) == ["report.sarif", "junit.xml"]


def test_all_formats_of_many(invented):
    entries = tuple(Entry(invented(kind), Signature("not signed"), None) for kind in ("pass", "fail"))
    assert list(made.of_many(entries, ["all"], None)) == ["index.html", "index.csv", "index.json"]


def test_a_format_of_the_other_kind_is_refused(invented):
    with pytest.raises(UsageError, match="--format json: not a format of one audit"):
        made.of_one(invented(), ["json"])
    with pytest.raises(UsageError, match="choose from html, csv, json"):
        made.of_many((), ["sarif"], None)


def test_names_are_those_of_both():
    assert set(made.NAMES) == {*made.OF_ONE, *made.OF_MANY, "all"}
