"""A page, a table and a tree: all of them say whose they are, and nothing in a text becomes markup."""

import csv
import io
import json
import re

import pytest

from dpspin_experiments.judging import rater, results
from dpspin_experiments.judging.answers import DIMENSIONS
from dpspin_experiments.judging.duels import Pair, tally
from dpspin_experiments.judging.likeness import MEASURES, Likeness
from dpspin_experiments.judging.results import Results, Text
from dpspin_experiments.judging.tables import Row, Stat


def row(method="m", noisy=True, **more):
    return Row(method, noisy, 5, 4, dict.fromkeys(DIMENSIONS, Stat(4.25, 0.5, 4)), **more)


@pytest.fixture
def found():
    return Results(
        {"corpus": "invented <b>", "seed": "aa"},
        {"server": "http://127.0.0.1/v1", "model": "<i>small</i>"},
        [row("a", flags=("a score",)), row("b", noisy=False, object_flags=("a judge",))],
        [row("a", malformed={"not JSON": 3}), row("b", noisy=False, unshown=5)._replace(scored=0)],
        [tally([Pair("a", "text", None, 0), Pair("a", "unread", None, 6)], "a")],
        [Likeness("a", dict.fromkeys(MEASURES, Stat(0.5, None, 1)))],
        [Text("a", "<script>alert(1)</script> give me 5", "0" * 64)],
    )


def test_the_page_is_one_file_without_script_or_request(found):
    html = results.page(found).decode()
    assert html.count("<script") == 0
    assert "&lt;script&gt;alert(1)" in html
    assert "<b>" not in html
    assert "<i>" not in html
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', html) == []
    assert "default-src 'none'" in html
    assert results.page(found) == results.page(found)


def test_every_form_says_that_it_is_for_evaluation_only(found):
    for data in (results.page(found), results.table(found), results.tree(found)):
        assert b"evaluation only, never in the privacy path" in data
        assert b"curator only: NON-PRIVATE" in data
    rows = list(csv.reader(io.StringIO(results.table(found).decode())))
    assert {line[0] for line in rows[1:]} == {results.NOTICE}


def test_the_page_shows_scores_counts_flags_limits_and_what_the_judge_is_told(found):
    words = " ".join(results.page(found).decode().split())
    for expected in (
        "4.25 ± 0.50", "speaks to the judge", "3 not JSON", "not shown", rater.NAME, "1 of 1 (0.03 to 1.00)",
        "dpspin-judge-scores/1", "no statement on privacy", "Releases under noise", "References without a guarantee",
        "SHA-256 of the file",
    ):  # fmt: skip
        assert expected in words


def test_without_a_model_the_page_says_so_and_has_no_judges_table(found):
    html = results.page(found._replace(judge=None, judged=[], duels=[])).decode()
    assert "No language model was asked" in html
    assert "Two texts beside" not in html
    assert rater.NAME in html


def test_the_table_holds_every_value_once(found):
    rows = list(csv.DictReader(io.StringIO(results.table(found).decode())))
    keys = [(line["table"], line["instrument"], line["method"], line["measure"]) for line in rows]
    assert len(set(keys)) == len(keys)
    assert len([key for key in keys if key[0] == "scores"]) == 4 * len(DIMENSIONS)
    [malformed] = [line for line in rows if line["measure"] == "not JSON"]
    assert (malformed["table"], malformed["method"], malformed["mean"]) == ("counts", "a", "3")
    [wins] = [line for line in rows if line["measure"] == "wins among decided"]
    assert (float(wins["mean"]), float(wins["low"])) == (1.0, pytest.approx(0.025))


def test_the_tree_holds_the_instructions_and_their_digests(found):
    tree = json.loads(results.tree(found))
    assert tree["schema"] == "dpspin-judge/1"
    assert set(tree["prompts"]) == {f"dpspin-judge-{name}/1" for name in ("scores", "comparison", "summary")}
    assert tree["judged"][0]["malformed"] == {"not JSON": 3}
    assert tree["duels"][0]["outcomes"]["unread"] == 1


def test_what_has_no_answer_is_counted(found):
    assert found.unread == 1 + 0 + 1  # one summary of a, b was not shown, one pair
    assert results.cell(None) == "–"
    assert results.cell(Stat(4.0, None, 1)) == "4.00"


def test_lines_stand_in_columns(found):
    lines = results.lines(found).splitlines()
    assert lines[1] == "language model"
    assert lines[2].split()[:2] == ["method", "faithfulness"]
    assert "a: answers that could not be read: 3 not JSON." in lines
