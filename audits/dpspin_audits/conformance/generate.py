"""Writes the shipped vectors: `python -m dpspin_audits.conformance.generate ROOT`, the same bytes at every run.

ROOT is a checkout: the texts that verifiers are examined on stand in its tests.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from dpspin import canonical
from dpspin.errors import DpspinError
from dpspin_audits import files
from dpspin_audits.conformance import kernel_inputs, number_inputs, steps, text_inputs
from dpspin_audits.conformance.draft import NOTES, Draft
from dpspin_audits.conformance.suite import FOLDER, SCHEMA

SEED = 20261201
EXAMINATION = "tests/reference/decoder"
OWN = {
    name: maker
    for module in (kernel_inputs, number_inputs)
    for name, maker in vars(module).items()
    if name in steps.STEPS and callable(maker)
}
"""Steps whose inputs need nothing but a source of random numbers."""


def vectors(examination: str, plans: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every file.

    Args:
        examination: JSON Lines of texts to be judged.
        plans: JSON Lines of the plans that they are about.
    """
    for name in steps.STEPS:
        random = Random(f"{SEED} {name}")  # noqa: S311 - public test inputs
        yield f"{name}.json", _file(name, _groups(name, random, examination, plans))


Group = tuple[str, Mapping[str, Any], Iterable[Draft]]


def _groups(name: str, random: Random, examination: str, plans: str) -> Iterator[Group]:
    known = {row["name"]: row["plan"] for row in text_inputs.rows(plans)}
    if name in ("verdict", "fallback"):
        texts = text_inputs.rows(examination)
        for plan, tree in known.items():
            about = text_inputs.verdict([row for row in texts if row["plan"] == plan])
            yield plan, {"plan": tree}, about if name == "verdict" else [Draft("whole text", {}, ("Wording",))]
    elif name == "canonical":
        yield "texts", {}, text_inputs.canonical(random)
    elif name == "transcript":
        yield "objects", {}, text_inputs.transcript(random)
    elif name == "transcript_rows":
        chained = steps.answer("transcript", {"objects": text_inputs.OBJECTS})
        yield "chains", {}, text_inputs.transcript_rows(chained)
    elif name in ("rank_of", "mass_of", "is_admitted"):
        yield "small plans", {}, kernel_inputs.of_plan(random)
    else:
        yield "edge cases, then random ones", {}, OWN[name](random)


def _file(name: str, groups: Iterable[Group]) -> bytes:
    number, made, used = 0, [], set()
    for comment, shared, drafts in groups:
        cases = []
        for draft in drafts:
            number += 1
            used |= set(draft.flags)
            cases.append(_case(name, number, draft, shared))
        made.append({"comment": comment, "shared": shared, "cases": cases})
    notes = {flag: NOTES[flag] for flag in sorted(used)}
    return canonical.dumps({"schema": SCHEMA, "function": name, "notes": notes, "groups": made})


def _case(name: str, number: int, draft: Draft, shared: Mapping[str, Any]) -> dict[str, Any]:
    case = {"id": number, "comment": draft.comment, "flags": list(draft.flags), "input": draft.input}
    try:
        output = steps.answer(name, {**shared, **draft.input})
    except DpspinError:
        return case | {"result": "invalid"}
    lenient = "Optional" in draft.flags or "Wording" in draft.flags
    return case | {"result": "acceptable" if lenient else "valid", "output": output}


if __name__ == "__main__":
    root = Path(sys.argv[1])
    sources = (root / EXAMINATION / f"examination{end}.jsonl" for end in ("", "_plans"))
    target = root / "audits" / "dpspin_audits" / FOLDER
    for file, data in vectors(*(source.read_text(encoding="utf-8") for source in sources)):
        files.write(target / file, data)
