"""Words that replace proofs, the order of sources, what later versions of Coq lack, and what nobody uses."""

import pytest

from dpspin.errors import UsageError
from dpspin_proofs import sources
from dpspin_proofs.register import register, theories

TRANSLATORS = ("PySem", "Kernel")
"""Sources whose definitions the translator uses or writes."""


@pytest.mark.parametrize(
    "line",
    [
        "Axiom a : False.", "Axioms a b : False.", "Parameter p : nat.", "Conjecture c : True.", "admit.",
        "Proof. give_up. Qed.", "Unset Guard Checking.", "#[bypass_check(guard)] Fixpoint f := 0.", "Load other.",
        'Declare ML Module "x".', 'Redirect "f" Print nat.', "Proof. (* fine *) Admitted. (* done *)",
        "Hypothesis h : False.", "Variable v : nat.", "Hypotheses a b : False.", "Context (a : False).",
        "Local Variable v : nat.", "Set Universe Polymorphism.", 'Add LoadPath "x".', "Next Obligations.",
        "Symbol s : nat.", "Rewrite Rule r := s => 0.",
    ],
)  # fmt: skip
def test_words_that_replace_proofs_are_found_at_their_line(line: str) -> None:
    [finding] = sources.forbidden({"A": f"(* Axiom, and\n (* Admitted *) Parameter *)\n{line}\n"})
    assert finding.place == "A.v: line 3"


def test_shipped_sources_hold_no_such_word() -> None:
    assert list(sources.forbidden(theories())) == []


def test_what_a_section_assumes_is_part_of_its_statements_and_no_axiom() -> None:
    text = "Section A.\nVariable n : nat.\nSection B.\nContext (m : nat).\nEnd B.\nEnd A.\nHypothesis h : False.\n"
    assert [finding.place for finding in sources.forbidden({"A": text})] == ["A.v: line 7"]


def test_sources_are_compiled_after_those_they_require() -> None:
    names = sources.order(theories())
    assert names.index("PySem") < names.index("Kernel") < names.index("Records") < names.index("Users")
    with pytest.raises(UsageError, match="B, which is not there"):
        sources.order({"A": "From DPSPIN Require Import B.\n"})
    with pytest.raises(UsageError, match="requires itself"):
        sources.order({"A": "From DPSPIN Require Import B.\n", "B": "From DPSPIN Require Import A.\n"})


def test_shipped_sources_require_nothing_that_later_versions_lack() -> None:
    assert list(sources.gone(theories())) == []


def test_a_required_file_that_a_later_version_lacks_is_found() -> None:
    lines = [
        "(* From Coq Require Import Lt. *)",
        "From Coq Require Import ZArith Arith.Le.",
        "From Coq Require Ndigits.",
    ]
    text = "\n".join(lines)
    assert [(finding.place, finding.what) for finding in sources.gone({"A": text})] == [
        ("A.v: line 2", "Coq 8.19 has no Arith.Le"),
        ("A.v: line 3", "Coq 8.20 has no Ndigits"),
    ]


def test_every_shipped_statement_is_used_or_cited() -> None:
    cited = frozenset(theorem.name for theorem in register().theorems)
    assert [name for name in sources.unused(theories(), cited) if not name.startswith(TRANSLATORS)] == []


def test_an_unused_lemma_is_found() -> None:
    text = "Lemma a : True.\nProof. exact I. Qed.\nLemma b : True. (* a *)\nProof. exact I. Qed.\nLemma c : True.\n"
    assert sources.unused({"A": text + "Proof. apply b. Qed.\n"}, frozenset({"c"})) == ["A.a"]
