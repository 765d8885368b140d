"""Theorems are cited for the kernel that ran and for nothing else; a certificate that was changed is a finding."""

import json
from pathlib import Path

import pytest

from dpspin import canonical, kernel, pipeline
from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin_audits.checks import proofs
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_proofs import certificate, instantiate, run
from dpspin_proofs.register import register, theories


@pytest.fixture(scope="module")
def setting():
    """The embedded deployment, at whose numbers the shipped certificate holds theorems."""
    known = embedded.files()
    return pipeline.load(known["deployment.yaml"], "deployment.yaml", known.__getitem__)


@pytest.fixture(scope="module")
def reference(setting):
    return ReferenceSubject(setting)


@pytest.fixture(autouse=True)
def shipped(setting, monkeypatch):
    """Ship what a run that proves everything would write today; give it with changes."""
    made = instantiate.instance(setting.deployment, canonical.digest(setting.deployment_bytes), len(setting.universe))
    claims = register()._replace(theorems=register().theorems + made.theorems)
    sources = {name: canonical.digest(text.encode()) for name, text in theories().items()}
    axioms = {theorem.name: theorem.axioms for theorem in claims.theorems}
    outcome = run.Outcome("8.16.1", canonical.digest(run.running_kernel()), sources, axioms, ())
    data = certificate.written(outcome, claims, made)
    monkeypatch.setattr(certificate, "shipped", lambda: data)

    def changed(**change):
        tree = json.loads(data)
        return json.dumps(tree | {name: value(tree[name]) for name, value in change.items()}).encode()

    return changed


def test_the_shipped_certificate_is_cited_for_the_reference(setting, reference):
    found = proofs.check(reference, setting, None)
    assert (found.status, found.strength) == ("pass", "proved")
    assert found.figures["theorems"] == len(register().theorems) + 2
    assert found.figures["gaps"] == len(register().gaps)
    assert (found.figures["deployment"], found.figures["certificate"]) == ("covered", "shipped")
    assert found.figures["kernel_sha256"] == json.loads(certificate.shipped())["kernel_sha256"]
    assert "not again here" in found.summary
    assert f"Coq {found.figures['coq']}" in found.summary
    assert all(isinstance(figure, str | int) for figure in found.figures.values())


def test_another_deployment_is_covered_in_general_but_not_at_its_numbers():
    known = embedded.files()
    other = pipeline.load(known["gaussian-replacement.yaml"], "other.yaml", known.__getitem__)
    found = proofs.check(ReferenceSubject(other), other, None)
    assert (found.status, found.figures["deployment"]) == ("pass", "not covered")
    assert found.figures["theorems"] == len(register().theorems)
    assert "own numbers" not in found.summary


def test_a_given_certificate_is_cited_as_given(setting, reference, shipped):
    found = proofs.check(reference, setting, shipped(coq=lambda _: "8.20.1", rechecked=lambda _: True))
    assert (found.status, found.figures["certificate"], found.figures["coq"]) == ("pass", "given", "8.20.1")
    assert found.figures["second_checker"] == "coqchk"


class Foreign(ReferenceSubject):
    """Somebody else's code, even where it builds on ours."""


def test_another_implementation_is_not_covered(setting):
    found = proofs.check(Foreign(setting), setting, None)
    assert (found.status, found.reason) == ("not_run", "the proofs are about the reference's kernel")
    assert found.summary == "Not covered by proof."


@pytest.mark.parametrize(
    ("field", "made", "reason"),
    [
        ("kernel_sha256", lambda _: "ab" * 32, "about a kernel.py of SHA-256 abab"),
        ("sources", lambda own: own | {"Sketch.v": "cd" * 32}, "another Sketch.v"),
        ("trusted", lambda own: own | {"translate.py": "cd" * 32}, "another translate.py"),
    ],
)
def test_a_certificate_about_other_bytes_covers_nothing(setting, shipped, field, made, reason):
    found = proofs.check(ReferenceSubject(setting), setting, shipped(**{field: made}))
    assert (found.status, found.figures) == ("not_run", {})
    assert reason in found.reason


def test_an_edited_kernel_is_not_covered(setting, reference, monkeypatch, tmp_path):
    edited = tmp_path / "kernel.py"
    edited.write_bytes(Path(kernel.__file__).read_bytes() + b"\n")
    monkeypatch.setattr(kernel, "__file__", str(edited))
    found = proofs.check(reference, setting, None)
    assert found.status == "not_run"
    assert "the certificate is about a kernel.py of SHA-256" in found.reason


def test_a_function_that_was_replaced_while_it_runs_is_not_covered(setting, reference, monkeypatch):
    assert proofs.replaced() is None
    monkeypatch.setattr(kernel, "clip", lambda vector, bound: vector)
    found = proofs.check(reference, setting, None)
    assert (found.status, found.reason) == ("not_run", "the running clip is not that of kernel.py")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"verdict": lambda _: "fail"}, "it says that not all was proved"),
        ({"findings": lambda _: [{"place": "A.v", "what": "x"}]}, "it says that not all was proved"),
        ({"theorems": lambda rows: rows[1:]}, "is not among its theorems"),
        ({"theorems": lambda rows: [rows[0] | {"axioms": ["classic"]}, *rows[1:]]}, "rests on classic"),
        ({"theorems": lambda rows: [rows[0] | {"says": "It is safe."}, *rows[1:]]}, "other words than the register"),
        ({"theorems": lambda rows: [*rows[:-1], rows[-1] | {"says": "It costs nothing."}]}, "other words"),
        ({"gaps": lambda rows: rows[1:]}, "does not list the gaps"),
    ],
    ids=["failed", "finding", "left out", "axiom", "words", "words about the deployment", "gap left out"],
)
def test_a_certificate_that_was_changed_is_a_finding(setting, reference, shipped, change, reason):
    found = proofs.check(reference, setting, shipped(**change))
    assert (found.status, found.strength) == ("fail", "exact")
    assert reason in found.reason
    assert found.reason.startswith(proofs.GIVEN)


def test_what_is_no_certificate_is_refused(setting, reference):
    with pytest.raises(UsageError, match="the certificate that was given: is not a certificate of proofs"):
        proofs.check(reference, setting, b"{}")
