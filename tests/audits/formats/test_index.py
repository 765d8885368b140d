"""The index: each evidence once, in order, with its figures; no script; ages from declared days alone."""

import csv
import datetime
import io
import json
import re

import pytest

from dpspin.errors import UsageError
from dpspin_audits.formats import index
from dpspin_audits.formats.index import Entry
from dpspin_audits.formats.opened import of_tree
from dpspin_audits.formats.signatures import Signature

DAY = datetime.date(2026, 12, 1)


@pytest.fixture
def entry(invented):
    def make(kind="pass", declared=None, name=None, report=None):
        tree = invented(kind).tree
        tree["deployment"] |= {"declared_at": declared} if declared else {}
        tree["deployment"] |= {"name": name} if name else {}
        return Entry(of_tree(tree), Signature("not signed"), report)

    return make


@pytest.fixture
def fleet(entry):
    return index.ordered(
        [
            entry("pass", "2026-03-01"), entry("fail", "2026-05-01"), entry("gaussian-user", "2026-04-01", "another"),
            entry("pass", "2026-03-01"), entry("stamped", "2026-02-01"),
        ],
        DAY,
    )  # fmt: skip


def test_each_evidence_once_and_the_newest_first(fleet):
    found = [(e.evidence.case.deployment.text("name"), e.evidence.case.deployment.text("declared_at")) for e in fleet]
    assert found == [
        ("another", "2026-04-01"), ("complaints-2026q2", "2026-05-01"), ("complaints-2026q2", "2026-03-01"),
        ("complaints-2026q2", "2026-02-01"),
    ]  # fmt: skip


def test_json_and_csv_hold_the_same(fleet):
    audits = json.loads(index.as_json(fleet, DAY))["audits"]
    rows = list(csv.DictReader(io.StringIO(index.as_csv(fleet, DAY).decode(), newline="")))
    assert [row["evidence_sha256"] for row in rows] == [audit["evidence_sha256"] for audit in audits]
    fail = audits[1]
    assert (fail["verdict"], fail["claimed_epsilon"], fail["measured_epsilon_at_least"]) == ("fail", "1", "1.9412")
    assert fail["age_days"] == 214
    assert "hygiene" in fail["findings"]
    assert audits[0]["claimed_delta"] == rows[0]["claimed_delta"] != "0"
    assert [audit["stamp"] is not None for audit in audits] == [False, False, False, True]


def test_the_sum_with_a_charged_universe_stands_beside_the_claim(entry):
    entries = index.ordered([entry("charged", "2026-03-01"), entry("pass", "2026-02-01")], DAY)
    charged, plain_ = json.loads(index.as_json(entries, DAY))["audits"]
    assert [charged[name] for name in ("claimed_epsilon", "total_epsilon", "total_delta")] == ["1", "1.5", "0.0000001"]
    assert [plain_[name] for name in ("claimed_epsilon", "total_epsilon", "total_delta")] == ["1", "1", "0"]
    html = index.as_html(entries, DAY).decode()
    assert html.count("; with its themes 1.5") == 1


def test_no_day_no_age(fleet):
    assert {audit["age_days"] for audit in json.loads(index.as_json(fleet, None))["audits"]} == {None}
    assert "days" not in index.as_html(fleet, None).decode().partition("<main>")[2].partition("</table>")[0]


def test_a_day_before_the_declaration_or_none_is_refused(entry):
    with pytest.raises(UsageError, match="lies before"):
        index.ordered([entry("pass", "2027-01-01")], DAY)
    with pytest.raises(UsageError, match="no such day"):
        index.ordered([entry("pass", "spring")], DAY)


def test_the_page_says_what_each_audit_came_to(fleet):
    page = index.as_html(fleet, DAY).decode()
    assert "<h1>Four audits</h1>" in page
    assert page.count('class="st fail"') >= 2
    assert "One audit saw a release that can be subtracted" in page
    assert page.count("not signed") == 4
    assert "≥\u00a01.941" in page


def test_the_page_is_inert(fleet):
    page = index.as_html(fleet, DAY).decode()
    assert "default-src 'none'" in page
    assert not re.search(r"<script|<iframe|<link rel=.stylesheet|\son\w+=|https?://", page)
    assert index.as_html(fleet, DAY).decode() == page


def test_a_report_beside_is_linked_and_nothing_else_is(entry):
    linked = index.as_html((entry(report="a/report.html"), entry("fail")), None).decode()
    assert re.findall(r'<a href="([^"]*)"', linked) == ["a/report.html"]


def test_attacks_stay_words(hostile):
    entries = (Entry(hostile, Signature("not signed"), None),)
    page = index.as_html(entries, None).decode()
    assert "<script" not in page
    assert "{{ 7" not in page.partition("<main>")[0]
    assert "U+202E" in page
    assert "\u202e" not in page
    for row in csv.reader(io.StringIO(index.as_csv(entries, None).decode(), newline="")):
        assert all(cell.isprintable() and not cell.startswith(("=", "@", "+")) for cell in row)


def test_a_stamp_stands_beside_the_verdict_and_the_wording_is_that_of_reports(fleet):
    page = index.as_html(fleet, DAY).decode()
    assert page.count("<b>stamped</b>") == 1
    body = page.partition("<body>")[2]
    assert not re.search(r"(?<!NON-)private|passed d[p]|\bsafe|secure|anonym|guaranteed|risk", body, re.IGNORECASE)
