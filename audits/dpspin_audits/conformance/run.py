"""Runs vectors against an implementation and says which it answers otherwise."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from dpspin.errors import SubjectError
from dpspin_audits.conformance.suite import Case

Status = Literal["pass", "fail", "skipped", "error"]
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Refused:
    """The implementation refuses the input."""

    reason: str


@dataclass(frozen=True, slots=True)
class Skips:
    """The implementation has no such step."""

    reason: str


Answer = Callable[[str, dict[str, Any]], Any]
"""From the name of a step and an input to an output, `Refused` or `Skips`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one vector."""

    case: Case
    status: Status
    found: str = ""
    """What was answered instead, in short."""


def run(cases: Iterable[Case], answer: Answer) -> Iterator[Outcome]:
    """One outcome for each vector; an implementation that breaks off is an error at that vector and goes on."""
    for case in cases:
        try:
            yield judged(case, answer(case.function, case.input))
        except SubjectError as error:
            yield Outcome(case, "error", error.what[:LONGEST])


def judged(case: Case, found: Any) -> Outcome:
    """An answer against the vector."""
    if isinstance(found, Skips):
        return Outcome(case, "skipped", found.reason[:LONGEST])
    if isinstance(found, Refused):
        return Outcome(case, "fail" if case.result == "valid" else "pass", f"refused: {found.reason}"[:LONGEST])
    if case.result == "invalid":
        return Outcome(case, "fail", f"accepted: {shown(found)}")
    return Outcome(case, "pass") if same(found, case.output) else Outcome(case, "fail", shown(found))


def same(found: Any, wanted: Any) -> bool:
    """Whether two outputs are equal as canonical JSON, where an integer may stand in quotes; true is no 1."""
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, dict):
        return (
            isinstance(found, dict) and found.keys() == wanted.keys() and all(same(found[k], wanted[k]) for k in wanted)
        )
    if isinstance(wanted, bool) or isinstance(found, bool) or wanted is None:
        return found is wanted
    return str(found) == str(wanted)


def shown(value: Any) -> str:
    """An output in short."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


@runtime_checkable
class Answers(Protocol):
    """A subject that answers vectors: `NotImplementedError` for a step it has not, any other error for a refusal."""

    def vector(self, function: str, given: dict[str, Any]) -> Any:
        """The output of one step."""
        ...


def answers_of(subject: object) -> Answer | None:
    """How a subject answers vectors; None where it does not."""
    if not isinstance(subject, Answers):
        return None

    def answer(function: str, given: dict[str, Any]) -> Any:
        try:
            return subject.vector(function, given)
        except SubjectError:
            raise
        except NotImplementedError as error:
            return Skips(str(error) or "not implemented")
        except Exception as error:
            return Refused(f"{type(error).__name__}: {error}")

    return answer
