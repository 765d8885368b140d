"""Coq accepts the shipped proofs and nothing weaker: every way around a proof is a finding."""

import json
import re
from pathlib import Path

import pytest

from dpspin.errors import UsageError
from dpspin_proofs import run
from dpspin_proofs.register import Gap, Register, Theorem, register, theories
from dpspin_proofs.run import Finding, Outcome, Sources
from dpspin_proofs.translate import translate

KERNEL = "def double(a: int) -> int:\n    return 2 * a\n"
HEAD = "From Coq Require Import ZArith Lia.\nFrom DPSPIN Require Import PySem Kernel.\nOpen Scope Z_scope.\n"
EVEN = "Theorem even a : double a mod 2 = 0.\nProof. unfold double. rewrite Z.mul_comm. apply Z.mod_mul. lia. Qed.\n"
CLAIMS = Register(
    (Theorem("even", "Facts", "dpspin.kernel.clip", "Twice a number is even.", ("t",), (), ()),),
    (Gap("luck", "chance", "tests", everywhere=True),),
)


def sources(facts: str, kernel: str = KERNEL, translation: str | None = None) -> Sources:
    text = translate(kernel, "kernel.py") if translation is None else translation
    return Sources(kernel.encode(), {"PySem": theories()["PySem"], "Kernel": text, "Facts": HEAD + facts})


@pytest.fixture(scope="module")
def shipped(coqc: str) -> Outcome:
    return run.prove(coqc, Sources(run.running_kernel(), theories()), register())


def test_all_shipped_theorems_hold_of_the_running_kernel_without_any_axiom(shipped: Outcome) -> None:
    assert shipped.findings == ()
    assert shipped.axioms == {theorem.name: () for theorem in register().theorems}


def test_the_certificate_names_the_kernel_the_theorems_and_the_gaps(shipped: Outcome) -> None:
    data = json.loads(run.certificate(shipped, register()))
    assert data["verdict"] == "pass"
    assert data["kernel_sha256"] in theories()["Kernel"]
    assert {row["name"] for row in data["theorems"]} == set(shipped.axioms)
    assert len(data["gaps"]) == len(register().gaps)
    assert set(data["sources"]) == {f"{name}.v" for name in theories()}
    assert {"translate.py", "claims.toml"} <= set(data["trusted"])
    assert re.fullmatch(r"\d+\.\d+.*", data["coq"])


def test_a_small_kernel_passes(coqc: str) -> None:
    outcome = run.prove(coqc, sources(EVEN), CLAIMS)
    assert (outcome.findings, outcome.axioms) == ((), {"even": ()})


CLASSICAL = (
    "From Coq Require Import Classical.\nTheorem even : forall P : Prop, P \\/ ~ P.\nProof. apply classic. Qed.\n"
)


@pytest.mark.parametrize(
    ("given", "place", "what"),
    [
        (
            sources(EVEN, "def double(a: int) -> int:\n    return 2 * a + 1\n"),
            "Facts.v: line 5",
            "even does not hold: ",
        ),
        (sources(EVEN, "def double(a: int) -> int:\n    return 2 / a\n", ""), "kernel.py: line 2", "operators are"),
        (sources(EVEN, translation=translate(KERNEL + "\n", "kernel.py")), "Kernel.v", "not the translation"),
        (sources(EVEN.replace("even", "odd")), "Together.v: line 2", "does not hold: "),
        (
            sources("Variable lucky : False.\nTheorem even : False.\nProof. exact lucky. Qed.\n"),
            "Facts.v",
            "even rests on ",
        ),
        (sources(CLASSICAL), "Facts.v", "even rests on Classical_Prop.classic"),
        (sources(EVEN.replace("Qed", "Admitted")), "Facts.v: line 5", "the word Admitted may not stand in a source"),
    ],
    ids=["another kernel", "refused", "stale", "missing", "variable", "axiom", "admitted"],
)
def test_every_way_around_a_proof_is_a_finding(coqc: str, given: Sources, place: str, what: str) -> None:
    outcome = run.prove(coqc, given, CLAIMS)
    assert any(finding.place == place and what in finding.what for finding in outcome.findings), outcome.findings


@pytest.mark.parametrize(
    "line",
    [
        "Axiom a : False.", "Axioms a b : False.", "Parameter p : nat.", "Conjecture c : True.", "admit.",
        "Proof. give_up. Qed.", "Unset Guard Checking.", "#[bypass_check(guard)] Fixpoint f := 0.", "Load other.",
        'Declare ML Module "x".', 'Redirect "f" Print nat.', "Proof. (* fine *) Admitted. (* done *)",
    ],
)  # fmt: skip
def test_words_that_replace_proofs_are_found_at_their_line(line: str) -> None:
    [finding] = run.forbidden({"A": f"(* Axiom, and\n (* Admitted *) Parameter *)\n{line}\n"})
    assert finding.place == "A.v: line 3"


def test_shipped_sources_hold_no_such_word() -> None:
    assert list(run.forbidden(theories())) == []


def test_unproved_and_unallowed_are_told_apart() -> None:
    two = CLAIMS._replace(theorems=(CLAIMS.theorems[0], CLAIMS.theorems[0]._replace(name="odd", axioms=("classic",))))
    assert run.judge(two, {"even": (), "odd": ("classic",)}) == []
    assert run.judge(two, {"even": ("classic",)}) == [
        Finding("Facts.v", "even rests on classic"),
        Finding("Facts.v", "odd was not proved"),
    ]


def test_what_coq_prints_is_read_as_axioms() -> None:
    said = (
        "@a\nClosed under the global context\n@b\nAxioms:\nClassical_Prop.classic : forall P : Prop,\n  P \\/ ~ P\n"
        "lucky\n  : False\n@c\nsomething new\n"
    )
    found = run.axioms_in(said)
    assert found == {"a": (), "b": ("Classical_Prop.classic", "lucky"), "c": ("something new",)}


def test_sources_are_compiled_after_those_they_require() -> None:
    names = run.order(theories())
    assert names.index("PySem") < names.index("Kernel") < names.index("Records") < names.index("Users")
    with pytest.raises(UsageError, match="B, which is not there"):
        run.order({"A": "From DPSPIN Require Import B.\n"})
    with pytest.raises(UsageError, match="requires itself"):
        run.order({"A": "From DPSPIN Require Import B.\n", "B": "From DPSPIN Require Import A.\n"})


def test_settings_of_the_user_do_not_reach_coq(coqc: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COQLIB", str(tmp_path))
    assert run.prove(coqc, sources(EVEN), CLAIMS).findings == ()
