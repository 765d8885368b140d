"""Coq's programs: findings name a place, warnings count, the user's settings do not, and the second checker is read."""

from pathlib import Path

import pytest

from dpspin_proofs import coq
from dpspin_proofs.register import theories


def summary(axioms: str = " <none>", types: str = "<none>") -> str:
    """What coqchk prints of compiled sources."""
    lines = [
        "", "CONTEXT SUMMARY", "===============", "", "* Theory: Set is predicative", f"* Axioms:{axioms}",
        f"* Constants/Inductives relying on type-in-type: {types}",
        "* Constants/Inductives relying on unsafe (co)fixpoints: <none>",
        "* Inductives whose positivity is assumed: <none>",
    ]  # fmt: skip
    return "\n  \n".join(lines)


def test_what_coq_refuses_is_a_finding_at_its_line(coqc: str, tmp_path: Path) -> None:
    said, finding = coq.compiled(coqc, tmp_path, "A", "\nTheorem a : 0 = 1.\nProof. reflexivity. Qed.\n")
    assert said == ""
    assert finding is not None
    assert finding.place == "A.v: line 3"
    assert finding.what.startswith("a does not hold: ")


def test_a_warning_is_a_finding(coqc: str, tmp_path: Path) -> None:
    text = "Fixpoint f (n : nat) : nat := 0.\n"
    assert coq.compiled(coqc, tmp_path, "A", text, "default")[1] is None
    finding = coq.compiled(coqc, tmp_path, "A", text, "+non-recursive")[1]
    assert finding is not None
    assert "recursive" in finding.what.lower()


def test_shipped_sources_use_no_name_that_this_version_calls_deprecated(coqc: str, tmp_path: Path) -> None:
    if not coq.version(coqc).startswith("8.16"):
        pytest.skip("later versions deprecate names that they keep")
    early = ("PySem", "Vectors", "Kernel", "PyFacts", "Records", "Sketch", "Users", "Recovery")
    assert [coq.compiled(coqc, tmp_path, name, theories()[name], "+default")[1] for name in early] == [None] * len(
        early
    )


def test_settings_of_the_user_do_not_reach_coq(coqc: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COQLIB", str(tmp_path))
    assert coq.compiled(coqc, tmp_path, "A", "Check 0.\n")[1] is None


def test_a_program_that_does_not_answer_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coq, "TIMEOUT", 0.05)
    done = coq.said(["sleep", "5"], tmp_path)
    assert (done.returncode, done.stderr) == (1, "Error: no answer within 0.05 s")


@pytest.mark.parametrize(
    ("seen", "what"),
    [
        (summary(), None),
        (summary("\n    Coq.Logic.Classical_Prop.classic\n    Coq.Reals.Raxioms.up\n"), None),
        (summary("\n    Coq.Logic.Classical_Prop.classic\n    DPSPIN.A.lucky\n"), "found the axiom DPSPIN.A.lucky"),
        (summary(types="DPSPIN.A.big"), "found Constants/Inductives relying on type-in-type"),
        ("something new", "found Constants/Inductives relying on type-in-type"),
    ],
    ids=["clean", "axioms of the library", "axiom of ours", "type in type", "another format"],
)
def test_the_summary_of_the_second_checker_is_read(seen: str, what: str | None) -> None:
    finding = coq.summary_finding(seen)
    assert (finding and finding.what) == what


def test_the_second_checker_reads_compiled_sources(coqc: str, tmp_path: Path) -> None:
    assert coq.compiled(coqc, tmp_path, "A", "Theorem a : 0 = 0.\nProof. reflexivity. Qed.\n")[1] is None
    assert coq.rechecked(tmp_path, ["A"]) is None
    assert coq.compiled(coqc, tmp_path, "B", "Axiom b : False.\n")[1] is None
    found = coq.rechecked(tmp_path, ["A", "B"])
    assert found == coq.Finding("coqchk", "found the axiom DPSPIN.B.b")
    missing = coq.rechecked(tmp_path, ["C"])
    assert missing is not None
