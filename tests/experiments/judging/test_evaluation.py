"""From summaries to rows, with a judge that is a function."""

import json

import pytest

from dpspin.errors import NoAnswerError
from dpspin_experiments.baselines.methods import METHODS, PLAN, WITHOUT_NOISE
from dpspin_experiments.judging import evaluation
from dpspin_experiments.judging.evaluation import Terms
from dpspin_experiments.judging.scoring import Bench, Judge


def evaluated(items, shelf, answerer, longest=10**7):
    ticks = []
    bench = Bench(Judge(answerer, {"model": "m"}), shelf[0], shelf[1])
    return evaluation.by_model(items, bench, Terms(b"s", longest, lambda: ticks.append(1))), ticks


def first_sight(graded):
    def _answer(messages, schema, seed):
        shown = json.loads(messages[1]["content"])
        if "first" in shown:
            return json.dumps(
                {"preferred": "first" if len(shown["first"]) > len(shown["second"]) else "second", "reason": ""}
            )
        return graded(5 if "universe" in shown["object"] else 2)

    return _answer


def test_rows_of_all_methods_and_pairs_of_those_with_noise(items, shelf, graded):
    (rows, duels), ticks = evaluated(items, shelf, first_sight(graded))
    assert {row.method for row in rows} == set(METHODS)
    assert {row.method: row.scores["clarity"].mean for row in rows} == {
        name: 5 if name in {PLAN, WITHOUT_NOISE} else 2 for name in METHODS
    }
    assert [row.method for row in duels] == [*list(METHODS)[5:], evaluation.ALL]
    assert duels[-1].pairs == sum(row.pairs for row in duels[:-1]) == 8
    assert [row.outcomes["reference"] for row in duels[1:-1]] == [
        2,
        2,
        2,
    ]  # the reference's text is longer than any list
    assert len(ticks) == evaluation.steps(items, 10**7)


def test_what_is_too_long_is_not_shown_and_said_so(items, shelf, graded):
    asked = []

    def _answer(messages, schema, seed):
        asked.append(len(messages[1]["content"]))
        return first_sight(graded)(messages, schema, seed)

    (rows, _), ticks = evaluated(items, shelf, _answer, 20_000)
    unshown = {row.method for row in rows if row.unshown}
    assert unshown == {"direct, extractive", "direct, template", "redacted by rules, extractive"}
    assert all(row.scored + row.unshown == row.summaries for row in rows)
    assert max(asked) <= 20_000
    assert len(ticks) == evaluation.steps(items, 20_000)


def test_a_silent_server_ends_it(items, shelf):
    def _answer(messages, schema, seed):
        raise NoAnswerError

    with pytest.raises(NoAnswerError):
        evaluated(items, shelf, _answer)


def test_rules_rate_every_summary_and_the_first_texts_are_kept(items):
    rows = evaluation.by_rules(items)
    assert {row.method: row.scored for row in rows} == {name: 2 if name in list(METHODS)[5:] else 1 for name in METHODS}
    texts = {each.method: each for each in evaluation.texts(items)}
    assert texts[PLAN].text == next(item.exhibit.text for item in items if item.method == PLAN)
