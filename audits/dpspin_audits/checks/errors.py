"""errors: whether messages and exit codes depend on what a record holds.

A release is total: every corpus gives a plan (spec.md section 8, rows 5 and 22).  Two corpora that differ in one
unusual record must come to the same: a bundle, or the same exception, exit code and message.  A difference counts only
if it shows in every one of several repetitions; so random failures are no hit.  In a process of their own, subjects may
break off or hang, which is an outcome like any other.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dpspin_audits.checks import hostile
from dpspin_audits.checks.check import Check, Location
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.running.outcomes import Elsewhere, Outcome, released
from dpspin_audits.subject import BlackBox, Records

ID = "errors"
REPEATED = 20
"""Repetitions in this process; one in a process of its own, where it ends."""
ENDED = 2
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
REMEDY = "give every corpus a plan: an unusual record contributes nothing, and no message tells of it"


class Case(NamedTuple):
    """Adjacent corpora; one holds an unusual unit."""

    name: str
    usual: Records
    unusual: Records


def cases(maker: Maker) -> list[Case]:
    """The corpora to compare: none against one record, and unusual records among usual ones."""
    few = maker.records(maker.members("usual", [(found.text,) for found in maker.probes.single[:3]]))
    other = maker.record(name := next(maker.identifiers("another")), "", name)
    beside = [other] if maker.replaces else []
    made = [Case(name, [*few, *beside], [*few, record]) for name, record in hostile.records(maker, few[0]).items()]
    return [Case("a single record", beside, few[:1]), *made]


def check(subject: BlackBox, maker: Maker, elsewhere: Elsewhere | None) -> Check:
    """The verdict.

    Args:
        subject: the implementation.
        maker: makes corpora.
        elsewhere: None where releases in new processes cannot be had; a subject that breaks off then ends the audit.
    """
    asked = cases(maker)
    corpora = [records for case in asked for records in (case.usual, case.unusual)]
    signs = [Sign.of(released(subject, records)) for records in corpora] if elsewhere is None else [
        *_each(corpora, elsewhere)
    ]  # fmt: skip
    figures = {"cases": len(asked), "repeated": REPEATED}
    for case, usual, unusual in zip(asked, signs[::2], signs[1::2], strict=True):
        told = _told(subject, case, (usual, unusual), elsewhere)
        if told is not None:
            return Check(
                ID, "fail", "exact_on_hit", "What a release says depends on a record.", figures,
                f"{case.name}: {told} is not that of the corpus without it", REMEDY, Location("release"),
            )  # fmt: skip
    summary = f"{len(asked)} unusual records change neither messages nor exit codes."
    failed = next((sign.error for sign in signs if sign.error), None)
    if failed is not None:
        summary = (
            f"Messages and exit codes are the same with unusual records and without; some releases end in {failed}."
        )
    return Check(ID, "pass", "exact_on_hit", summary, figures)


class Sign(NamedTuple):
    """What a release says besides its bundle."""

    error: str
    """Class of the exception, or how the process ended; empty for a bundle."""
    message: str = ""
    """Digest of the exception's text, addresses left out."""
    printed: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> "Sign":
        """That of an outcome."""
        texts = (outcome.message, outcome.printed.decode(errors="replace"))
        return cls(outcome.error, *(hashlib.sha256(ADDRESS.sub("", text).encode(errors="replace")).hexdigest()
                                    for text in texts))  # fmt: skip


PARTS = {"error": "the outcome", "message": "the text of the exception", "printed": "what is printed"}


def _each(corpora: Sequence[Records], elsewhere: Elsewhere) -> Iterator[Sign]:
    """The sign of every corpus; where a process ends, a new one goes on with the next corpus."""
    left = list(corpora)
    while left:
        done = elsewhere(left)
        yield from map(Sign.of, done.outcomes)
        left = left[len(done.outcomes) :]
        if left:
            yield Sign(done.ended)
            left = left[1:]


def _told(subject: BlackBox, case: Case, signs: tuple[Sign, Sign], elsewhere: Elsewhere | None) -> str | None:
    """What differs between the two corpora of a case, whenever it is tried."""
    parts = [part for part in PARTS if getattr(signs[0], part) != getattr(signs[1], part)]
    ended = [sign.error for sign in signs if sign.error and sign.message == ""]
    for part in parts:
        again = _again(subject, case, elsewhere if ended else None)
        kept = [getattr(sign, part) for sign in signs]
        if all([getattr(sign, part) for sign in pair] == kept for pair in again):
            seen = signs[1].error or signs[0].error
            return f"{PARTS[part]} ({seen})" if part == "error" else PARTS[part]
    return None


def _again(subject: BlackBox, case: Case, elsewhere: Elsewhere | None) -> Iterator[list[Sign]]:
    """The signs of both corpora, as often as it takes."""
    for _ in range(REPEATED if elsewhere is None else ENDED):
        both = (case.usual, case.unusual)
        yield [*_each(both, elsewhere)] if elsewhere else [Sign.of(released(subject, records)) for records in both]
