"""The register is complete and true: every theorem of the sources is in it once, with code and tests that exist."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from dpspin_proofs.register import Register, Theorem, read, register, theories

ROOT = Path(__file__).parents[2]
ENTRY = (
    '[[group]]\nfile = "A"\ncode = "dpspin.kernel.clip"\ntests = ["t"]\naxioms = []\ngaps = ["g"]\n'
    '[group.theorems]\nx = "X."\n[[gap]]\nname = "g"\nwhat = "w"\ninstead = "i"\neverywhere = false\n'
)


def stated(sources: dict[str, str]) -> dict[str, str]:
    """Every theorem of the sources, and its file."""
    return {
        name: file
        for file, text in sources.items()
        for name in re.findall(r"^\s*(?:Theorem|Corollary)\s+(\w+)", text, re.MULTILINE)
    }


def exists(code: str) -> bool:
    module, _, name = code.rpartition(".")
    return hasattr(importlib.import_module(module), name)


def is_test(name: str) -> bool:
    file, _, function = name.partition("::")
    if not (ROOT / file).is_file():
        return False
    return function in {
        node.name for node in ast.parse((ROOT / file).read_text()).body if isinstance(node, ast.FunctionDef)
    }


def wrong(claims: Register, sources: dict[str, str]) -> list[str]:
    """Everything in which a register is untrue or incomplete."""
    listed = {theorem.name: theorem.file for theorem in claims.theorems}
    gaps = {gap.name for gap in claims.gaps}
    used = {name for theorem in claims.theorems for name in theorem.gaps} | {
        g.name for g in claims.gaps if g.everywhere
    }
    return [
        *(f"{name}: not in the register" for name in sorted(set(stated(sources)) - set(listed))),
        *(f"{name}: not in {file}.v" for name, file in listed.items() if stated(sources).get(name) != file),
        *(f"{theorem.name}: no {theorem.code}" for theorem in claims.theorems if not exists(theorem.code)),
        *(f"{t.name}: no {test}" for t in claims.theorems for test in t.tests or ("test",) if not is_test(test)),
        *(f"{t.name}: no sentence" for t in claims.theorems if not re.fullmatch(r".{20,180}\.", t.says)),
        *(f"gap {name}" for name in sorted(gaps ^ used)),
    ]


def test_the_register_is_complete_and_true() -> None:
    assert wrong(register(), theories()) == []


def test_no_theorem_about_integers_may_rest_on_an_axiom() -> None:
    assert not [theorem.name for theorem in register().theorems if theorem.axioms]


def test_every_function_of_the_kernel_has_a_theorem() -> None:
    tree = ast.parse((ROOT / "reference/dpspin/kernel.py").read_text())
    functions = {f"dpspin.kernel.{node.name}" for node in tree.body if isinstance(node, ast.FunctionDef)}
    missing = functions - {theorem.code for theorem in register().theorems}
    assert missing == {"dpspin.kernel.total_of", "dpspin.kernel.group_by_user"}, "these are steps of user_sketch"


@pytest.mark.parametrize(
    "change",
    [
        {"name": "clip_limit"},
        {"file": "Sketch"},
        {"code": "dpspin.kernel.clamp"},
        {"tests": ("tests/reference/test_kernel.py::test_nothing",)},
        {"tests": ("tests/reference/test_nowhere.py::test_nothing",)},
        {"tests": ()},
        {"says": "Short."},
        {"gaps": ("luck",)},
    ],
    ids=str,
)
def test_a_planted_untruth_is_found(change: dict[str, object]) -> None:
    claims = register()
    theorems = tuple(t._replace(**change) if t.name == "clip_bound" else t for t in claims.theorems)  # type: ignore[arg-type]
    assert wrong(claims._replace(theorems=theorems), theories())


def test_a_theorem_outside_the_register_is_found() -> None:
    sources = theories() | {"New": "Theorem news : True.\nProof. exact I. Qed.\n"}
    assert wrong(register(), sources) == ["news: not in the register"]


def test_entries_take_the_settings_of_their_group() -> None:
    claims = read(ENTRY.encode())
    assert claims.theorems == (Theorem("x", "A", "dpspin.kernel.clip", "X.", ("t",), (), ("g",)),)
    assert [gap.name for gap in claims.gaps] == ["g"]


def test_the_page_holds_every_sentence_and_gap() -> None:
    page = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
    claims = register()
    rows = [f"| `{t.name}` | `{t.code.removeprefix('dpspin.kernel.')}` | {t.says} |" for t in claims.theorems]
    rows += [f"| {gap.what} | {gap.instead} |" for gap in claims.gaps]
    assert [row for row in rows if row not in page.splitlines()] == []
    assert len(re.findall(r"^\| `", page, re.MULTILINE)) == len(claims.theorems)
