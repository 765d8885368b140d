"""docs/proofs.md says what the register says: its tables are written from it."""

import os
from pathlib import Path

from dpspin_proofs import page
from dpspin_proofs.register import Gap, Register, Statement, Theorem, register

PAGE = Path(__file__).parents[2] / "docs/proofs.md"
SMALL = Register(
    (
        Theorem("even", "Facts", "dpspin.kernel.clip", "Twice | is even.", ("t",), ("Reals.up", "classic"), ()),
        Theorem("odd", "Facts", "dpspin.kernel.clip", "One is odd.", ("t",), page.REALS, ()),
    ),
    (Gap("luck", "chance", "tests", everywhere=True),),
    (
        Statement("Lemma 1", "2.3", "at", "It holds.", ("dpspin.plan.build",), ("even",), "on paper: us", ("t",), ()),
        Statement("Lemma 2", "2.4", "at", "So does it.", ("dpspin.kernel.add",), (), "an assumption", ("t",), ()),
    ),
)


def test_tables_are_written_between_their_marks_and_nothing_else_changes() -> None:
    marks = [
        f"<!-- {name} from claims.toml -->\n\nold\nrows\n\n<!-- end -->\n"
        for name in ("theorems", "statements", "gaps")
    ]
    theorem = (
        "| theorem | about | in words | axioms |\n| --- | --- | --- | --- |\n"
        "| `even` | `clip` | Twice \\| is even. | `Reals.up`, `classic` |\n| `odd` | `clip` | One is odd. | reals |\n"
    )
    statement = (
        "| statement | section | in words | code | established by |\n| --- | --- | --- | --- | --- |\n"
        "| Lemma 1 | 2.3 | It holds. | `plan.build` | `even`; on paper: us |\n"
        "| Lemma 2 | 2.4 | So does it. | `add` | an assumption |\n"
    )
    gap = "| not covered | instead |\n| --- | --- |\n| chance | tests |\n"
    written = page.filled(f"# Page\n{'text'.join(marks)}end", SMALL)
    expected = [m.replace("old\nrows\n", made) for m, made in zip(marks, (theorem, statement, gap), strict=True)]
    assert written == f"# Page\n{'text'.join(expected)}end"
    assert page.filled(written, SMALL) == written


def test_the_page_is_what_the_register_makes_of_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    made = page.filled(text, register())
    if os.environ.get("DPSPIN_REGENERATE"):
        PAGE.write_text(made, encoding="utf-8")
        text = made
    assert text == made
    assert all(f"| `{theorem.name}` |" in text for theorem in register().theorems)
    assert all(gap.what in text for gap in register().gaps)
    assert all(f"| {statement.name} |" in text for statement in register().statements)
