"""proofs: whether a certificate of machine-checked theorems is about the kernel that ran, and says what was proved.

An audit needs no Coq.  It cites a certificate, shipped or given, only where every digest in it is that of what is
installed here and the running functions are those of the file; otherwise no theorem covers the subject.
"""

from pathlib import Path
from types import CodeType

from dpspin import canonical, kernel
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import Check
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import BlackBox
from dpspin_proofs import certificate
from dpspin_proofs.certificate import Certificate
from dpspin_proofs.instantiate import instance, source_digest
from dpspin_proofs.register import register

ID = "proofs"
GIVEN, SHIPPED = "the certificate that was given", "the certificate that is shipped"


def check(subject: BlackBox, setting: Setting, given: bytes | None) -> Check:
    """What machine-checked theorems say about a subject's kernel.

    Args:
        subject: only the reference itself is covered by them.
        setting: the deployment, whose own numbers a certificate may cover too.
        given: a certificate of `dpspin prove`; None for the shipped one.

    Raises:
        UsageError: when the bytes are not a certificate.
    """
    if type(subject) is not ReferenceSubject:
        return _uncovered("the proofs are about the reference's kernel")
    if name := replaced():
        return _uncovered(f"the running {name} is not that of kernel.py")
    origin = SHIPPED if given is None else GIVEN
    found = certificate.read(certificate.shipped() if given is None else given, origin)
    if reason := certificate.strange(found, canonical.digest(Path(kernel.__file__).read_bytes())):
        return _uncovered(reason)
    return _judged(found, setting, origin)


def replaced() -> str | None:
    """A function of the running kernel that is not the one in its file; None where all are."""
    source = Path(kernel.__file__).read_bytes()
    stated = [part for part in _compiled(source).co_consts if isinstance(part, CodeType)]
    for code in stated:
        if getattr(getattr(kernel, code.co_name, None), "__code__", None) != code:
            return code.co_name
    return None


def _compiled(source: bytes) -> CodeType:
    code: CodeType = compile(source, kernel.__file__, "exec", dont_inherit=True)
    return code


def _judged(found: Certificate, setting: Setting, origin: str) -> Check:
    """A certificate about the very bytes that are installed here."""
    made = instance(setting.deployment, canonical.digest(setting.deployment_bytes), len(setting.universe))
    covered = found.instance_sha256 == source_digest(made)
    known = register()
    general = {theorem.name for theorem in known.theorems}
    ours = [row for row in found.theorems if covered or row.name in general]
    figures = {
        "theorems": len(ours),
        "axioms": len({axiom for row in ours for axiom in row.axioms or []}),
        "gaps": len(found.gaps),
        "deployment": "covered" if covered else "not covered",
        "coq": found.coq,
        "second_checker": "coqchk" if found.rechecked else "none",
        "kernel_sha256": found.kernel_sha256,
        "certificate": "shipped" if origin == SHIPPED else "given",
    }
    denied = "it says that not all was proved" if found.verdict == "fail" or found.findings else None
    claims = known._replace(theorems=known.theorems + made.theorems) if covered else known
    judged = found if covered else found.model_copy(update={"theorems": ours})
    if reason := denied or certificate.untrue(judged, claims):
        return Check(
            ID, "fail", "exact", "The certificate of proofs does not say what the register of theorems says.", figures,
            f"{origin}: {reason}", "make it again with `dpspin prove --certificate FILE`, and ask who changed it",
        )  # fmt: skip
    own = ", at this deployment's own numbers too" if covered else ""
    summary = (
        f"{len(ours)} theorems about the kernel that ran{own}, by {origin}: checked by Coq {found.coq} when it was "
        f"made, not again here; {len(found.gaps)} gaps stay open."
    )
    return Check(ID, "pass", "proved", summary, figures)


def _uncovered(reason: str) -> Check:
    return Check(ID, "not_run", "proved", "Not covered by proof.", {}, reason, "run `dpspin prove` on what runs here")
