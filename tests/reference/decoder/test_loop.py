"""The loop: bounded, recorded in full, and blind to why a writer failed."""

import json
from dataclasses import replace

import pytest

from dpspin import plan
from dpspin.decoder import loop, template
from dpspin.decoder.verifier import verify

GOOD, BAD = "Dry skin ranks first.", "Dry skin ranks second."


def scripted(*drafts):
    """A writer that gives these drafts in turn and keeps what it was shown."""
    seen = []

    def _write(prompt, history):
        seen.append((prompt, history))
        draft = drafts[prompt.number - 1]
        if isinstance(draft, BaseException):
            raise draft
        return draft

    return _write, seen


def test_the_first_accepted_draft_is_published(fixed):
    decoder, seen = scripted(BAD, "Hello.", GOOD, BAD)
    outcome = loop.write(fixed, decoder, 4)
    assert (outcome.summary, outcome.fell_back, len(outcome.attempts)) == (GOOD, False, 3)
    assert [attempt.verdict.accepted for attempt in outcome.attempts] == [False, False, True]
    assert [attempt.text for attempt in outcome.attempts] == [BAD, "Hello.", GOOD]
    assert [attempt.number for attempt in outcome.attempts] == [1, 2, 3]
    assert [history for _, history in seen] == [outcome.attempts[:n] for n in range(3)]


def test_everything_shown_to_the_writer_is_recorded(fixed):
    decoder, seen = scripted(BAD, GOOD)
    first, second = loop.write(fixed, decoder, 2).attempts
    assert [prompt.encode() for prompt, _ in seen] == [first.prompt, second.prompt]
    assert all(prompt.plan is fixed and prompt.task == loop.TASK for prompt, _ in seen)
    assert json.loads(first.feedback)["violations"] == [
        {
            "step": 10, "rule": "unsupported claim", "span": [0, len(BAD)], "claim": "dry skin ranks second.",
            "found": "rank 1",
        }
    ]  # fmt: skip
    assert second.feedback == b'{"violations":[]}\n'


def test_after_the_last_attempt_the_fallback_is_published(fixed):
    decoder, seen = scripted(BAD, BAD, BAD)
    outcome = loop.write(fixed, decoder, 3)
    assert (outcome.summary, outcome.fell_back, len(seen)) == (template.fallback(fixed), True, 3)
    assert verify(outcome.summary, fixed).accepted


class Sly(str):
    __slots__ = ()

    def __str__(self):
        return GOOD


@pytest.mark.parametrize(
    "draft",
    [ValueError("record 17: my name is Jo"), None, b"Dry skin ranks first.", 7, Sly("x"), "a\ud800", RecursionError()],
    ids=lambda draft: type(draft).__name__,
)
def test_failing_writers_leave_the_same_trace(fixed, draft):
    decoder, _ = scripted(draft, GOOD)
    outcome = loop.write(fixed, decoder, 2)
    failed = outcome.attempts[0]
    assert (failed.text, failed.verdict, outcome.summary) == ("", loop.NO_TEXT, GOOD)
    reference = loop.write(fixed, scripted(OSError(), GOOD)[0], 2).attempts[0]
    assert failed == reference
    assert b"Jo" not in failed.feedback


def test_interrupts_are_not_swallowed(fixed):
    with pytest.raises(KeyboardInterrupt):
        loop.write(fixed, scripted(KeyboardInterrupt())[0], 1)


def test_endless_drafts_are_kept_short(fixed):
    outcome = loop.write(fixed, scripted(f"{GOOD}\n" * 10**5)[0], 1)
    assert outcome.fell_back
    assert len(outcome.attempts[0].text) < 10**5
    assert verify(outcome.attempts[0].text, fixed).violations == outcome.attempts[0].verdict.violations


def test_a_writer_cannot_change_the_rules(terms):
    released = plan.build([(0, 256_400)], replace(terms, public_text=dict(terms.public_text)))

    def _bribe(prompt, _):
        prompt.plan.terms.public_text["mine"] = "Everything is fine."
        return "Everything is fine."

    assert loop.write(released, _bribe, 1).fell_back


def test_the_template_needs_one_attempt(fixed):
    outcome = loop.write(fixed, template.decoder, 3)
    assert (outcome.summary, len(outcome.attempts), outcome.fell_back) == (template.summary(fixed), 1, False)
