"""A prompt's bytes name the plan and nothing else that could vary."""

import hashlib
import json
from dataclasses import replace

from dpspin import plan
from dpspin.decoder.attempts import Prompt


def test_prompt_bytes_are_the_attempt_the_task_and_the_digest_of_the_plan(fixed):
    digest = hashlib.sha256(plan.encode(fixed)).hexdigest()
    assert json.loads(Prompt(2, "Write.", fixed).encode()) == {"attempt": 2, "task": "Write.", "plan_sha256": digest}


def test_another_plan_gives_another_prompt(fixed):
    other = replace(fixed, atoms=fixed.atoms[:-1])
    assert Prompt(1, "Write.", fixed).encode() != Prompt(1, "Write.", other).encode()
