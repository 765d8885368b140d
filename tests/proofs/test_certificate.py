"""The shipped certificate is what a fresh run writes; one about other bytes is told from one that is not true."""

import json
from typing import Any

import pytest

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_proofs import certificate, run
from dpspin_proofs.coq import Finding
from dpspin_proofs.register import register, theories
from dpspin_proofs.run import Outcome

KERNEL = canonical.digest(run.running_kernel())


def tree() -> dict[str, Any]:
    """What a run that proves everything writes today."""
    sources = {name: canonical.digest(text.encode()) for name, text in theories().items()}
    axioms = {theorem.name: theorem.axioms for theorem in register().theorems}
    found: dict[str, Any] = json.loads(certificate.written(Outcome("8.16.1", KERNEL, sources, axioms, ()), register()))
    return found


def read(changed: dict[str, Any]) -> certificate.Certificate:
    return certificate.read(json.dumps(changed).encode(), "proofs.json")


def test_a_fresh_run_gives_the_shipped_certificate_but_for_the_version_of_coq(shipped) -> None:
    fresh = json.loads(certificate.written(shipped.outcome, shipped.claims, shipped.instance))
    found = json.loads(certificate.shipped())
    assert found["verdict"] == "pass"
    assert fresh | {"coq": found["coq"]} == found, "write it again: dpspin prove --renew"
    assert certificate.shipped() == canonical.dumps(found)


def test_a_certificate_about_what_is_installed_is_cited() -> None:
    found = read(tree())
    assert (found.verdict, found.findings) == ("pass", [])
    assert certificate.strange(found, KERNEL) is None
    assert certificate.untrue(found, register()) is None
    assert set(found.sources) == {f"{name}.v" for name in theories()}
    assert found.kernel_sha256 in theories()["Kernel"]


def without_last(rows: list[Any]) -> list[Any]:
    return rows[:-1]


@pytest.mark.parametrize(
    ("field", "change", "reason"),
    [
        ("kernel_sha256", lambda _: "ab" * 32, "about a kernel.py of SHA-256 abab"),
        ("sources", lambda own: own | {"Sketch.v": "cd"}, "made with another Sketch.v than the one installed here"),
        ("sources", lambda own: own | {"More.v": "cd"}, "made with another More.v"),
        ("sources", lambda own: {k: v for k, v in own.items() if k != "Plan.v"}, "made with another Plan.v"),
        ("trusted", lambda own: own | {"translate.py": "cd"}, "made with another translate.py"),
        ("trusted", lambda own: own | {"claims.toml": "cd"}, "made with another claims.toml"),
    ],
)
def test_a_certificate_about_other_bytes_is_strange(field: str, change: Any, reason: str) -> None:
    found = read(tree() | {field: change(tree()[field])})
    assert reason in (certificate.strange(found, KERNEL) or "")


def row(**change: Any) -> Any:
    """Change the first theorem."""
    return lambda rows: [rows[0] | change, *rows[1:]]


@pytest.mark.parametrize(
    ("field", "change", "what"),
    [
        ("theorems", lambda rows: rows[1:], "is not among its theorems"),
        ("theorems", row(axioms=None), "is not among its theorems"),
        ("theorems", row(axioms=["classic"]), "rests on classic"),
        ("theorems", row(says="Every release is differentially private."), "other words than the register"),
        ("theorems", row(code="dpspin.pipeline.release"), "other words than the register"),
        ("theorems", lambda rows: [*rows, rows[0] | {"name": "more"}], "more is not in the register"),
        ("gaps", without_last, "does not list the gaps"),
    ],
)
def test_a_certificate_that_says_more_than_the_register_is_untrue(field: str, change: Any, what: str) -> None:
    found = read(tree() | {field: change(tree()[field])})
    assert certificate.strange(found, KERNEL) is None
    assert what in (certificate.untrue(found, register()) or "")


@pytest.mark.parametrize(
    "changed",
    [{}, {"schema": "dpspin-proofs/9"}, tree() | {"verdict": "proved"}, tree() | {"more": 1}, tree() | {"coq": 8}],
    ids=["empty", "schema", "verdict", "more", "type"],
)
def test_what_is_not_a_certificate_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="not a certificate of proofs"):
        read(changed)


def test_bytes_that_are_not_json_are_refused() -> None:
    with pytest.raises(UsageError, match=r"proofs\.json: not strict JSON"):
        certificate.read(b"{", "proofs.json")


def test_a_failed_run_says_so(shipped) -> None:
    failed = shipped.outcome._replace(axioms={}, findings=(Finding("A.v", "x"),))
    found = certificate.read(certificate.written(failed, register()), "proofs.json")
    assert (found.verdict, found.findings[0].place, found.instance_sha256) == ("fail", "A.v", None)
    assert all(theorem.axioms is None for theorem in found.theorems)
