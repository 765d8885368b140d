"""Coq accepts the shipped proofs and nothing weaker: every way around a proof is a finding."""

from pathlib import Path

import pytest

from dpspin_proofs import run
from dpspin_proofs.coq import Finding
from dpspin_proofs.register import Gap, Register, Theorem, theories
from dpspin_proofs.run import Sources
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


def test_all_shipped_theorems_hold_of_the_running_kernel_on_the_axioms_of_the_register(shipped) -> None:
    assert shipped.outcome.findings == ()
    allowed = {theorem.name: set(theorem.axioms) for theorem in shipped.claims.theorems}
    assert set(shipped.outcome.axioms) == set(allowed)
    assert not [name for name, axioms in shipped.outcome.axioms.items() if set(axioms) - allowed[name]]


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
            "Facts.v: line 4",
            "Variable outside a section is an axiom",
        ),
        (sources(CLASSICAL), "Facts.v", "even rests on Classical_Prop.classic"),
        (sources(EVEN.replace("Qed", "Admitted")), "Facts.v: line 5", "the word Admitted may not stand in a source"),
    ],
    ids=["another kernel", "refused", "stale", "missing", "variable", "axiom", "admitted"],
)
def test_every_way_around_a_proof_is_a_finding(coqc: str, given: Sources, place: str, what: str) -> None:
    outcome = run.prove(coqc, given, CLAIMS)
    assert any(finding.place == place and what in finding.what for finding in outcome.findings), outcome.findings


ODD = "From Coq Require Import Classical.\nTheorem odd : forall P : Prop, P \\/ ~ P.\nProof. apply classic. Qed.\n"


@pytest.mark.parametrize("allowed", [(), ("Classical_Prop.classic",)], ids=["no axiom", "the axiom"])
def test_axioms_are_judged_by_what_each_theorem_may_rest_on(coqc: str, allowed: tuple[str, ...]) -> None:
    two = (*CLAIMS.theorems, CLAIMS.theorems[0]._replace(name="odd", axioms=allowed))
    outcome = run.prove(coqc, sources(EVEN + ODD), CLAIMS._replace(theorems=two))
    assert outcome.axioms == {"even": (), "odd": ("Classical_Prop.classic",)}
    what = "odd rests on Classical_Prop.classic"
    assert [finding.what for finding in outcome.findings] == ([] if allowed else [what])


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


def test_settings_of_the_user_do_not_reach_coq(coqc: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COQLIB", str(tmp_path))
    assert run.prove(coqc, sources(EVEN), CLAIMS).findings == ()
