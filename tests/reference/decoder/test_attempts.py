"""A prompt's bytes name the plan and nothing else that could vary."""

import hashlib
import json
from dataclasses import replace

from dpspin import plan
from dpspin.decoder.attempts import Prompt


def test_prompt_bytes_are_the_attempt_the_mode_the_task_and_the_digest_of_the_plan(fixed):
    digest = hashlib.sha256(plan.encode(fixed)).hexdigest()
    assert json.loads(Prompt(2, "structured", "Write.", fixed).encode()) == {
        "attempt": 2, "contract_mode": "structured", "task": "Write.", "plan_sha256": digest
    }  # fmt: skip


def test_another_plan_gives_another_prompt(fixed):
    other = replace(fixed, atoms=fixed.atoms[:-1])
    assert Prompt(1, "legacy_text", "Write.", fixed).encode() != Prompt(1, "legacy_text", "Write.", other).encode()
