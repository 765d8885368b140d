"""`dpspin prove`: the table, the gaps, the ties to Python, the certificate and every exit code."""

import json

import pytest

from dpspin.corpus import embedded
from dpspin_audits.cli import prove
from dpspin_proofs import certificate, coq, extract, instantiate, run
from dpspin_proofs.coq import Finding
from dpspin_proofs.differential import Compared
from dpspin_proofs.register import register, theories
from dpspin_proofs.run import Outcome

AGREED = Compared(20_000, 900, ())
STATED = [*(theorem.name for theorem in register().theorems), "deployment_sensitivity", "deployment_plan"]


@pytest.fixture
def answer(monkeypatch):
    """Let Coq be there and answer with these findings; the sources that it is asked about."""
    asked = []

    def answering(*findings, compared=AGREED, **axioms):
        def told(coqc, sources, claims, recheck):
            asked.append((coqc, sources, claims, recheck))
            known = {theorem.name: () for theorem in claims.theorems} | axioms
            kept = {name: axioms for name, axioms in known.items() if axioms is not None}
            return Outcome("8.16.1", "ab" * 32, dict.fromkeys(sources.theories, "cd"), kept, findings, recheck)

        monkeypatch.setattr(coq, "compiler", lambda: "coqc")
        monkeypatch.setattr(run, "prove", told)
        monkeypatch.setattr(extract, "builder", lambda: "ocamlopt" if compared else None)
        if compared:
            monkeypatch.setattr(extract, "build", lambda *_: "program")
            monkeypatch.setattr(prove.differential, "compare", lambda *_: compared)
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.delenv("CI", raising=False)
        return asked

    return answering


def test_every_theorem_is_shown_with_its_axioms_and_all_gaps(dpspin, answer):
    asked = answer()
    shown = dpspin("prove")
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert all(name in text for name in STATED)
    assert "A clipped vector totals at most the bound" in text
    assert text.count("│ none │") == len(STATED)
    assert "what no theorem covers" in text
    assert text.count("every theorem") == sum(gap.everywhere for gap in register().gaps)
    assert "20000 of 20000 calls agree in Python and extracted Coq; 900 of them raise" in text
    assert f"verdict: pass ({len(STATED)} theorems, Coq 8.16.1, kernel.py {'ab' * 32})" in text
    [(coqc, sources, claims, recheck)] = asked
    assert (coqc, sources.kernel, recheck) == ("coqc", run.running_kernel(), False)
    assert set(sources.theories) == {*theories(), instantiate.FILE}
    assert [theorem.name for theorem in claims.theorems] == STATED


def test_a_deployment_brings_its_own_numbers(dpspin, answer, tmp_path):
    for name, data in embedded.files(embedded.USER).items():
        (tmp_path / name).write_bytes(data)
    asked = answer()
    shown = dpspin("prove", "--deployment", tmp_path / "laplace-users-replacement.yaml", "--coqchk")
    assert shown.code == 0
    assert "4194304 in total, and 8796093022208 in the sum of squares" in " ".join(shown.out.split())
    assert "user_replace" in asked[0][1].theories[instantiate.FILE]
    assert asked[0][3]


def test_a_finding_is_shown_and_exits_1(dpspin, answer):
    answer(Finding("Records.v: line 7", "clip_bound does not hold: no"), clip_bound=None, clip_loss=("classic",))
    shown = dpspin("prove")
    assert shown.code == 1
    assert "Records.v: line 7: clip_bound does not hold: no" in shown.out
    assert "not proved" in shown.out
    assert "classic" in shown.out
    assert "verdict: fail" in shown.out


def test_a_difference_between_python_and_coq_is_a_finding(dpspin, answer):
    answer(compared=AGREED._replace(differences=("clip([1], 2): Python '0', Coq '1 1 1'", "other")))
    shown = dpspin("prove")
    assert shown.code == 1
    assert "19998 of 20000 calls agree" in shown.out
    assert "extraction: clip([1], 2): Python '0', Coq '1 1 1'" in shown.out


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_ocaml_it_says_what_was_not_compared(dpspin, answer, monkeypatch, ci, code):
    answer(compared=None)
    monkeypatch.setenv("CI", ci)
    shown = dpspin("prove")
    assert shown.code == code
    assert prove.OCAML in shown.out


@pytest.mark.parametrize(("findings", "verdict"), [((), "pass"), ((Finding("A.v", "x"),), "fail")])
def test_the_certificate_is_written_either_way(dpspin, answer, tmp_path, findings, verdict):
    answer(*findings)
    dpspin("prove", "--certificate", tmp_path / "proofs.json", "--coqchk")
    tree = json.loads((tmp_path / "proofs.json").read_bytes())
    assert (tree["schema"], tree["verdict"], len(tree["findings"])) == ("dpspin-proofs/1", verdict, len(findings))
    assert (tree["rechecked"], [row["name"] for row in tree["theorems"]]) == (True, STATED)


@pytest.mark.parametrize(("ci", "code"), [(None, 3), ("", 3), ("false", 3), ("true", 1), ("1", 1)])
def test_without_coq_it_says_what_to_install(dpspin, monkeypatch, ci, code):
    monkeypatch.setattr(coq, "compiler", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    shown = dpspin("prove")
    assert (shown.code, shown.out) == (code, "")
    assert shown.err == "dpspin: Coq was not found: install it (on Debian: apt-get install coq)\n"


@pytest.mark.parametrize("findings", [(), (Finding("A.v", "x"),)], ids=["pass", "fail"])
def test_renewing_writes_the_translation_and_after_a_pass_the_certificate(
    dpspin, answer, monkeypatch, tmp_path, findings
):
    (tmp_path / "theories").mkdir()
    (tmp_path / "theories" / "Kernel.v").write_text("old")
    monkeypatch.setattr(prove, "PACKAGE", tmp_path)
    answer(*findings)
    assert dpspin("prove", "--renew").code == len(findings)
    assert (tmp_path / "theories" / "Kernel.v").read_bytes().decode() == theories()["Kernel"]
    assert (tmp_path / certificate.SHIPPED).exists() == (not findings)


def test_only_the_embedded_deployment_renews(dpspin, answer):
    answer()
    shown = dpspin("prove", "--renew", "--deployment", "other.yaml")
    assert (shown.code, shown.out) == (2, "")
    assert "cannot be used with --deployment" in shown.err
