"""A stranger's attempts: prompts by their words, labels and numbers, all else by its field.

Drafts, verdicts and feedback count as derived from what their writer was given; a number in them that is neither known
nor small enough for a place in a text is not.
"""

import json
from typing import Any

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits.verify import foreign_fields
from dpspin_audits.verify.finding import Finding, brief, suspicion, traces
from dpspin_audits.verify.foreign_fields import DECLARE, Part, nothing
from dpspin_audits.verify.foreign_words import Known, Labels, unescaped

NAME = "verifier_attempts.json"
DERIVED = ("post-processing", "derived, not computed again")
COUNTED = frozenset("attempt number round order index".split())
"""Fields of an attempt that count attempts."""
JUDGED = frozenset(
    "accept accepted verdict violations errors feedback step rule span claim claims found valid passed fallback reason"
    " position line".split()
)
"""Fields of an attempt that the verifier makes."""
FREE = frozenset("text draft output summary response".split())
"""Texts of the decoder: what they say is judged where they become the summary."""
GIVEN = frozenset("prompt input context messages content system user".split())
"""Fields of an attempt that the decoder is given."""
SET = frozenset("role model backend plan_id mode contract_mode decoder_backend temperature".split())
"""Fields of an attempt that are settings."""
EXCERPT = "excerpt of records, or undeclared text"
LABEL = "unreleased label"
NUMBER = "a number that neither plan nor settings have"
Problem = tuple[str, object]


def part(files: dict[str, bytes], tree: dict[str, Any], config: Any) -> Part:
    """Account for every leaf of the attempts; nothing where there are none."""
    data = files.get(NAME)
    if data is None:
        return Part([], [])
    try:
        canonical.loads(data, NAME)  # which refuses a key that stands twice, and NaN
        attempts = json.loads(data)
    except (UsageError, ValueError, RecursionError) as error:
        what = error.problem if isinstance(error, UsageError) else "is no JSON"
        return Part([nothing(NAME)], [Finding(NAME, None, "encoding", what, "write the attempts as a list")])
    return _Reader(tree, config, len(attempts) if isinstance(attempts, list) else 1).part(attempts)


class _Reader:
    """What is known grows with every attempt."""

    def __init__(self, tree: dict[str, Any], config: Any, attempts: int) -> None:
        self._known, self._labels = Known([config, tree]), Labels(tree)
        self._labels.add(config)
        self._plan_id, self._attempts, self._longest = tree.get("plan_id"), attempts, 0

    def part(self, attempts: Any) -> Part:
        found = Part([], [])
        for path, field, value in foreign_fields.leaves(attempts, ""):
            name, problem = f"{NAME}: {path}", self._problem(field, value)
            role = ("public", "declared") if field in SET else DERIVED
            found.objects.append(nothing(name) if problem else (name, *role))
            if problem:
                rule, what = problem
                found.findings.append(Finding(NAME, None, rule, f"{path}: {brief(what)}", DECLARE))
            elif field in JUDGED | COUNTED | FREE:
                self._known.add(value)
                self._labels.add(value)
                self._longest = max(self._longest, len(str(value)) if field in FREE else 0)
        return found

    def _problem(self, field: str, value: object) -> Problem | None:
        """What one leaf seems to be, and what stands there, where nothing accounts for it."""
        if field in FREE:
            return None
        if field in GIVEN:
            return self._given(unescaped(str(value)))
        if field in COUNTED:
            whole = type(value) is int and 0 <= value <= self._attempts
            return None if whole or value is None else ("unknown", f"{value}, of {self._attempts} attempts")
        if field in JUDGED | SET:
            return self._made(field, value)
        return suspicion(field), value

    def _given(self, text: str) -> Problem | None:
        """Words of a prompt that are neither of the settings, the plan nor an attempt, or a label that was picked."""
        line = self._known.foreign_line(text)
        if line is not None:
            return EXCERPT, line
        label = self._labels.picked(text)
        return None if label is None else (LABEL, label)

    def _made(self, field: str, value: object) -> Problem | None:
        trace = next(traces(str(value)), None)
        if trace is not None:
            return trace
        if field == "plan_id" and self._plan_id is not None and value != self._plan_id:
            return "not as declared", f"{value}, where the plan has {self._plan_id}"
        if field in JUDGED:
            number = self._known.foreign_number(str(value), self._longest)
            return None if number is None else (NUMBER, number)
        return None
