"""Few attempts, the same question each time, and every answer is kept."""

from itertools import pairwise

from dpspin.errors import NoAnswerError
from dpspin_experiments.judging.answers import NO_ANSWER, Scores
from dpspin_experiments.judging.asking import ATTEMPTS, ask

MESSAGES = ({"role": "user", "content": "?"},)


def told(*answers):
    """An answerer that gives these answers in turn, and what it was asked."""
    asked = []

    def _answer(messages, schema, seed):
        asked.append((messages, schema, seed))
        answer = answers[min(len(asked), len(answers)) - 1]
        if answer is None:
            raise NoAnswerError
        return answer

    return _answer, asked


def test_the_first_answer_that_can_be_read_ends_it(graded):
    answerer, asked = told("5 of 5", None, graded(2))
    found = ask(MESSAGES, Scores, answerer, 7)
    assert found.answer.clarity.score == 2
    assert [a.malformed and a.malformed.kind for a in found.attempts] == ["not JSON", "no answer", None]
    assert found.attempts[0].text == "5 of 5"
    assert all(one[:2] == other[:2] for one, other in pairwise(asked))
    assert [seed for _, _, seed in asked] == [21, 22, 23]
    assert asked[0][1]["additionalProperties"] is False


def test_attempts_are_bounded_and_nothing_is_dropped():
    answerer, asked = told("no")
    found = ask(MESSAGES, Scores, answerer, 0)
    assert (found.answer, len(found.attempts), len(asked)) == (None, ATTEMPTS, ATTEMPTS)
    assert found.answered


def test_silence_is_told_from_an_answer_that_cannot_be_read():
    found = ask(MESSAGES, Scores, told(None)[0], 0)
    assert [a.malformed for a in found.attempts] == [NO_ANSWER] * ATTEMPTS
    assert not found.answered
