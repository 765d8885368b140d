"""in-toto Statement v1: subjects by their digests, and a predicate of a type; written and read as canonical JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ConfigDict, Field

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin.settings import Sha256, Strict, validated
from dpspin_audits.attest import validity
from dpspin_audits.attest.outcome import Result
from dpspin_audits.attest.subjects import Subject
from dpspin_audits.attest.validity import Validity

TYPE = "https://in-toto.io/Statement/v1"
OURS = "https://dpspin.invalid/"
"""Where our own types live: a domain that nobody can own (RFC 2606), so that nobody else can give them a meaning."""
GUARANTEE = f"{OURS}guarantee/v1"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
SUMMARY = "https://slsa.dev/verification_summary/v1"
KINDS = (GUARANTEE, TEST_RESULT, SUMMARY)
"""The predicates of an attestation, in the order of its lines."""
EXTENSION = "dpspin:v1"
"""Our field in predicates that others have defined: a URI, as they ask for, without dots or dollar signs."""
REMEDY = "ask the signer what else this key signs"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement."""

    kind: str
    """Its predicate's type."""
    subjects: tuple[Subject, ...]
    predicate: Mapping[str, Any]
    result: Result
    """What it says of the audit."""
    validity: Validity

    @property
    def common(self) -> tuple[object, ...]:
        """What every statement of one attestation says alike."""
        return self.subjects, self.result, self.validity


class _Digest(Strict):
    sha256: Sha256


class _Subject(Strict):
    name: str = Field(min_length=1)
    digest: _Digest
    annotations: dict[str, str] = Field(default={})


class _Layout(Strict):
    type_: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: list[_Subject] = Field(min_length=1)
    kind: str = Field(alias="predicateType")
    predicate: dict[str, Any]


class _Common(Strict):
    model_config = ConfigDict(extra="ignore")
    result: Result
    validity: dict[str, str]


def encode(kind: str, subjects: tuple[Subject, ...], predicate: Mapping[str, Any]) -> bytes:
    """The bytes that are signed."""
    return canonical.dumps(
        {"_type": TYPE, "subject": [one.tree() for one in subjects], "predicateType": kind, "predicate": predicate}
    )


def decode(payload: bytes, place: str) -> Statement:
    """A statement from bytes whose signature was checked.

    Raises:
        UsageError: when its predicate is of a newer type of ours.
        IntegrityError: when it is no statement as `encode` writes it.
    """
    tree = _tree(payload, place)
    kind = tree.get("predicateType")
    if kind not in KINDS:
        if isinstance(kind, str) and kind.startswith(OURS):
            raise UsageError(f"{place}: predicateType", f"{kind} is unknown here", "install a newer dpspin")
        raise IntegrityError(f"{place}: predicateType", "one of an attestation", str(kind)[:100], REMEDY)
    try:
        return _read(tree, place)
    except UsageError as error:
        raise IntegrityError(error.place, "a statement of dpspin", error.problem, REMEDY) from error


def _tree(payload: bytes, place: str) -> dict[str, Any]:
    try:
        tree = canonical.loads(payload, place)
    except UsageError as error:
        raise IntegrityError(place, "a statement", error.problem, REMEDY) from error
    if not isinstance(tree, dict) or canonical.dumps(tree) != payload:
        raise IntegrityError(place, "a statement in canonical JSON", "another spelling", REMEDY)
    return tree


def _read(tree: dict[str, Any], place: str) -> Statement:
    layout = validated(_Layout, tree, place)
    names = [row.name for row in layout.subject]
    if len(set(names)) < len(names):
        raise UsageError(f"{place}: subject", "a name stands twice", REMEDY)
    inner = layout.predicate if layout.kind == GUARANTEE else layout.predicate.get(EXTENSION)
    common = validated(_Common, inner, f"{place}: predicate")
    subjects = tuple(Subject(row.name, row.digest.sha256, row.annotations) for row in layout.subject)
    return Statement(layout.kind, subjects, layout.predicate, common.result, validity.read(common.validity, place))
