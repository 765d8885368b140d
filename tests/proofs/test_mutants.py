"""Harmful edits of the kernel: each changes what it computes, and each is refused by the translator or by a proof.

The translation of the edited kernel is compiled, so that no edit is refused for being stale alone.  `make deep` runs
this; it takes minutes.
"""

import os
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dpspin import kernel
from dpspin_proofs import differential, run
from dpspin_proofs.extract import signatures
from dpspin_proofs.register import Register, register, theories
from dpspin_proofs.run import Outcome, Sources
from dpspin_proofs.shapes import Refusal
from dpspin_proofs.translate import translate

SOURCE = Path(kernel.__file__).read_bytes().decode()
PLAN = [(0, 5), (1, 5), (2, 9)]
deep = pytest.mark.skipif(not os.environ.get("DPSPIN_DEEP"), reason="takes minutes: make deep, or set DPSPIN_DEEP=1")


class Edit(NamedTuple):
    """What stands in the kernel, what is put there, and a call that shows the difference."""

    found: str
    planted: str
    call: str
    arguments: tuple[Any, ...]


def claim(kind: int, atom: int, other: int, value: int, plan: list[tuple[int, int]] = PLAN) -> tuple[Any, ...]:
    return (plan, (kind, atom, other, value), 4, 3, 2, 8, [4, 5, 9], 8)


HARMFUL = {
    "rounds up": Edit("value * bound // max(total, 1)", "-(-value * bound // max(total, 1))", "clip", ([1, 1, 1], 2)),
    "rounds to nearest": Edit(
        "value * bound // max(total, 1)",
        "(2 * value * bound + max(total, 1)) // (2 * max(total, 1))",
        "clip",
        ([3, 3], 3),
    ),
    "divides by zero": Edit("// max(total, 1)", "// total", "contribution", ([0, 0], 1, 4)),
    "ties go to the higher atom": Edit(
        "(-values[position], position)", "(-values[position], -position)", "highest", ([1, 1], 1)
    ),
    "keeps the lowest": Edit("(-values[position], position)", "(values[position], position)", "highest", ([1, 2], 1)),
    "keeps one more": Edit("order[:count]", "order[: count + 1]", "highest", ([1, 2], 1)),
    "drops the first": Edit("order[:count]", "order[count:]", "highest", ([1, 2, 3], 1)),
    "lists the lowest first": Edit(
        "    return order[:count]", "    return sorted(order[:count])", "highest", ([1, 2, 3], 2)
    ),
    "clips one too late": Edit("if sum(positive) <= bound:", "if sum(positive) <= bound + 1:", "clip", ([3, 2], 4)),
    "never clips": Edit("return shrink(positive, bound)", "return positive", "clip", ([3, 2], 4)),
    "clips to nothing": Edit(
        "return shrink(positive, bound)", "return [0 for value in positive]", "clip", ([3, 2], 4)
    ),
    "keeps negative entries": Edit(
        "[max(value, 0) for value in vector]", "[value for value in vector]", "clip", ([-3, 2], 4)
    ),
    "clips the largest entry": Edit(
        "if sum(positive) <= bound:", "if max([0, sum(positive[1:])]) <= bound:", "clip", ([9, 2], 4)
    ),
    "contributes to every atom": Edit(
        "max(score, 0) if atom in kept else 0", "max(score, 0)", "contribution", ([1, 2], 1, 4)
    ),
    "contributes negative mass": Edit(
        "max(score, 0) if atom in kept else 0", "score if atom in kept else 0", "contribution", ([-1, 2], 2, 4)
    ),
    "contributes to the first kept atom only": Edit(
        "if atom in kept else 0", "if atom == kept[0] else 0", "contribution", ([1, 2], 2, 4)
    ),
    "forgets to clip": Edit(
        "add([clip(unit, bound) for unit in units], width)", "add(units, width)", "sketch", ([[9]], 4, 1)
    ),
    "clips the sum": Edit(
        "add([clip(unit, bound) for unit in units], width)", "clip(add(units, width), bound)", "sketch",
        ([[4], [4]], 4, 1),
    ),
    "lets the data raise the bound": Edit(
        "[clip(unit, bound) for unit in units]", "[clip(unit, max(bound, len(units))) for unit in units]", "sketch",
        ([[2], [2]], 1, 1),
    ),
    "averages": Edit(
        "sum([vector[atom] for vector in vectors])",
        "sum([vector[atom] for vector in vectors]) // max(len(vectors), 1)",
        "sketch", ([[2], [2]], 4, 1),
    ),
    "absorbs without clipping": Edit("add([total, clip(unit, bound)]", "add([total, unit]", "absorb", ([0], [9], 4)),
    "absorbs twice": Edit(
        "add([total, clip(unit, bound)]", "add([total, clip(unit, bound), clip(unit, bound)]", "absorb", ([0], [1], 4)
    ),
    "forgets the total": Edit("add([total, clip(unit, bound)]", "add([clip(unit, bound)]", "absorb", ([7], [1], 4)),
    "clips records, not users": Edit(
        "sketch(group_by_user(records, width), bound, width)",
        "sketch([vector for owner, vector in records], bound, width)",
        "user_sketch",
        ([(1, [4]), (1, [4])], 4, 1),
    ),
    "counts a user once a record": Edit(
        "sorted(set([owner for owner, vector in records]))", "sorted([owner for owner, vector in records])",
        "user_sketch", ([(1, [1]), (1, [1])], 4, 1),
    ),
    "adds others' records": Edit(
        "if owner == user", "if owner <= user", "user_sketch", ([(1, [1]), (2, [1])], 4, 1)
    ),
    "compares below the margin": Edit(
        "left - right >= max(margin, 1)", "left - right >= max(margin - 1, 1)", "compare", (4, 2, 3)
    ),
    "compares equals": Edit("left - right >= max(margin, 1)", "left - right >= margin", "compare", (2, 2, 0)),
    "rounds halves up": Edit("        return floor - 1\n", "        return floor\n", "rounded", (1, 2, 1)),
    "leaves a cut out": Edit("cut * denominator <=", "cut * denominator <", "support_bin", (4, 0, 8, [4], 8)),
    "bins noise": Edit("if mass <= floor:", "if mass < floor:", "support_bin", (4, 4, 8, [4], 8)),
    "breaks rank ties upwards": Edit("name < atom", "name > atom", "rank_of", (PLAN, 0)),
    "ranks from zero": Edit("return 1 + len(ahead)", "return len(ahead)", "rank_of", (PLAN, 2)),
    "admits what is released twice": Edit(
        "if name == atom]) == 1", "if name == atom]) >= 1", "is_admitted", ([(1, 2), (1, 3)], 1)
    ),
    "compares with what is not released": Edit(
        "if kind == COMPARISON and is_admitted(plan, other):", "if kind == COMPARISON:", "claim_supported",
        claim(5, 0, 7, 0),
    ),
    "supports unknown kinds": Edit(
        "< margin\n    return False", "< margin\n    return True", "claim_supported", claim(9, 0, 0, 0)
    ),
    "supports a mass nearby": Edit(
        "return value == rounded(own, unit, other)", "return abs(value - rounded(own, unit, other)) <= 1",
        "claim_supported", claim(2, 2, 1, 3),
    ),
    "calls the margin similar": Edit(
        "mass_of(plan, other)) < margin", "mass_of(plan, other)) <= margin", "claim_supported",
        claim(6, 0, 2, 0, [(0, 5), (2, 8)]),
    ),
    "divides truly": Edit("// max(total, 1)", "/ max(total, 1)", "clip", ([3, 2], 4)),
    "takes a list for a truth value": Edit("if sum(positive) <= bound:", "if positive:", "clip", ([3, 2], 4)),
    "changes its argument": Edit(
        "    kept = highest(scores, max_atoms)\n", "    scores.sort()\n    kept = highest(scores, max_atoms)\n",
        "contribution", ([2, 1], 1, 4),
    ),
}  # fmt: skip


def edited(edit: Edit) -> str:
    assert SOURCE.count(edit.found) == 1, edit.found
    return SOURCE.replace(edit.found, edit.planted)


@cache
def scope_of(source: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(compile(source, "kernel.py", "exec"), scope)
    return scope


def computed(source: str, edit: Edit) -> object:
    try:
        return repr(scope_of(source)[edit.call](*deepcopy(edit.arguments)))
    except differential.RAISES as error:
        return type(error)


FILES = ("PySem", "Vectors", "Kernel", "PyFacts", "Records", "Recovery", "Sketch", "Users", "Plan")
INTEGERS = {name: theories()[name] for name in FILES}
CITED = Register(tuple(theorem for theorem in register().theorems if theorem.file in INTEGERS), ())
"""The theorems about integers, which all the others build on: what they refuse is refused."""


def judged(coqc: str, source: str) -> Outcome:
    try:
        translation = translate(source, "kernel.py")
    except Refusal:
        translation = ""
    return run.prove(coqc, Sources(source.encode(), INTEGERS | {"Kernel": translation}), CITED)


@pytest.mark.parametrize("edit", HARMFUL.values(), ids=HARMFUL.keys())
def test_the_edit_does_harm(edit: Edit) -> None:
    assert computed(edited(edit), edit) != computed(SOURCE, edit)


@deep
@pytest.mark.parametrize("edit", HARMFUL.values(), ids=HARMFUL.keys())
def test_the_edit_is_refused(coqc: str, edit: Edit) -> None:
    findings = judged(coqc, edited(edit)).findings
    assert findings
    assert not any("not the translation" in finding.what for finding in findings[:1])


class Harmless(NamedTuple):
    """An edit that changes no value, and the file in which a proof then needs another line; None for no file."""

    found: str
    planted: str
    repaired: str | None


HARMLESS = {
    "a comment": Harmless("    kept = highest(", "    # the K highest\n    kept = highest(", None),
    "another name": Harmless("twice", "doubled", None),
    "a stream for a list": Harmless(
        "sum([vector[atom] for vector in vectors])", "sum(vector[atom] for vector in vectors)", None
    ),
    "operands exchanged": Harmless("max(total, 1)", "max(1, total)", "Records"),
    "a test turned round": Harmless("if mass <= floor:", "if floor >= mass:", "Plan"),
}


@pytest.mark.parametrize("edit", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_harmless_edit_changes_no_value(edit: Harmless) -> None:
    source = SOURCE.replace(edit.found, edit.planted)
    assert source != SOURCE
    calls = [Edit("", "", call.name, call.arguments) for call in differential.calls(signatures(SOURCE), 2000, 3)]
    assert [call for call in calls if computed(source, call) != computed(SOURCE, call)] == []


@deep
@pytest.mark.parametrize("edit", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_harmless_edit_needs_a_new_translation_and_at_most_a_new_proof(coqc: str, edit: Harmless) -> None:
    source = SOURCE.replace(edit.found, edit.planted)
    findings = judged(coqc, source).findings
    assert [finding.place.split(".v")[0] for finding in findings] == ([edit.repaired] if edit.repaired else [])


def test_the_page_counts_the_edits() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs/proofs.md").read_text(encoding="utf-8").split())
    assert f"applies {len(HARMFUL)} harmful edits" in page
    alone = sum(edit.repaired is None for edit in HARMLESS.values())
    assert f"Of {len(HARMLESS)} harmless edits, {alone} need nothing" in page
    assert all(f"| {name} |" in page for name in HARMLESS)
