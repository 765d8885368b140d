"""Texts judged against plans of strangers, one JSON line each (the neutral plan of `dpspin.plan_file`).

A case is one line `{"case_id", "plan", "text"}`, its answer one line `{"case_id", "accept", "violations"}`.  Whatever a
line holds, there is an answer, and a case that could not be judged is not accepted.  Memory is bounded: one line, and
the verifiers of the last few plans.

Texts are judged by masses as they are written, float masses among them: what their digits may betray is no matter of a
text, so that the answer does not speak of it, and whoever reads answers is told beside them (`Answer.has_floats`).
"""

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

from dpspin import canonical, plan
from dpspin.decoder.verifier import Verifier, Violation
from dpspin.errors import DpspinError, UsageError
from dpspin_audits import digits

SHAPE = '{"case_id", "plan", "text"}'
LONGEST_LINE = 2**25
"""Bytes; a plan of 2,000 described atoms and a text of a million characters fit."""
MOST_RELEASED = 2000
"""Admitted atoms of one plan: ranks are compared pair by pair."""
KEPT = 8
"""Verifiers that are kept."""
PUBLIC = "public_text."
"""Where the verifier complains about a public text."""
MOST_LEFT_OUT = 10
"""Public texts of one plan that may be unusable."""


class Answer(NamedTuple):
    """What became of a line."""

    line: bytes
    """One JSON line."""
    code: int
    """0 where the case has been judged or refused; 2 where the line could not be told to be a case; 70 for a bug."""
    has_floats: bool = False
    """Whether its plan has masses on no lattice (`digits`)."""


def answers(stream: BinaryIO) -> Iterator[Answer]:
    """One answer a line, in order; blank lines are passed over."""
    judge = Judge()
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            _skip(stream, line)
            yield _refused(None, "line too long", f"line {number}: more than {LONGEST_LINE} bytes", code=2)
        elif line.strip():
            yield judge.answer(line, number)


def _skip(stream: BinaryIO, line: bytes) -> None:
    """Read on to the end of an overlong line, without keeping it."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST_LINE)


class Judge:
    """Judges lines; keeps the verifiers of the last plans, since cases often share one."""

    def __init__(self) -> None:
        self._verifiers: OrderedDict[str, tuple[Verifier, bool]] = OrderedDict()

    def answer(self, line: bytes, number: int) -> Answer:
        """The answer to one line; it never raises."""
        case, where = None, f"line {number}"
        try:
            case = _id_of(line)
            tree = _case(line, where, has_id=case is not None)
            verifier, has_floats = self._verifier(_field(tree, "plan", dict, where))
            verdict = verifier.verify(_field(tree, "text", str, where))
        except DpspinError as error:
            return _refused(case, "not a case that can be judged", str(error), code=2 if case is None else 0)
        except Exception as error:  # a failure at this case must not cost the answers to the others
            return _refused(case, "internal error", type(error).__name__, code=70)
        return _answer(case, verdict.accepted, verdict.violations)._replace(has_floats=has_floats)

    def _verifier(self, tree: dict[str, Any]) -> tuple[Verifier, bool]:
        key = canonical.digest(repr(tree).encode())  # the types count as well: 3 is no label
        if key not in self._verifiers:
            self._verifiers[key] = verifier_of(tree), digits.problem(digits.masses(tree), ()) is not None
        self._verifiers.move_to_end(key)
        while len(self._verifiers) > KEPT:
            self._verifiers.popitem(last=False)
        return self._verifiers[key]


def verifier_of(tree: dict[str, Any]) -> Verifier:
    """The verifier of a stranger's plan, given as a tree of `canonical.loads`.

    A public text that cannot be told from the rest of the language, or names an atom that is not released, is no public
    text here: where it stands in a summary, it is judged like any other sentence.

    Raises:
        UsageError: when the plan cannot be used.
    """
    released = tree.get("released")
    if isinstance(released, list) and len(released) > MOST_RELEASED:
        raise UsageError("plan: released", f"{len(released)} atoms", f"release at most {MOST_RELEASED}")
    read = plan.from_tree(tree, "plan")
    kept = dict(read.terms.public_text)
    while True:
        try:
            return Verifier(replace(read, terms=replace(read.terms, public_text=kept)))
        except UsageError as error:
            known = error.place.removeprefix(PUBLIC)
            if known not in kept or len(read.terms.public_text) - len(kept) >= MOST_LEFT_OUT:
                raise
            del kept[known]


def _id_of(line: bytes) -> str | int | None:
    """The id of a case, also where the rest of its line is not strict JSON: NaN, a key that stands twice."""
    try:
        tree = json.loads(line, parse_int=_short, parse_float=_nothing, parse_constant=_nothing)
        case = tree["case_id"] if isinstance(tree, dict) else None
        is_text = isinstance(case, str) and case.encode().decode() == case
    except (KeyError, RecursionError, ValueError):
        return None
    return case if is_text or type(case) is int else None


def _nothing(_: str) -> None:
    """In place of a number that is no id."""


def _short(text: str) -> int | None:
    return int(text) if len(text) <= 15 else None


def _case(line: bytes, where: str, *, has_id: bool) -> dict[str, Any]:
    tree = canonical.loads(line, where)
    if not has_id or not isinstance(tree, dict):
        raise UsageError(where, "no case with a case_id", f"write {SHAPE}, the id a text or whole number")
    return tree


def _field(tree: dict[str, Any], name: str, kind: type[Any], where: str) -> Any:
    if not isinstance(tree.get(name), kind):
        raise UsageError(f"{where}: {name}", "missing or of another kind", f"write {SHAPE}")
    return tree[name]


def _refused(case: str | int | None, rule: str, found: str, code: int) -> Answer:
    """An answer to what could not be judged: step 0, before the steps of the verifier."""
    return _answer(case, False, (Violation(0, rule, (0, 0), None, found),), code)


def _answer(case: str | int | None, accept: bool, violations: tuple[Violation, ...], code: int = 0) -> Answer:
    rows = [{"step": v.step, "rule": v.rule, "span": v.span, "claim": v.claim, "found": v.found} for v in violations]
    return Answer(canonical.dumps({"case_id": case, "accept": accept, "violations": rows}), code)
