"""The members of the zoo, read from their docstrings, and the page about them.

A docstring says, in paragraphs of one sentence, what a member is (`Fault:`, `Correct:` or `Reported:`), what real thing
a fault stands for (`Stands for:`) or how a correct one is written (`Style:`), which checks are expected to fail on it,
the one it was made for first (`Caught by:`), on which deployment (`Deployment:`, terms and values where it is not the
smallest one), and that the audit must be able to start new processes (`Needs:`).  Which others fail on it, and at what
cost, was measured (`matrix`).

`python -m dpspin_audits.zoo.catalogue docs/zoo.md` writes the page; the same members and the same record give the same
bytes.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpspin_audits.zoo import matrix
from dpspin_audits.zoo.costs import COSTS
from dpspin_audits.zoo.matrix import Matrix

Kind = Literal["Fault", "Correct", "Reported"]
KINDS: tuple[Kind, ...] = ("Fault", "Correct", "Reported")
FOLDER = Path(__file__).parent
FIELD = re.compile(
    r"^([A-Z][a-z]+(?: [a-z]+)?): (.+?)(?=\n[A-Z][a-z]+(?: [a-z]+)?: |\n\n|\Z)", re.MULTILINE | re.DOTALL
)
PLAIN = "record level, one unit more or less, Laplace noise at epsilon 1"
TERMS = {
    "unit user": "user level",
    "adjacency replacement": "replacement",
    "mechanism laplace": "Laplace noise",
    "mechanism gaussian": "Gaussian noise",
    "mechanism top_l": "sparse admission",
    "mechanism top_l_gaussian": "sparse admission, Gaussian values",
    "missing own_unit": "a record without an id is a unit",
}
OPENING = """# The zoo

Faulty and correct implementations that the audit is tried on. A faulty one has one fault and a check that must catch
it; a correct one is written differently from the reference, and no check may accuse it. `tests/audits/zoo` runs them
all. A check that caught nothing which no other check catches would be idle: there is none but
`accounting.certificate`, another program's word on what `accounting.claim` has computed. What an audit needs of an
implementation stands in `dpspin_audits/subject.py`; try one with

```sh
dpspin audit --impl py:dpspin_audits.zoo.noise_halved:subject
```

This page is written by `python -m dpspin_audits.zoo.catalogue docs/zoo.md` from the docstrings of the members and
from `dpspin_audits/zoo/matrix.json`, which holds what whole audits of all members found.
"""
COLUMNS = {name: name.rpartition(".")[2] for name in COSTS}
"""Short names of checks."""
ALWAYS, SOMETIMES = "●", "○"


@dataclass(frozen=True, slots=True)
class Member:
    """One implementation of the zoo."""

    name: str
    """Of its module; the address is `py:dpspin_audits.zoo.NAME:subject`."""
    kind: Kind
    what: str
    """One sentence."""
    background: str
    """Where a fault occurs in the wild; of a correct one, its style."""
    caught_by: tuple[str, ...]
    """Checks that are expected to fail on it, the one it was made for first; none for a correct one."""
    terms: tuple[tuple[str, str], ...]
    """What its deployment has other than the smallest one."""
    processes: bool
    """Whether the expected check needs new processes (`Needs:`), as an audit by the command line has them."""


def members() -> list[Member]:
    """All of them, by name."""
    read = ((path.stem, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.py")))
    return [found for name, source in read if (found := member(name, source)) is not None]


def member(name: str, source: str) -> Member | None:
    """What a module's docstring says; None for a module that is no member."""
    said = {
        field: " ".join(value.split()) for field, value in FIELD.findall(ast.get_docstring(ast.parse(source)) or "")
    }
    kind = next((kind for kind in KINDS if kind in said), None)
    if kind is None:
        return None
    terms = (term.partition(" ") for term in _listed(said.get("Deployment", "")))
    return Member(
        name=name,
        kind=kind,
        what=said[kind],
        background=said.get("Stands for", said.get("Style", "")),
        caught_by=_listed(said.get("Caught by", "")),
        terms=tuple((field, value) for field, _, value in terms),
        processes="Needs" in said,
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.removesuffix(".").split(",") if part.strip())


def page(found: Sequence[Member], record: Matrix) -> str:
    """The page in Markdown."""
    kinds = {kind: [one for one in found if one.kind == kind] for kind in KINDS}
    return "\n".join(
        [
            OPENING,
            f"## Faulty: {len(kinds['Fault'])}\n",
            "The smallest deployment has twelve atoms, of which three are released, protects a record against one more",
            "or less, and adds Laplace noise at epsilon 1.\n",
            *_table(("name", "fault", "stands for", "deployment"), map(_row, kinds["Fault"])),
            "\n## Fault by check\n",
            f"{ALWAYS} in every audit, {SOMETIMES} in some; in bold, the check that the fault was made for. Audits",
            f"were whole, with new processes: {_audits(record)} of each member.\n",
            *_table(("fault", *COLUMNS.values()), (_cells(one, record) for one in kinds["Fault"])),
            "\n## What a hit cost\n",
            "Of the check in bold: what a hit is worth; whole releases and sampled plans that the check took, at most;",
            "and seconds of processor time, which vary.\n",
            *_table(("fault", "check", "strength", "releases", "plans", "seconds"), _hits(kinds["Fault"], record)),
            f"\n## Correct: {len(kinds['Correct'])}\n",
            *_table(("name", "what is different", "style", "deployment"), map(_row, kinds["Correct"])),
            "\n## Reported, not judged\n",
            *_table(("name", "what it does", "stands for"), map(_reported, kinds["Reported"])),
            "\n## Checks\n",
            "What a hit is worth, and what an audit at smoke depth spends on the check, at most: releases of a whole",
            "bundle, and plans that are sampled. Then how many faults were made for it, how many it found in every",
            "audit, and those that no other check found in any.\n",
            *_table(
                ("check", "strength", "releases", "plans", "made for it", "found", "found by it alone"),
                _checks(kinds["Fault"], record),
            ),
            "",
        ]
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _row(one: Member) -> Sequence[str]:
    return f"`{one.name}`", one.what, one.background, deployment(one)


def _audits(record: Matrix) -> str:
    """How many audits there were of each member, in words."""
    least, most = (end(row.audits for row in record.values()) for end in (min, max))
    return str(least) if least == most else f"{least} to {most}"


def _cells(one: Member, record: Matrix) -> Sequence[str]:
    """Check by check, whether it failed on a fault."""
    row = record[one.name]
    signs = {**dict.fromkeys(row.always, ALWAYS), **dict.fromkeys(row.sometimes, SOMETIMES)}
    signs[one.caught_by[0]] = f"**{signs[one.caught_by[0]]}**"
    return f"`{one.name}`", *(signs.get(name, "") for name in COLUMNS)


def _hits(faults: Sequence[Member], record: Matrix) -> Iterator[Sequence[str]]:
    """What the check that a fault was made for spent on it."""
    for one in faults:
        hit = record[one.name].hits[one.caught_by[0]]
        strength = ", ".join(hit.strengths).replace("_", " ")
        spent = (f"{hit.spent['releases']:,}", f"{hit.spent['plans']:,}", f"{hit.spent['cpu_ms'] / 1000:.1f}")
        yield f"`{one.name}`", one.caught_by[0], strength, *spent


def _reported(one: Member) -> Sequence[str]:
    return f"`{one.name}`", one.what, one.background


def deployment(one: Member) -> str:
    """Its deployment in words."""
    return ", ".join(TERMS.get(" ".join(term), " ".join(term)) for term in one.terms) or PLAIN


def _checks(faults: Sequence[Member], record: Matrix) -> Iterator[Sequence[str]]:
    for name, cost in COSTS.items():
        made = sum(one.caught_by[0] == name for one in faults)
        found = sum(name in record[one.name].always for one in faults)
        alone = ", ".join(f"`{fault}`" for fault in matrix.alone(record, name)) or "none"
        yield f"`{name}`", cost.strength, f"{cost.releases:,}", f"{cost.plans:,}", str(made), str(found), alone


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(members(), matrix.read()), encoding="utf-8")
