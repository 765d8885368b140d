"""A language model as a writer is given the object alone, once, and a plan is written under the contract."""

import json

import pytest

from dpspin import plan as plans
from dpspin.decoder import prompts as contract
from dpspin.decoder import template
from dpspin.decoder.attempts import Prompt
from dpspin.decoder.loop import TASKS
from dpspin.errors import NoAnswerError
from dpspin_experiments.baselines.methods import PLAN
from dpspin_experiments.judging import prompts
from dpspin_experiments.judging.asking import ATTEMPTS
from dpspin_experiments.judging.scoring import Judge
from dpspin_experiments.judging.writing import Texts

VISIBLE = b'{"entries":[]}\n'


def texts(shelf, answers):
    asked = []

    def _answer(messages, schema, seed):
        asked.append((messages, schema, seed))
        answer = answers[min(len(asked), len(answers)) - 1]
        if answer is None:
            raise NoAnswerError
        return answer

    return Texts(Judge(_answer, {"model": "m"}), shelf[0], shelf[1]), asked


@pytest.fixture(scope="module")
def visible(items):
    return next(item.exhibit.visible for item in items if item.method == PLAN)


def test_a_text_is_asked_for_once_and_kept_as_it_is(shelf):
    found, asked = texts(shelf, ["  A text.\n", "Another."])
    assert found.freely(VISIBLE) == found.freely(VISIBLE) == "  A text.\n"
    assert asked == [(prompts.of_summary(VISIBLE), None, 0)]
    [stored] = shelf[2].values()
    assert stored["audience"].startswith("evaluation only")


def test_silence_is_bounded_and_nothing_is_stored(shelf, setting, visible):
    found, asked = texts(shelf, [None])
    with pytest.raises(NoAnswerError):
        found.freely(VISIBLE)
    assert len(asked) == ATTEMPTS
    with pytest.raises(NoAnswerError):
        found.under(setting.deployment.decoder)(visible)
    assert shelf[2] == {}


def test_a_lone_surrogate_does_not_stop_it(shelf):
    assert texts(shelf, ["a\ud800"])[0].freely(VISIBLE) == "a?"


def test_a_plan_is_written_under_the_contract_from_the_plan_alone(shelf, setting, visible):
    plan = plans.decode(visible, "plan.json")
    good = template.summary(plan)
    found, asked = texts(shelf, [f"{good}And all is well.\n", good])
    write = found.under(setting.deployment.decoder)
    assert write(visible) == write(visible) == good
    assert (len(asked), found.fallbacks) == (2, 0)
    first = Prompt(1, "legacy_text", TASKS["legacy_text"], plan)
    assert asked[0][0] == [message._asdict() for message in contract.messages(first, ())]
    assert "not in the language" in json.dumps(asked[1][0])


def test_a_plan_whose_drafts_break_the_contract_falls_back_and_is_counted_each_time(shelf, setting, visible):
    found, asked = texts(shelf, ["All is well."])
    write = found.under(setting.deployment.decoder)
    assert write(visible) == write(visible) == template.fallback(plans.decode(visible, "plan.json"))
    assert (len(asked), found.fallbacks) == (setting.deployment.decoder.max_attempts, 2)
