"""What a judge is sent, and what becomes of its answers when the command runs again."""

import json

import pytest

from dpspin.errors import NoAnswerError
from dpspin_experiments.baselines.comparison import prepared
from dpspin_experiments.judging import methods, prompts, scoring
from dpspin_experiments.judging.answers import Preference, Scores
from dpspin_experiments.judging.asking import ATTEMPTS
from dpspin_experiments.judging.exhibit import Duel, Exhibit
from dpspin_experiments.judging.scoring import SILENT, Bench, Judge

EXHIBIT = Exhibit(b'{"entries":[]}\n', "a text")
DECLARED = {"model": "m"}


def bench_of(answer, shelf):
    kept, keep, _ = shelf
    sent = []

    def _answer(messages, schema, seed):
        sent.append(messages)
        if answer is None:
            raise NoAnswerError
        return answer

    return Bench(Judge(_answer, DECLARED), kept, keep), sent


CANARY = "zanzibarine"
"""Stands in every protected text of the next tests, and in nothing that noise protects."""


@pytest.fixture(scope="module")
def marked(setting, records):
    told = [record._replace(text=f"{record.text} {CANARY}.") for record in records]
    return prepared(setting, told), list(methods.items(setting, told, b"j", 1))


def leaks(sent, found):
    """Questions that hold a protected text or an exact mass."""
    rows = json.loads(found.exact.bundle["plan.json"])["released"]
    masses = [row["noisy_mass"] for row in rows if len(row["noisy_mass"]) > 8]  # too long to be met by chance
    return [one for one in sent if any(word in json.dumps(one) for word in (CANARY, *masses))]


def test_a_judge_is_sent_the_instruction_and_the_exhibit_and_nothing_else(marked, shelf, graded):
    found, items = marked
    bench, sent = bench_of(graded(), shelf)
    noisy = [item for item in items if item.noisy]
    for item in noisy:
        bench.scores(item.exhibit, 0)
    assert [list(one) for one in sent] == [
        [
            {"role": "system", "content": prompts.load("scores").text},
            {"role": "user", "content": item.exhibit.shown().decode()},
        ]
        for item in noisy
    ]
    assert leaks(sent, found) == []
    assert not any(item.method in json.dumps(one) for item in noisy for one in sent)  # the judge is blind to methods


@pytest.mark.parametrize("what", ["records", "masses"])
def test_a_planted_question_with_more_in_it_is_found(marked, shelf, graded, monkeypatch, what):
    found, items = marked
    more = found.units[0].text if what == "records" else found.exact.bundle["plan.json"].decode()
    honest = prompts.of_scores
    monkeypatch.setattr(prompts, "of_scores", lambda e: (*honest(e), {"role": "user", "content": more}))
    bench, sent = bench_of(graded(), shelf)
    bench.scores(items[0].exhibit, 0)
    assert len(leaks(sent, found)) == 1


def test_a_reference_that_reads_records_shows_them(marked):
    shown = [[{"content": item.exhibit.shown().decode()}] for item in marked[1] if not item.noisy]
    assert len(leaks(shown, marked[0])) == 4  # all but the clusters' words: the canary is worth its name


def test_what_was_answered_is_not_asked_again(shelf, graded):
    first, sent = bench_of(graded(2), shelf)
    answer = first.scores(EXHIBIT, 0)
    again, more = bench_of(graded(5), shelf)
    assert again.scores(EXHIBIT, 0) == answer
    assert (len(sent), len(more), again.asked) == (1, 0, 0)
    assert again.scores(EXHIBIT, 1).answer.clarity.score == 5  # another seed is another question


def test_an_answer_that_cannot_be_read_is_a_result_and_is_not_asked_again(shelf, graded):
    bench_of("nice", shelf)[0].scores(EXHIBIT, 0)
    again, sent = bench_of(graded(), shelf)
    found = again.scores(EXHIBIT, 0)
    assert (found.answer, len(found.attempts), sent) == (None, ATTEMPTS, [])
    assert {a.text for a in found.attempts} == {"nice"}


def test_silence_is_no_result_and_is_asked_again_with_all_attempts_counted(shelf, graded):
    bench_of(None, shelf)[0].scores(EXHIBIT, 0)
    found = bench_of(graded(), shelf)[0].scores(EXHIBIT, 0)
    assert found.answer.clarity.score == 4
    assert len(found.attempts) == ATTEMPTS + 1


def test_a_server_that_is_gone_stops_the_evaluation(shelf):
    bench, sent = bench_of(None, shelf)
    for number in range(SILENT - 1):
        bench.scores(EXHIBIT, number)
    with pytest.raises(NoAnswerError):
        bench.preference(Duel(b"{}\n", "a", "b"), 0)
    assert len(sent) == SILENT * ATTEMPTS
    assert len(shelf[2]) == SILENT


@pytest.mark.parametrize("spoilt", [None, 3, [], {}, {"schema": scoring.SCHEMA}, {"schema": "x", "attempts": []}])
def test_what_is_stored_and_unusable_is_asked_anew(spoilt, shelf, graded):
    bench, _ = bench_of(graded(), shelf)
    bench.scores(EXHIBIT, 0)
    [key] = shelf[2]
    shelf[2][key] = spoilt
    bench.scores(EXHIBIT, 0)
    assert bench.asked == 2
    assert scoring.restored({"schema": scoring.SCHEMA, "attempts": [{"text": "a"}]}, Scores) is None


def test_a_stored_answer_is_read_again_by_the_same_rules(shelf, graded):
    bench, _ = bench_of(graded(), shelf)
    bench.scores(EXHIBIT, 0)
    [tree] = shelf[2].values()
    assert tree["audience"].startswith("evaluation only")
    tree["attempts"][0]["text"] = graded(9)
    found = bench.scores(EXHIBIT, 0)
    assert found.answer is None
    assert found.attempts[0].malformed.kind == "not in the form"


def test_a_preference_is_asked_in_its_own_words(shelf):
    bench, sent = bench_of('{"preferred": "second", "reason": ""}', shelf)
    found = bench.preference(Duel(b"{}\n", "a", "b"), 0)
    assert isinstance(found.answer, Preference)
    assert sent[0] == prompts.of_comparison(Duel(b"{}\n", "a", "b"))
