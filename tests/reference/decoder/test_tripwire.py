"""The decoder alone with the plan: it touches nothing else, and all that it is given is on record (Theorem 5.8)."""

import dataclasses
import json
from itertools import islice

import pytest

from dpspin import canonical, pipeline
from dpspin import plan as plans
from dpspin.corpus import embedded
from dpspin.curator.noise import SeededBits
from dpspin.decoder import template
from dpspin_audits.checks import tripwire


@pytest.fixture(scope="module")
def setting():
    known = embedded.files()
    return pipeline.load(known["deployment.yaml"], "d", known.__getitem__)


def released(setting):
    return pipeline.release(setting, islice(embedded.corpus(), 300), SeededBits(b"wire"), None).bundle


@pytest.fixture(scope="module")
def bundle(setting):
    return released(setting)


def test_the_template_opens_nothing_but_its_own_grammar_and_imports_no_curator(bundle):
    found = tripwire.check(tripwire.TEMPLATE, bundle["plan.json"])
    assert (found.status, found.figures) == ("pass", {"runs": 2, "breaches": 0}), found


def rows(bundle):
    return [json.loads(line) for line in bundle["transcript.jsonl"].splitlines()]


def unrecorded(prompt, attempts, bundle):
    """What a writer was given and cannot be found on record: every field of the prompt and of earlier attempts."""
    recorded = {row["name"]: row["text"] for row in rows(bundle)}
    shown = json.loads(recorded[f"prompt-{prompt.number}"])
    plain = [json.dumps(value, ensure_ascii=False) for value in _leaves(prompt)]
    missing = [word for word in plain if word not in recorded[f"prompt-{prompt.number}"]]
    if not any(canonical.digest(bundle["plan.json"]) == value for value in shown.values()):
        missing.append("the plan's digest")
    if plans.encode(prompt.plan) != bundle["plan.json"]:
        missing.append("the plan")
    for attempt in attempts:
        given = {"prompt": attempt.prompt.decode(), "draft": attempt.text, "feedback": attempt.feedback.decode()}
        missing += [name for name, text in given.items() if recorded.get(f"{name}-{attempt.number}") != text]
    return missing


def _leaves(prompt):
    """Fields of a prompt other than the plan, which has a file of its own."""
    fields = {field.name: getattr(prompt, field.name) for field in dataclasses.fields(prompt)}
    return [value for value in fields.values() if value is not None and not isinstance(value, plans.SemanticPlan)]


def spied(setting, monkeypatch, drafts):
    """A release whose writer gives these drafts first; what each call was given, and the bundle."""
    calls = []
    own = template.decoder

    def writer(prompt, attempts):
        calls.append((prompt, attempts))
        return drafts[len(attempts)] if len(attempts) < len(drafts) else own(prompt, attempts)

    monkeypatch.setattr(template, "decoder", writer)
    return calls, released(setting)


@pytest.mark.parametrize("drafts", [[], ["Most people complain."], ["x", "y"], ["x", "y", "z"]])
def test_all_that_a_writer_is_given_is_on_record(setting, monkeypatch, drafts):
    calls, files = spied(setting, monkeypatch, drafts)
    assert len(calls) == min(len(drafts) + 1, setting.deployment.decoder.max_attempts)
    assert [unrecorded(prompt, attempts, files) for prompt, attempts in calls] == [[]] * len(calls)
    assert [len(attempts) for _, attempts in calls] == list(range(len(calls)))


def test_a_prompt_or_a_plan_that_is_not_on_record_is_seen(setting, monkeypatch):
    calls, files = spied(setting, monkeypatch, ["x"])
    prompt, attempts = calls[1]
    assert unrecorded(dataclasses.replace(prompt, task="Count the records: 1009."), attempts, files)
    assert unrecorded(prompt, (dataclasses.replace(attempts[0], feedback=b"{}"),), files) == ["feedback"]
    other = dataclasses.replace(prompt.plan, atoms=prompt.plan.atoms[1:])
    assert "the plan" in unrecorded(dataclasses.replace(prompt, plan=other), attempts, files)
    assert "the plan's digest" in unrecorded(prompt, attempts, files | {"plan.json": files["plan.json"] + b" "})


def test_a_rejected_draft_is_on_record_with_its_feedback(setting, monkeypatch):
    calls, files = spied(setting, monkeypatch, ["Most people complain."])
    task = json.dumps(calls[1][0].task, ensure_ascii=False)
    recorded = {row["name"]: row["text"] for row in rows(files)}
    assert recorded["draft-1"] == "Most people complain."
    assert json.loads(recorded["feedback-1"])["violations"]
    assert recorded["draft-2"] == recorded["summary.txt"]
    assert task in recorded["prompt-2"]
