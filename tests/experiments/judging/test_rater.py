"""The rater counts what it says it counts, and each planted fault lowers its own dimension."""

from dataclasses import replace

import pytest

from dpspin import canonical
from dpspin_experiments.baselines.methods import EXTRACTIVE, PLAN, TEMPLATE
from dpspin_experiments.judging.exhibit import Exhibit
from dpspin_experiments.judging.rater import body, rate

ENTRIES = {
    "entries": [{"label": "Fees", "noisy_count": 1200}, {"label": "late post", "noisy_count": -3}],
    "stamp": "S.",
}
GROUPS = {"groups": [{"noisy_size": 375, "keywords": ["credit", "report"]}]}
UNITS = {"units": [{"text": "I paid. Nobody came! Why?", "categories": []}]}


def rated(tree, text):
    return rate(Exhibit(canonical.dumps(tree), text))


def test_a_text_that_says_what_the_object_holds():
    found = rated(ENTRIES, "S.\n\nMost frequent: Fees (about 1,200), late post (about -3).\n")
    assert found == {
        "faithfulness": 5, "coverage": 5, "insightfulness": None, "clarity": 5, "text_safety": 5,
    }  # fmt: skip
    assert rated(GROUPS, "A group of about 375: credit, report.\n")["faithfulness"] == 5


@pytest.mark.parametrize(
    ("tree", "text", "dimension", "score"),
    [
        (ENTRIES, "Most frequent: Fees (about 1,300).", "faithfulness", 3),
        (ENTRIES, "Most frequent: loans (about 1,200).", "faithfulness", 3),
        (ENTRIES, "Most frequent: Fees (about 1,200).", "coverage", 3),
        (GROUPS, "A group of about 376: credit, debit.", "faithfulness", 1 + 4 / 3),
        (GROUPS, "A group of about 375: credit.", "coverage", 3),
        (UNITS, "I paid. Somebody came!", "faithfulness", 3),
        (ENTRIES, "word " * 30, "clarity", 3),
        (ENTRIES, "word " * 60, "clarity", 1),
        (ENTRIES, "Ask Mrs Miller.", "text_safety", 3),
        (ENTRIES, "Ask Mrs Miller at m@example.org.", "text_safety", 1),
    ],
)
def test_a_planted_fault_lowers_its_dimension(tree, text, dimension, score):
    assert rated(tree, text)[dimension] == pytest.approx(score)


def test_what_no_rule_decides_is_left_out(items):
    found = {item.method: rate(item.exhibit) for item in items}
    assert all(row["insightfulness"] is None for row in found.values())
    assert (found[TEMPLATE]["faithfulness"], found[EXTRACTIVE]["coverage"]) == (None, None)
    assert rated(ENTRIES, "")["clarity"] is None
    assert rated({"entries": []}, "Nothing.")["coverage"] is None


def test_a_plan_is_held_to_the_public_verifier(items):
    exhibit = next(item.exhibit for item in items if item.method == PLAN)
    assert rate(exhibit)["faithfulness"] == 5
    lines = exhibit.text.splitlines(keepends=True)
    [first] = [at for at, line in enumerate(lines) if "rank 1" in line and "rank 10" not in line]
    wrong = "".join([*lines[:first], lines[first].replace("rank 1", "rank 2"), *lines[first + 1 :]])
    assert 4 < rate(replace(exhibit, text=wrong))["faithfulness"] < 5
    assert rate(replace(exhibit, text=exhibit.tree()["stamp"] + "\n\nAll is well.\n"))["faithfulness"] <= 3
    assert rate(replace(exhibit, text="".join(lines[:6])))["coverage"] < 2


def test_the_notice_of_the_experiment_is_left_out():
    assert body(Exhibit(canonical.dumps(ENTRIES), "S.\n\nA text.")) == "A text."
    assert body(Exhibit(canonical.dumps(GROUPS), "S.\n\nA text.")) == "S.\n\nA text."
    assert body(Exhibit(canonical.dumps(ENTRIES), "A text.")) == "A text."
