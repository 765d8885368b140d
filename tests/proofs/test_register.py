"""The register is complete and true: every theorem of the sources is in it once, with code and tests that exist."""

import ast
import importlib
import os
import re
from functools import cache
from pathlib import Path

import pytest

from dpspin_proofs import instantiate
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


@cache
def is_test(name: str) -> bool:
    file, _, function = name.partition("::")
    if not (ROOT / file).is_file():
        return False
    return function in {
        node.name for node in ast.parse((ROOT / file).read_text()).body if isinstance(node, ast.FunctionDef)
    }


def wrong(claims: Register, sources: dict[str, str]) -> list[str]:
    """Everything in which a register is untrue or incomplete."""
    listed, found = {theorem.name: theorem.file for theorem in claims.theorems}, stated(sources)
    gaps = {gap.name for gap in claims.gaps}
    entries = [*claims.theorems, *claims.statements]
    used = {name for entry in entries for name in entry.gaps} | {gap.name for gap in claims.gaps if gap.everywhere}
    codes = [
        (entry.name, code) for entry in entries for code in ([entry.code] if entry in claims.theorems else entry.code)
    ]
    return [
        *(f"{name}: not in the register" for name in sorted(set(found) - set(listed))),
        *(f"{name}: not in {file}.v" for name, file in listed.items() if found.get(name) != file),
        *(f"{name}: no {code}" for name, code in codes if not exists(code)),
        *(f"{entry.name}: no {test}" for entry in entries for test in entry.tests or ("test",) if not is_test(test)),
        *(f"{entry.name}: no sentence" for entry in entries if not re.fullmatch(r".{20,180}\.", entry.says)),
        *(f"{s.name}: no theorem {name}" for s in claims.statements for name in s.theorems if name not in listed),
        *(f"{s.name}: rests on nothing" for s in claims.statements if not s.theorems and not s.source),
        *(f"{s.name}: no code" for s in claims.statements if not s.code),
        *(f"gap {name}" for name in sorted(gaps ^ (used | {instantiate.GAP}))),
    ]


def test_the_register_is_complete_and_true() -> None:
    assert wrong(register(), theories()) == []


INTEGERS = ("Records", "Sketch", "Users", "Plan", "Recovery")


def test_no_theorem_about_integers_may_rest_on_an_axiom() -> None:
    assert not [theorem.name for theorem in register().theorems if theorem.file in INTEGERS and theorem.axioms]


NUMBERED = {
    "Equation (1)": "3.3", "Definition 3.1": "3.1", "Definition 3.2": "3.1", "Definition 3.3": "3.1",
    "Definition 3.4": "3.1", "Assumption 3.5": "3.2", "Definition 3.6": "3.4", "Definition 3.7": "3.4",
    "Proposition 5.1": "5", "Proposition 5.2": "5", "Proposition 5.3": "5", "Proposition 5.4": "5.1",
    "Proposition 5.5": "5.1", "Proposition 5.6": "5.1", "Theorem 5.8": "5.1", "Proposition A.1": "A.2",
    "Proposition A.2": "A.2", "Proposition A.3": "A.3",
}  # fmt: skip
"""The paper's numbered statements and the sections in which they stand; 5.7 is a remark on Proposition 5.6."""
SPEC = (ROOT / "docs/spec.md").read_text(encoding="utf-8")
METRICS = ("- M(S;C) = ", "- Unsupported atom rate", "- Probe atom:", "- **Ground-truth fidelity**", "- All metrics")
"""Items of section 6 that define what is measured, and state nothing."""


def items(spec: str) -> list[str]:
    """Every item of the specification's sections 2 to 6, and their tables."""
    sections = re.split(r"^## (?=\d\. )", spec, flags=re.MULTILINE)
    texts = [text for text in sections if text[:1] in "23456"]
    return [item for text in texts for item in re.split(r"^(?=- )", text, flags=re.MULTILINE)[text[0] not in "25" :]]


def unanswered(claims: Register, spec: str) -> list[str]:
    """Numbered statements and items of the specification that have no entry, and entries that nothing in it says."""
    known = {statement.name: statement.section for statement in claims.statements}
    found = [item for item in items(spec) if not item.startswith(METRICS)]
    return [
        *(name for name, section in NUMBERED.items() if known.get(name) != section),
        *(statement.name for statement in claims.statements if statement.at not in spec),
        *(item[:40] for item in found if not any(statement.at in item for statement in claims.statements)),
    ]


def test_every_numbered_statement_and_every_item_of_the_specification_has_an_entry() -> None:
    names = [statement.name for statement in register().statements]
    assert len(names) == len(set(names)) >= 30
    assert len(items(SPEC)) >= 20
    assert unanswered(register(), SPEC) == []


def test_a_statement_that_is_left_out_is_found() -> None:
    for index, statement in enumerate(register().statements):
        rest = register().statements[:index] + register().statements[index + 1 :]
        if statement.name in NUMBERED:
            assert statement.name in unanswered(register()._replace(statements=rest), SPEC)
    assert unanswered(register(), SPEC.replace("## 7.", "- **News** (D): more.\n## 7.")) == ["- **News** (D): more.\n"]
    assert unanswered(register(), SPEC.replace("**gaussian** (5.5)", "**normal**"))


def test_numbers_that_the_paper_cites_are_listed() -> None:
    paper = Path(os.environ.get("DPSPIN_PAPER", ROOT.parent / "shared/paper.txt"))
    if not paper.is_file():
        pytest.skip("the paper's text is not here: set DPSPIN_PAPER")
    cited = re.findall(
        r"(?:Definition|Proposition|Theorem|Assumption) [A-Z0-9]+\.\d+", paper.read_text(encoding="utf-8")
    )
    assert len(cited) >= 8
    assert set(cited) <= set(NUMBERED)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"code": ("dpspin.kernel.clamp",)}, "no dpspin.kernel.clamp"),
        ({"code": ()}, "no code"),
        ({"theorems": ("clip_limit",)}, "no theorem clip_limit"),
        ({"theorems": (), "source": ""}, "rests on nothing"),
        ({"tests": ()}, "no test"),
        ({"gaps": ("luck",)}, "gap luck"),
        ({"says": "Short."}, "no sentence"),
    ],
    ids=str,
)
def test_an_untrue_entry_of_a_statement_is_found(change: dict[str, object], what: str) -> None:
    first, *rest = register().statements
    claims = register()._replace(statements=(first._replace(**change), *rest))  # type: ignore[arg-type]
    assert any(what in found for found in wrong(claims, theories()))


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
    assert claims.statements == ()
