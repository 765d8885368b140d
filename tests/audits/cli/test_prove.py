"""`dpspin prove`: the table, the gaps, the certificate and every exit code."""

import json

import pytest

from dpspin_audits.cli import prove
from dpspin_proofs import run
from dpspin_proofs.register import register, theories
from dpspin_proofs.run import Finding, Outcome


@pytest.fixture
def answer(monkeypatch):
    """Let Coq be there and answer with these findings; the sources that it is asked about."""
    asked = []

    def answering(*findings, **axioms):
        known = {theorem.name: () for theorem in register().theorems} | axioms
        kept = {name: axioms for name, axioms in known.items() if axioms is not None}

        def told(coqc, sources, claims):
            asked.append((coqc, sources, claims))
            return Outcome("8.16.1", "ab" * 32, dict.fromkeys(theories(), "cd"), kept, findings)

        monkeypatch.setattr(run, "compiler", lambda: "coqc")
        monkeypatch.setattr(run, "prove", told)
        monkeypatch.setenv("COLUMNS", "200")
        return asked

    return answering


def test_every_theorem_is_shown_with_its_axioms_and_all_gaps(dpspin, answer):
    asked = answer()
    shown = dpspin("prove")
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert all(theorem.name in text for theorem in register().theorems)
    assert "A clipped vector totals at most the bound" in text
    assert text.count("│ none │") == len(register().theorems)
    assert "what no theorem covers" in text
    assert text.count("every theorem") == sum(gap.everywhere for gap in register().gaps)
    assert f"verdict: pass ({len(register().theorems)} theorems, Coq 8.16.1, kernel.py {'ab' * 32})" in text
    assert asked == [("coqc", run.Sources(run.running_kernel(), theories()), register())]


def test_a_finding_is_shown_and_exits_1(dpspin, answer):
    answer(Finding("Records.v: line 7", "clip_bound does not hold: no"), clip_bound=None, clip_loss=("classic",))
    shown = dpspin("prove")
    assert shown.code == 1
    assert "Records.v: line 7: clip_bound does not hold: no" in shown.out
    assert "not proved" in shown.out
    assert "classic" in shown.out
    assert "verdict: fail" in shown.out


@pytest.mark.parametrize(("findings", "verdict"), [((), "pass"), ((Finding("A.v", "x"),), "fail")])
def test_the_certificate_is_written_either_way(dpspin, answer, tmp_path, findings, verdict):
    answer(*findings)
    dpspin("prove", "--certificate", tmp_path / "proofs.json")
    tree = json.loads((tmp_path / "proofs.json").read_bytes())
    assert (tree["schema"], tree["verdict"], len(tree["findings"])) == (run.SCHEMA, verdict, len(findings))


@pytest.mark.parametrize(("ci", "code"), [(None, 3), ("", 3), ("false", 3), ("true", 1), ("1", 1)])
def test_without_coq_it_says_what_to_install(dpspin, monkeypatch, ci, code):
    monkeypatch.setattr(run, "compiler", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    shown = dpspin("prove")
    assert (shown.code, shown.out) == (code, "")
    assert shown.err == "dpspin: Coq was not found: install it (on Debian: apt-get install coq)\n"


def test_renewing_writes_the_translation_of_the_running_kernel(dpspin, answer, monkeypatch, tmp_path):
    (tmp_path / "theories").mkdir()
    (tmp_path / "theories" / "Kernel.v").write_text("old")
    monkeypatch.setattr(prove, "PACKAGE", tmp_path)
    answer()
    assert dpspin("prove", "--renew").code == 0
    assert (tmp_path / "theories" / "Kernel.v").read_bytes().decode() == theories()["Kernel"]
