"""What a run proved, as a file: written after a run, read by whoever wants to cite it without Coq.

A certificate is a statement of its maker, not a proof: a reader compares it with what is installed here, cites it for
the same bytes only, and says which version of Coq it names.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_proofs.instantiate import FILE, Instance, source_digest
from dpspin_proofs.register import PACKAGE, Register, theories
from dpspin_proofs.run import Outcome

SHIPPED = "certificate.json"
TRUSTED = (
    "claims.toml", "clauses.py", "coq.py", "expressions.py", "instantiate.py", "register.py", "renyi.py", "run.py",
    "shapes.py", "sources.py", "subset.py", "translate.py",
)  # fmt: skip
"""What a run rests on besides Coq, the kernel and the Coq sources."""


class Part(BaseModel):
    """A part of a certificate: exact fields, nothing besides."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Cited(Part):
    """A theorem: its name, the code it is about, what it says in words, and its axioms; null if it was not proved."""

    name: str
    code: str
    says: str
    axioms: list[str] | None


class Seen(Part):
    """Why something was not proved."""

    place: str
    what: str


class Open(Part):
    """A gap: what no theorem covers, and what stands in its place."""

    name: str
    what: str
    instead: str
    everywhere: bool


class Certificate(Part):
    """What was proved, about which bytes, on which axioms, and what was not."""

    schema_: Literal["dpspin-proofs/1"] = Field(alias="schema")
    verdict: Literal["pass", "fail"]
    coq: str
    rechecked: bool
    """Whether Coq's independent checker has read the compiled proofs too."""
    kernel_sha256: str
    instance_sha256: str | None
    """SHA-256 of the generated source about one deployment, if there was one."""
    theorems: list[Cited]
    findings: list[Seen]
    gaps: list[Open]
    sources: dict[str, str]
    """SHA-256 of every shipped Coq source."""
    trusted: dict[str, str]
    """SHA-256 of what the run rests on besides Coq, the kernel and those sources."""


def written(outcome: Outcome, register: Register, instance: Instance | None = None) -> bytes:
    """The certificate of a run, in canonical JSON; register and outcome cover the instance's theorems too."""
    rows = [
        {"name": each.name, "code": each.code, "says": each.says, "axioms": outcome.axioms.get(each.name)}
        for each in register.theorems
    ]
    return canonical.dumps(
        {
            "schema": "dpspin-proofs/1",
            "verdict": "fail" if outcome.findings else "pass",
            "coq": outcome.coq,
            "rechecked": outcome.rechecked,
            "kernel_sha256": outcome.kernel_sha256,
            "instance_sha256": source_digest(instance) if instance else None,
            "theorems": rows,
            "findings": [finding._asdict() for finding in outcome.findings],
            "gaps": [gap._asdict() for gap in register.gaps],
            "sources": {f"{name}.v": digest for name, digest in outcome.sources.items() if name != FILE},
            "trusted": trusted(),
        }
    )


def trusted() -> dict[str, str]:
    """SHA-256 of what a run rests on, as installed here."""
    return {name: canonical.digest((PACKAGE / name).read_bytes()) for name in TRUSTED}


def shipped() -> bytes:
    """The certificate that comes with this package."""
    return (PACKAGE / SHIPPED).read_bytes()


def read(data: bytes, place: str) -> Certificate:
    """A certificate from its bytes.

    Raises:
        UsageError: when the bytes are not a certificate of proofs.
    """
    try:
        return Certificate.model_validate(canonical.loads(data, place))
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"])) or "the whole"
        raise UsageError(
            place, f"is not a certificate of proofs: {field} is not as dpspin prove writes it", "make it again"
        ) from error


def strange(found: Certificate, kernel_sha256: str) -> str | None:
    """Why a certificate is not about what is installed here; None where every digest agrees."""
    if found.kernel_sha256 != kernel_sha256:
        return f"the certificate is about a kernel.py of SHA-256 {found.kernel_sha256}, and {kernel_sha256} runs here"
    own = {f"{name}.v": canonical.digest(text.encode()) for name, text in theories().items()}
    for files, named in ((own, found.sources), (trusted(), found.trusted)):
        for name in sorted({*files, *named}):
            if files.get(name) != named.get(name):
                return f"the certificate was made with another {name} than the one installed here"
    return None


def untrue(found: Certificate, register: Register) -> str | None:
    """What a certificate about these bytes says that the register denies; None where they agree."""
    rows = {row.name: row for row in found.theorems}
    for theorem in register.theorems:
        row = rows.pop(theorem.name, None)
        if row is None or row.axioms is None:
            return f"{theorem.name} is not among its theorems"
        if (row.says, row.code) != (theorem.says, theorem.code):
            return f"it gives {theorem.name} other words than the register"
        if added := sorted(set(row.axioms) - set(theorem.axioms)):
            return f"{theorem.name} rests on {added[0]}"
    if rows:
        return f"{min(rows)} is not in the register"
    if [gap.model_dump() for gap in found.gaps] != [gap._asdict() for gap in register.gaps]:
        return "it does not list the gaps of the register"
    return None
