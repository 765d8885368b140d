"""The tables of docs/proofs.md, from the register: the page cannot say more than what is registered."""

import re
from collections.abc import Callable, Mapping, Sequence

from dpspin_proofs.register import Register

REALS = (
    "Classical_Prop.classic", "ClassicalDedekindReals.sig_forall_dec", "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
)  # fmt: skip
"""The axioms of Coq's library of real numbers, "reals" on the page."""


def filled(page: str, register: Register) -> str:
    """A page with the tables between its marks written anew."""
    tables: Mapping[str, Callable[[Register], str]] = {"theorems": theorems, "statements": statements, "gaps": gaps}
    return re.sub(
        r"(<!-- (\w+) from claims\.toml -->\n\n).*?(\n<!-- end -->)",
        lambda found: f"{found.group(1)}{tables[found.group(2)](register)}{found.group(3)}",
        page,
        flags=re.DOTALL,
    )


def theorems(register: Register) -> str:
    """Every theorem with what it is about, in words, and its axioms."""
    rows = [(f"`{one.name}`", f"`{_short(one.code)}`", one.says, _resting(one.axioms)) for one in register.theorems]
    return _table(("theorem", "about", "in words", "axioms"), rows)


def statements(register: Register) -> str:
    """Every statement of the paper and the specification, and what establishes it."""
    rows = []
    for each in register.statements:
        shown = ", ".join(f"`{name}`" for name in each.theorems)
        by = "; ".join(part for part in (shown, each.source) if part)
        rows.append((each.name, each.section, each.says, ", ".join(f"`{_short(code)}`" for code in each.code), by))
    return _table(("statement", "section", "in words", "code", "established by"), rows)


def gaps(register: Register) -> str:
    """Everything that no theorem covers, and what stands in its place."""
    return _table(("not covered", "instead"), [(gap.what, gap.instead) for gap in register.gaps])


def _resting(axioms: tuple[str, ...]) -> str:
    return "reals" if axioms == REALS else ", ".join(f"`{one}`" for one in axioms) or "none"


def _short(code: str) -> str:
    return code.removeprefix("dpspin.").removeprefix("kernel.")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)
