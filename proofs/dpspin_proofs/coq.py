"""Coq's programs: compile a source, read what Coq says, and let its independent checker look once more."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

TIMEOUT = 300  # seconds for one command; the longest takes 30
WARNINGS = "+default,-deprecated"
"""Warnings are errors, but for names that a later version of Coq would spell otherwise (`sources.LATER`)."""
STATEMENT = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Example|Definition|Fixpoint)\s+(\w+)")
CLEAN = (
    "Constants/Inductives relying on type-in-type", "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)  # fmt: skip
"""What coqchk lists that may not be there at all."""


class Finding(NamedTuple):
    """Why something is not proved: a place in a source, and what was seen there."""

    place: str
    what: str


def compiler() -> str | None:
    """Coq's compiler, where there is one."""
    return shutil.which("coqc")


def version(coqc: str) -> str:
    """The compiler's version."""
    return " ".join(said([coqc, "--print-version"], Path.cwd()).stdout.split()[:1]) or "of unknown version"


def compiled(coqc: str, folder: Path, name: str, text: str, warnings: str = WARNINGS) -> tuple[str, Finding | None]:
    """Compile one source in a folder with those it requires; what Coq printed, and what it refused."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8", newline="\n")
    done = said([coqc, "-q", "-w", warnings, "-R", ".", "DPSPIN", f"{name}.v"], folder)
    return done.stdout, _failure(name, text, done.stderr) if done.returncode else None


def rechecked(folder: Path, names: list[str]) -> Finding | None:
    """What Coq's independent checker finds in compiled sources: an axiom of theirs, or a check switched off."""
    checker = shutil.which("coqchk")
    if checker is None:
        return Finding("coqchk", "was not found; it comes with Coq")
    done = said([checker, "-silent", "-o", "-R", ".", "DPSPIN", *(f"DPSPIN.{name}" for name in names)], folder)
    if done.returncode:
        return Finding("coqchk", " ".join(done.stderr.split())[:200] or "stopped")
    return summary_finding(done.stdout + done.stderr)  # which of them, depends on the version


def summary_finding(summary: str) -> Finding | None:
    """What stands in coqchk's summary that may not; axioms of Coq's own library may, theorems are judged one by one."""
    parts = {title.strip(): body for title, body in re.findall(r"^\* ([^:\n]+):((?:.*\n?)(?:  .*\n?)*)", summary, re.M)}
    own = re.findall(r"DPSPIN\.\S+", parts.get("Axioms", ""))
    unclean = [title for title in CLEAN if parts.get(title, "").strip() != "<none>"]
    seen = [*(f"the axiom {name}" for name in own), *unclean]
    return Finding("coqchk", f"found {seen[0]}") if seen else None


def said(command: list[str], folder: Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program of Coq, or one that Coq wrote, without what a user's own settings would add."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("COQ", "OCAML"))}
    try:
        return subprocess.run(  # noqa: S603 - Coq and its compiler, on our own sources
            command, cwd=folder, env=plain, input=given, capture_output=True, text=True, check=False, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"Error: no answer within {TIMEOUT} s")


def _failure(name: str, text: str, complaint: str) -> Finding:
    line = re.search(r"line (\d+)", complaint)
    number = int(line.group(1)) if line else 1
    stated = [match.group(1) for row in text.splitlines()[:number] if (match := STATEMENT.match(row))]
    what = " ".join(complaint.partition("Error:")[2].split())[:200] or "Coq stopped"
    return Finding(f"{name}.v: line {number}", f"{stated[-1] if stated else name} does not hold: {what}")
