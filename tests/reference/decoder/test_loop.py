"""The loop: bounded, recorded in full, and blind to why a writer failed."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dpspin import pipeline, plan
from dpspin.corpus import embedded
from dpspin.curator import intake
from dpspin.curator.noise import SeededBits, SystemBits
from dpspin.curator.release import apply, draw
from dpspin.decoder import claims_file, loop, template
from dpspin.decoder.claims import Rank
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
    assert all(prompt.plan is fixed and prompt.task == loop.TASKS["legacy_text"] for prompt, _ in seen)
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


def test_claims_are_judged_rendered_and_recorded_in_structured_mode(fixed):
    good = claims_file.encode([Rank(0, 1)], fixed.terms)
    bad = claims_file.encode([Rank(0, 2)], fixed.terms)
    decoder, seen = scripted(GOOD, bad, good)
    outcome = loop.write(fixed, decoder, 3, "structured")
    assert (outcome.summary, outcome.fell_back) == ("- dry skin: rank 1\n", False)
    assert [attempt.text for attempt in outcome.attempts] == [GOOD, bad, good]
    steps = [[violation.step for violation in attempt.verdict.violations] for attempt in outcome.attempts]
    assert steps == [[2], [10], []]
    assert {(prompt.mode, prompt.task) for prompt, _ in seen} == {("structured", loop.TASKS["structured"])}
    assert all(json.loads(attempt.prompt)["contract_mode"] == "structured" for attempt in outcome.attempts)


def test_the_template_gives_one_summary_in_both_modes(fixed, stamped):
    for released in (fixed, stamped):
        texts = {loop.write(released, template.decoder, 1, mode).summary for mode in ("structured", "legacy_text")}
        assert texts == {template.summary(released)}


def test_where_not_even_the_fallback_can_be_verified_the_marker_is_published(terms):
    names = ("releases 1 theme", "public denominator", "was released", "X", "X: noisy")
    odd = replace(terms, universe=replace(terms.universe, labels=names, descriptions=(None,) * 5), public_text={})
    released = plan.build([(3, 1)], odd)
    outcome = loop.write(released, scripted(BAD, None)[0], 2)
    assert (outcome.summary, outcome.fell_back) == (loop.FAILURE, True)
    assert loop.fallback(released) == loop.FAILURE


FILES = embedded.files()
MODES = {
    mode: pipeline.load(
        FILES["deployment.yaml"].replace(b"contract_mode: legacy_text", b"contract_mode: " + mode.encode()),
        "deployment.yaml",
        FILES.__getitem__,
    )
    for mode in ("legacy_text", "structured")
}


@pytest.mark.parametrize("mode", MODES)
def test_one_plan_from_two_corpora_gives_the_same_transcript_byte_for_byte(mode):
    """The noise is chosen so that unrelated corpora release one plan: nothing else of them may be seen."""
    setting = MODES[mode]
    records = list(embedded.corpus(setting.deployment))
    corpora = records[:300], records[300:420]
    sketches = [intake.exact_sketch(iter(rows), setting.deployment, setting.weights, Counter()) for rows in corpora]
    assert sketches[0] != sketches[1]
    noisy = draw(setting.deployment, len(setting.universe), SeededBits(b"n"), 1, rigorous=True) + np.array(sketches[0])
    bundles = []
    for sketch in sketches:
        samples = apply(sketch, noisy - np.array(sketch), setting.deployment, SystemBits(), rigorous=True)
        pairs = [(int(a), int(m)) for a, m in zip(samples.atoms[0], samples.masses[0], strict=True)]
        bundles.append(pipeline.publish(plan.build(pairs, setting.terms()), setting, "0001"))
    assert bundles[0] == bundles[1]
    lines = [json.loads(line) for line in bundles[0]["transcript.jsonl"].splitlines()]
    prompt = next(line["text"] for line in lines if line["name"] == "prompt-1")
    assert json.loads(prompt)["contract_mode"] == mode
    draft = next(line["text"] for line in lines if line["name"] == "draft-1")
    assert (draft == bundles[0]["summary.txt"].decode()) == (mode == "legacy_text")
