"""Compile the Coq sources about the running kernel, and ask Coq on which axioms each cited theorem rests."""

import re
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from dpspin import canonical, kernel
from dpspin_proofs import coq
from dpspin_proofs.coq import Finding
from dpspin_proofs.register import Register, Theorem
from dpspin_proofs.shapes import Refusal
from dpspin_proofs.sources import forbidden, order
from dpspin_proofs.translate import translate

TRUST_NOTHING = "Closed under the global context"


class Outcome(NamedTuple):
    """What Coq said: its version, digests of what it read, all axioms that a theorem may rest on, and all findings."""

    coq: str
    kernel_sha256: str
    sources: dict[str, str]
    axioms: dict[str, tuple[str, ...]]
    findings: tuple[Finding, ...]
    rechecked: bool = False
    """Whether Coq's independent checker has read the compiled proofs too."""


class Sources(NamedTuple):
    """What is to be proved: the kernel's text, and the text of every Coq source by name."""

    kernel: bytes
    theories: Mapping[str, str]


def running_kernel() -> bytes:
    """The source of the kernel that this process has imported."""
    return Path(kernel.__file__).read_bytes()


def prove(
    coqc: str, sources: Sources, register: Register, *, recheck: bool = False, kept: Path | None = None
) -> Outcome:
    """Translate the kernel afresh, compile everything about it from scratch and check every theorem of the register.

    Args:
        coqc: Coq's compiler.
        sources: the kernel and the Coq sources, generated ones included.
        register: the theorems to cite, and the axioms that each may rest on.
        recheck: have Coq's independent checker read the compiled proofs too; takes minutes.
        kept: an empty folder in which the compiled sources stay; otherwise they are thrown away.
    """
    findings, theories = list(forbidden(sources.theories)), dict(sources.theories)
    try:
        theories["Kernel"] = translate(sources.kernel.decode(), "kernel.py")
    except Refusal as refusal:
        findings.append(Finding(refusal.place, f"{refusal.reason}: {refusal.text}"))
    if theories["Kernel"] != sources.theories["Kernel"]:
        findings.append(Finding("Kernel.v", "not the translation of this kernel; write it with dpspin prove --renew"))
    digests = {name: canonical.digest(text.encode()) for name, text in sorted(theories.items())}
    axioms: dict[str, tuple[str, ...]] = {}
    with tempfile.TemporaryDirectory() if kept is None else nullcontext(kept) as folder:
        if not findings:
            axioms = _compile(coqc, Path(folder), theories, register, findings)
        if recheck and not findings:
            findings += [found for found in [coq.rechecked(Path(folder), sorted(theories))] if found]
    findings += judge(register, axioms) if not findings else []
    kernel_digest = canonical.digest(sources.kernel)
    return Outcome(coq.version(coqc), kernel_digest, digests, axioms, tuple(findings), recheck and not findings)


def judge(register: Register, axioms: Mapping[str, tuple[str, ...]]) -> list[Finding]:
    """Theorems that were not found, or that rest on an axiom which the register does not allow."""
    findings = []
    for theorem in register.theorems:
        strange = sorted(set(axioms.get(theorem.name, ())) - set(theorem.axioms))
        if theorem.name not in axioms:
            findings.append(Finding(f"{theorem.file}.v", f"{theorem.name} was not proved"))
        elif strange:
            findings.append(Finding(f"{theorem.file}.v", f"{theorem.name} rests on {', '.join(strange)}"))
    return findings


def _compile(
    coqc: str, folder: Path, theories: Mapping[str, str], register: Register, findings: list[Finding]
) -> dict[str, tuple[str, ...]]:
    """Axioms of every theorem, or a finding."""
    for name in order(theories):
        if failure := coq.compiled(coqc, folder, name, theories[name])[1]:
            findings.append(failure)
            return {}
    found: dict[str, tuple[str, ...]] = {}
    for allowed in dict.fromkeys(theorem.axioms for theorem in register.theorems):
        group = tuple(theorem for theorem in register.theorems if theorem.axioms == allowed)
        found |= _resting(coqc, folder, group, findings)
    return found


def _resting(
    coqc: str, folder: Path, theorems: tuple[Theorem, ...], findings: list[Finding]
) -> dict[str, tuple[str, ...]]:
    """Axioms of theorems that may rest on the same ones: of all together or, where these are too many, of each.

    Coq takes half a second for each theorem about real numbers, and hardly more for all.
    """
    said, failure = coq.compiled(coqc, folder, "Together", _audit(theorems, together=True))
    if failure:
        findings.append(failure)
        return {}
    together = axioms_in(f"@all\n{said}")["all"]
    if set(together) <= set(theorems[0].axioms):
        return dict.fromkeys((theorem.name for theorem in theorems), together)
    said, failure = coq.compiled(coqc, folder, "OneByOne", _audit(theorems, together=False))
    findings += [failure] if failure else []
    return axioms_in(said)


def _audit(theorems: tuple[Theorem, ...], *, together: bool) -> str:
    """A source that has Coq print the axioms of all theorems, or of each."""
    head = f"From DPSPIN Require {' '.join(sorted({theorem.file for theorem in theorems}))}.\n"
    if together:
        cited = ", ".join(f"@{theorem.file}.{theorem.name}" for theorem in theorems)
        return f"{head}Definition cited := ({cited}).\nPrint Assumptions cited.\n"
    each = 'Goal True. idtac "@{name}". Abort.\nPrint Assumptions {file}.{name}.\n'
    return head + "".join(each.format(name=theorem.name, file=theorem.file) for theorem in theorems)


def axioms_in(said: str) -> dict[str, tuple[str, ...]]:
    """Axioms by theorem in what the audit printed; anything but "closed" counts as an axiom."""
    found = {}
    for part in said.split("@")[1:]:
        name, _, rest = part.partition("\n")
        names = re.findall(r"^([A-Za-z_][\w.']*)(?=\s*:|\s*$| is )", rest.replace("Axioms:\n", ""), re.M)
        closed = rest.strip() == TRUST_NOTHING
        found[name.strip()] = () if closed else tuple(sorted(set(names))) or (" ".join(rest.split()),)
    return found
