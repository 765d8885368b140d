"""What a statement is about: names and SHA-256 digests, taken from evidence and from what was given with it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dpspin import canonical
from dpspin.errors import IntegrityError
from dpspin.pipeline import BUNDLE
from dpspin_audits.attest.parts import Evidence
from dpspin_audits.checks import proofs, provenance
from dpspin_proofs import certificate

IMPLEMENTATION, EVIDENCE, REPORT, PROOFS = "implementation", "evidence.json", "report.html", "proofs.json"
RELEASED = frozenset(BUNDLE)
"""Files of a release."""
CITED = ("kernel_sha256", "coq", "gaps")
"""Figures by which evidence says which certificate of proofs it cites."""


class Subject(NamedTuple):
    """One thing that a statement is about."""

    name: str
    sha256: str
    annotations: Mapping[str, str] = {}
    """Of the implementation: what its digest is of."""

    def tree(self) -> dict[str, object]:
        """As a statement holds it."""
        said = {"annotations": dict(self.annotations)} if self.annotations else {}
        return {"name": self.name, "digest": {"sha256": self.sha256}, **said}


class Given(NamedTuple):
    """What was given beside the evidence."""

    evidence: str
    """Digest of the evidence file."""
    report: str | None = None
    """Digest of its report."""
    proofs: bytes | None = None
    """The certificate of proofs that it cites."""
    implementation: str | None = None
    """Digest of the file that holds the implementation."""


def of(found: Evidence, given: Given) -> tuple[Subject, ...]:
    """Everything that a statement is about, each name once.

    Raises:
        IntegrityError: when the certificate of proofs is another one than the evidence cites, or a file of the bundle
            bears a name that stands for something else.
    """
    rows = [
        implementation(found, given.implementation),
        *_released(found),
        Subject(EVIDENCE, given.evidence),
        *([Subject(REPORT, given.report)] if given.report else []),
        *_certificates(found),
        *_proofs(found, given.proofs),
    ]
    names = [row.name for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise IntegrityError(
                f"evidence.json: exposures: {name}", "a name of its own", "a name with a meaning", "rename it"
            )
    return tuple(rows)


def implementation(found: Evidence, digest: str | None) -> Subject:
    """The implementation: by the digest of its file, where one was given, else by its address and name."""
    if digest is not None:
        return Subject(IMPLEMENTATION, digest, {"digestOf": "file"})
    said = {"name": found.subject.name, "spec": found.subject.spec}
    address = canonical.digest(canonical.dumps(said))
    return Subject(IMPLEMENTATION, address, {"digestOf": "address", **said, **_kernel(found)})


def _kernel(found: Evidence) -> dict[str, str]:
    """The only digest of running code that evidence has: that of the kernel which a certificate of proofs is about."""
    judged = found.check(proofs.ID)
    digest = judged.figures.get("kernel_sha256") if judged else None
    return {"kernelSha256": digest} if isinstance(digest, str) else {}


def _released(found: Evidence) -> Iterator[Subject]:
    """The public files in any case; the other files of a bundle, known or not, where the audit saw one."""
    public = {"deployment.yaml": found.deployment.sha256}
    judged = found.check(provenance.ID)
    if judged and isinstance(judged.figures.get("sha256"), str):
        public["universe.json"] = judged.figures["sha256"]
    seen = {row.name: row.sha256 for row in found.exposures if row.name in RELEASED or row.role is None}
    files = seen | public
    for name in (*BUNDLE, *sorted(set(files) - RELEASED)):
        if name in files:
            yield Subject(name, files[name])


def _certificates(found: Evidence) -> Iterator[Subject]:
    for number, tree in enumerate(found.certificates, 1):
        name = "certificate.json" if number == 1 else f"certificate-{number}.json"
        yield Subject(name, canonical.digest(canonical.dumps(tree)))


def _proofs(found: Evidence, given: bytes | None) -> Iterator[Subject]:
    judged = found.check(proofs.ID)
    cites = judged is not None and judged.status == "pass"
    if not cites or judged is None:
        if given is not None:
            raise IntegrityError(PROOFS, "evidence that cites a certificate of proofs", "none", "leave --proofs out")
        return
    shipped = given is None and judged.figures.get("certificate") == "shipped"
    data = certificate.shipped() if shipped else given
    if data is None:
        return
    read = certificate.read(data, PROOFS)
    said = {"kernel_sha256": read.kernel_sha256, "coq": read.coq, "gaps": len(read.gaps)}
    for name in CITED:
        if said[name] != judged.figures.get(name):
            raise IntegrityError(
                f"{PROOFS}: {name}", str(judged.figures.get(name)), str(said[name]),
                "name the certificate that the audit cited by --proofs",
            )  # fmt: skip
    yield Subject(PROOFS, canonical.digest(data))
