"""The catalogue: read from docstrings, complete, and the page in the documentation is what it gives."""

import re
from pathlib import Path

import pytest

from dpspin_audits.zoo import catalogue, matrix
from dpspin_audits.zoo.catalogue import Member, member, members, page
from dpspin_audits.zoo.costs import COSTS
from dpspin_audits.zoo.matrix import Hit, Row

ROOT = Path(__file__).parents[3]
DOCSTRING = '''"""Fault: one thing that
is wrong | odd.

It needs an explanation.

Stands for: a bug; another one.
Caught by: rng, canary.
Deployment: unit user, missing own_unit.
Needs: new processes.
"""
'''


FOUND = {"rng": 3, "canary": 3, "budget": 1}


def row_of(name, heading, shown):
    """The cells of a row behind its name, in the table under a heading."""
    part = shown.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    row = next(line for line in part.splitlines() if line.startswith(f"| `{name}` |"))
    return [cell.strip() for cell in row.strip("|").split("|")][1:]


def test_a_docstring_is_read():
    assert member("odd", DOCSTRING) == Member(
        name="odd",
        kind="Fault",
        what="one thing that is wrong | odd.",
        background="a bug; another one.",
        caught_by=("rng", "canary"),
        terms=(("unit", "user"), ("missing", "own_unit")),
        processes=True,
    )
    assert member("steps", '"""A release in steps.\n\nNote: nothing of that kind."""') is None


def test_the_page_is_the_one_in_the_documentation():
    assert (ROOT / "docs/zoo.md").read_text(encoding="utf-8") == page(members(), matrix.read())


def test_the_page_does_not_depend_on_the_order_of_files(monkeypatch, tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.py").write_text(DOCSTRING)
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    assert [one.name for one in members()] == ["a", "b"]
    hits = {name: Hit(times, ("exact",), dict.fromkeys(matrix.SPENT, 1500)) for name, times in FOUND.items()}
    shown = page(members(), {"a": Row(3, hits), "b": Row(2, {"rng": hits["rng"]._replace(times=2)})})
    assert "wrong \\| odd" in shown
    signs = dict(zip(catalogue.COLUMNS, row_of("a", "Fault by check", shown), strict=True))
    assert {name: sign for name, sign in signs.items() if sign} == {"rng": "**●**", "canary": "●", "budget": "○"}
    assert row_of("b", "What a hit cost", shown) == ["rng", "exact", "1,500", "1,500", "1.5"]
    assert "2 to 3 of each member" in shown
    assert row_of("rng", "Checks", shown)[-3:] == ["2", "2", "`b`"]


@pytest.mark.parametrize("one", members(), ids=lambda one: one.name)
def test_a_member_says_what_it_is(one):
    assert re.fullmatch(r"[^.]+(?:\.\S[^.]*)*\.", one.what), "one sentence"
    assert one.background.endswith(".")
    assert (one.kind == "Fault") == bool(one.caught_by)
    assert set(one.caught_by) <= set(COSTS)
    assert {field for field, _ in one.terms} <= {
        "unit", "mechanism", "adjacency", "epsilon", "bound", "share", "rate", "missing",
    }  # fmt: skip


def test_every_row_about_implementations_is_there():
    told = " ".join(one.background for one in members() if one.kind != "Correct")
    rows = {int(n) for listed in re.findall(r"section 8, rows? ([\d, and]+)", told) for n in re.findall(r"\d+", listed)}
    assert rows >= {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 19, 21, 22, 23, 24}
