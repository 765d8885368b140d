"""Compile the Coq sources about the running kernel, and ask Coq on which axioms each cited theorem rests."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from dpspin import canonical, kernel
from dpspin.errors import UsageError
from dpspin_proofs.register import Register, Theorem
from dpspin_proofs.shapes import Refusal
from dpspin_proofs.translate import translate

SCHEMA = "dpspin-proofs/1"
TRUSTED = ("expressions.py", "shapes.py", "subset.py", "translate.py")
TIMEOUT = 300  # seconds for one file; the longest takes 4
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Declare|Unset|Load|Redirect|bypass_check|Primitive)\b"
)
STATEMENT = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Definition|Fixpoint)\s+(\w+)")
TRUST_NOTHING = "Closed under the global context"


class Finding(NamedTuple):
    """Why something is not proved: a place in a source, and what was seen there."""

    place: str
    what: str


class Outcome(NamedTuple):
    """What Coq said: its version, digests of what it read, the axioms of every theorem, and all findings."""

    coq: str
    kernel_sha256: str
    sources: dict[str, str]
    axioms: dict[str, tuple[str, ...]]
    findings: tuple[Finding, ...]


class Sources(NamedTuple):
    """What is to be proved: the kernel's text, and the text of every Coq source by name."""

    kernel: bytes
    theories: Mapping[str, str]


def running_kernel() -> bytes:
    """The source of the kernel that this process has imported."""
    return Path(kernel.__file__).read_bytes()


def compiler() -> str | None:
    """Coq's compiler, where there is one."""
    return shutil.which("coqc")


def prove(coqc: str, sources: Sources, register: Register) -> Outcome:
    """Translate the kernel afresh, compile everything about it from scratch and check every theorem of the register."""
    findings, theories = list(forbidden(sources.theories)), dict(sources.theories)
    try:
        theories["Kernel"] = translate(sources.kernel.decode(), "kernel.py")
    except Refusal as refusal:
        findings.append(Finding(refusal.place, f"{refusal.reason}: {refusal.text}"))
    if theories["Kernel"] != sources.theories["Kernel"]:
        findings.append(Finding("Kernel.v", "not the translation of this kernel; write it with dpspin prove --renew"))
    version = " ".join(_said([coqc, "--print-version"], Path.cwd()).stdout.split()[:1]) or "of unknown version"
    with tempfile.TemporaryDirectory() as folder:
        axioms = {} if findings else _compile(coqc, Path(folder), theories, register, findings)
    findings += judge(register, axioms) if not findings else []
    digests = {name: canonical.digest(text.encode()) for name, text in sorted(theories.items())}
    return Outcome(version, canonical.digest(sources.kernel), digests, axioms, tuple(findings))


def forbidden(theories: Mapping[str, str]) -> Iterator[Finding]:
    """Words that let Coq accept what was not proved, or read what is not a source; comments are left out."""
    for name, text in theories.items():
        for number, line in enumerate(_without_comments(text).splitlines(), 1):
            for word in FORBIDDEN.findall(line):
                yield Finding(f"{name}.v: line {number}", f"the word {word} may not stand in a source")


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


def order(theories: Mapping[str, str]) -> list[str]:
    """Names of the sources, each after those that it requires.

    Raises:
        UsageError: a source requires one that is not there, or itself.
    """
    needs = {
        name: [each for line in re.findall(r"^From DPSPIN Require Import (.*)\.$", text, re.M) for each in line.split()]
        for name, text in sorted(theories.items())
    }
    for name, wanted in needs.items():
        if missing := sorted(set(wanted) - set(theories)):
            raise UsageError(f"{name}.v", f"requires {missing[0]}, which is not there", "add the source")
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise UsageError(f"{error.args[1][0]}.v", "requires itself", "break the cycle") from error


def certificate(outcome: Outcome, register: Register) -> bytes:
    """What was proved, about which bytes, on which axioms, and what was not: canonical JSON."""
    package = resources.files("dpspin_proofs")
    trusted = {name: canonical.digest((package / name).read_bytes()) for name in (*TRUSTED, "run.py", "claims.toml")}
    return canonical.dumps(
        {
            "schema": SCHEMA,
            "verdict": "fail" if outcome.findings else "pass",
            "kernel_sha256": outcome.kernel_sha256,
            "coq": outcome.coq,
            "theorems": [
                {"name": each.name, "code": each.code, "says": each.says, "axioms": outcome.axioms.get(each.name)}
                for each in register.theorems
            ],
            "findings": [finding._asdict() for finding in outcome.findings],
            "gaps": [gap._asdict() for gap in register.gaps],
            "sources": {f"{name}.v": digest for name, digest in outcome.sources.items()},
            "trusted": trusted,
        }
    )


def _compile(
    coqc: str, folder: Path, theories: Mapping[str, str], register: Register, findings: list[Finding]
) -> dict[str, tuple[str, ...]]:
    for name in order(theories):
        if failure := _check(coqc, folder, name, theories[name])[1]:
            findings.append(failure)
            return {}
    cited = register.theorems
    said, failure = _check(coqc, folder, "Together", _audit(cited, together=True))
    if said.strip() != TRUST_NOTHING and not failure:  # which of them rests on what takes longer to ask
        said, failure = _check(coqc, folder, "OneByOne", _audit(cited, together=False))
        return axioms_in(said)
    findings += [failure] if failure else []
    return {} if failure else {theorem.name: () for theorem in cited}


def _check(coqc: str, folder: Path, name: str, text: str) -> tuple[str, Finding | None]:
    """Compile one source; what Coq printed, and what it refused."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8", newline="\n")
    done = _said([coqc, "-q", "-R", ".", "DPSPIN", f"{name}.v"], folder)
    return done.stdout, _failure(name, text, done.stderr) if done.returncode else None


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


def _failure(name: str, text: str, said: str) -> Finding:
    line = re.search(r"line (\d+)", said)
    number = int(line.group(1)) if line else 1
    stated = [match.group(1) for row in text.splitlines()[:number] if (match := STATEMENT.match(row))]
    what = " ".join(said.partition("Error:")[2].split())[:200] or "Coq stopped"
    return Finding(f"{name}.v: line {number}", f"{stated[-1] if stated else name} does not hold: {what}")


def _said(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Coq without what a user's own settings would add."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COQ")}
    try:
        return subprocess.run(  # noqa: S603 - Coq, on our own sources
            command, cwd=folder, env=plain, capture_output=True, text=True, check=False, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"Error: no answer within {TIMEOUT} s")


def _without_comments(text: str) -> str:
    """The text with comments blanked, nested ones included, line by line as it was."""
    kept, depth = [], 0
    for piece in re.split(r"(\(\*|\*\)|\n)", text):
        depth += (piece == "(*") - (piece == "*)")
        kept.append(piece if piece == "\n" or (depth == 0 and piece != "*)") else "")
    return "".join(kept)
