"""Evidence as every format takes it: canonical JSON of a known schema that agrees with itself.

Evidence carries no signature of its own.  What follows from other parts of it is computed again: the verdict, the
counts, the certificates and the plan's digest where evidence is read to be signed (`attest.coherence`), and here the
verdict of the gate and the chain of the transcript.  A careless edit is found out; a careful one only by a signature.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import IntegrityError
from dpspin.transcript import START
from dpspin_audits.attest import evidence_file
from dpspin_audits.checks.check import WORST_FIRST
from dpspin_audits.report import case, certificates, transcript
from dpspin_audits.report.case import Case
from dpspin_audits.report.tree import EMPTY, SCHEMA, Node

REMEDY = "take the file as the audit wrote it, or audit again"


class Evidence(NamedTuple):
    """One evidence file."""

    tree: dict[str, Any]
    case: Case
    """The values that several parts of a report share."""
    digest: str
    """SHA-256 of the bytes, in hexadecimal."""
    place: str

    @property
    def root(self) -> Node:
        """The whole tree."""
        return self.case.root


def opened(data: bytes, place: str) -> Evidence:
    """Read evidence, if its parts belong together.

    Args:
        data: bytes of the file.
        place: its name, for errors.

    Raises:
        UsageError: naming the field, when it is not `dpspin-evidence/1`.
        IntegrityError: when its parts contradict each other, or a certificate or a text in it does not hold.
    """
    tree = canonical.loads(data, place)
    if not _lacks(tree):
        evidence_file.opened(data, place)
    found = of_tree(tree, place)
    for field, wanted, seen in contradictions(found.root):
        raise IntegrityError(f"{place}: {field}", wanted, seen, REMEDY)
    certificates.verified(found.root)
    transcript.verified(found.root)
    return found._replace(digest=canonical.digest(data))


def _lacks(tree: Any) -> bool:
    """Whether evidence lacks a section that a report shows as not assessed; nobody may sign such evidence."""
    return isinstance(tree, dict) and tree.get("schema") == SCHEMA and not EMPTY.keys() <= tree.keys()


def of_tree(tree: dict[str, Any], place: str = "evidence.json") -> Evidence:
    """Evidence that was made just now, or was opened before.

    Raises:
        UsageError: naming the field, when the evidence lacks one or holds something else in its place.
    """
    root = Node(tree, place)
    return Evidence(tree, case.opened(root), canonical.digest(canonical.dumps(tree)), place)


Contradiction = tuple[str, str, str]
"""Field, what follows from the rest of the evidence, and what stands there."""


def contradictions(root: Node) -> Iterator[Contradiction]:
    """What does not follow from the rest of the evidence, as far as no signature is asked for (`attest.coherence`)."""
    checks = root.nodes("checks")
    wanted, stated = _verdict(checks), root.text("verdict")
    if stated != wanted and (stated, wanted) != ("not_run", "pass"):  # a required check may be missing altogether
        yield "verdict", wanted, stated
    if root.has("gate"):
        yield from _gate(root.node("gate"), checks)
    yield from _chain(root.nodes("exposures"))


def _verdict(checks: list[Node]) -> str:
    """The rule of `evidence.verdict`: the worst of the required checks, or a finding of any other."""
    counted = {check.text("status") for check in checks if check.flag("required") or check.text("status") == "fail"}
    return next((status for status in WORST_FIRST if status in counted), "pass")


def _gate(gate: Node, checks: list[Node]) -> Iterator[Contradiction]:
    aside = case.accepted(gate)
    counted = [check for check in checks if check.text("status") != "fail" or check.text("id") not in aside]
    wanted = _verdict(counted)
    if any(row.text("state") == "expired" for row in gate.nodes("waivers")):
        wanted = "fail"
    if gate.text("verdict") != wanted:
        yield "gate: verdict", wanted, gate.text("verdict")


def _chain(exposures: list[Node]) -> Iterator[Contradiction]:
    """The digest of each line of the transcript, where the line can be written again."""
    rows = [row for row in exposures if row.has("chain")]
    if not rows:
        return
    befores = [START, *(row.text("chain") for row in rows)]
    for before, row in zip(befores, rows, strict=False):
        line = _line(row, before)
        if line is not None and canonical.digest(canonical.dumps(line)) != row.text("chain"):
            yield _at(row, "chain"), "the digest of its line", row.text("chain")
    for one, other in pairwise(rows):
        if one.count("order") + 1 != other.count("order"):
            yield _at(other, "order"), str(one.count("order") + 1), str(other.count("order"))


def _line(row: Node, previous: str) -> Mapping[str, Any] | None:
    """A line of the transcript (`dpspin.transcript.encode`); None where it held a text that evidence does not."""
    text = row.tree.get("text")
    if not row.has("role") or (row.text("role") == "post-processing" and text is None):
        return None
    kept = {key: row.tree.get(key) for key in ("order", "name", "role", "charge", "bytes", "sha256")}
    return {**kept, "previous": previous, "text": text}


def _at(row: Node, field: str) -> str:
    """The field as an error names it, without the file."""
    return f"{row.path.rpartition(': ')[2]}: {field}"
