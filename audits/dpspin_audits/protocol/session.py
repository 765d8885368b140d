"""Requests and answers of DPSP/1 over one process.

A request is `{"id": n, "op": name, ...}`, an answer one line `{"id": n, "result": {...}}`, `{"id": n, "skipped":
{"reason": text}}` or `{"id": n, "errored": {"traceback": text}}`.  docs/protocol.md lists the operations.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import SubjectError, UsageError
from dpspin_audits.protocol.child import Child

PROTOCOL = "DPSP/1"
LONE = "a lone surrogate"
REMEDY = "write one line of JSON for each request, and all else on standard error"
QUOTED = 60
"""Bytes of a wrong answer that a message repeats."""


class Skipped(NamedTuple):
    """The subject does not do this."""

    reason: str


class Errored(NamedTuple):
    """The operation failed inside the subject; it is still there."""

    traceback: str

    @property
    def last(self) -> str:
        """Its last line."""
        lines = self.traceback.strip().splitlines()
        return lines[-1][:500] if lines else "no reason given"


Answer = Mapping[str, Any] | Skipped | Errored


class Session:
    """One conversation with a process."""

    def __init__(self, child: Child) -> None:
        self._child, self._last = child, 0
        self.lost: SubjectError | None = None
        """Why it is over: an answer that was late or none of the protocol, after which no other can be told from it."""

    @property
    def child(self) -> Child:
        """The process."""
        return self._child

    def ask(self, op: str, **fields: Any) -> Answer:
        """One request and its answer.

        Args:
            op: name of the operation.
            fields: what goes with it; JSON, any text in strings.

        Raises:
            SubjectError: when no answer comes in time, or it is not one of the protocol.
        """
        if self.lost is not None:
            raise SubjectError(*self.lost.args)
        limits = self._child.limits
        seconds = limits.seconds if self._last else limits.starting
        try:
            return self._exchange(op, fields, limits.farewell if op == "bye" else seconds)
        except SubjectError as error:
            self.lose(error)
            raise

    def lose(self, error: SubjectError) -> None:
        """End the conversation, and the process with it."""
        self.lost = error
        self._child.close()

    def _exchange(self, op: str, fields: Mapping[str, Any], seconds: float) -> Answer:
        self._last, self._child.asked = self._last + 1, op
        request = json.dumps({"id": self._last, "op": op, **fields}, allow_nan=False, separators=(",", ":"))
        self._child.send(request.encode() + b"\n", seconds)
        return self._parsed(op, self._child.line(seconds))

    def result(self, op: str, **fields: Any) -> Mapping[str, Any]:
        """As `ask`, where anything but a result breaks the protocol or the audit."""
        answer = self.ask(op, **fields)
        if isinstance(answer, Skipped):
            raise self._child.error(f"skipped {op}, which it had offered: {answer.reason}")
        if isinstance(answer, Errored):
            raise self._child.error(f"failed in {op}: {answer.last}")
        return answer

    def _parsed(self, op: str, line: bytes) -> Answer:
        try:
            tree = canonical.loads(line, "answer")
        except UsageError as error:
            if LONE not in error.problem:
                raise self._child.error(f"answered {op} with {error.problem}: {_begun(line)}; {REMEDY}") from None
            tree = json.loads(line)  # strict in all else: texts may hold any code point, ids of hostile records too
        kind = _kind(tree)
        if kind is None or tree["id"] != self._last:
            wanted = f'{{"id": {self._last}, "result": {{...}}}}'
            what = f"answered {op} with something that is no answer to request {self._last}"
            raise self._child.error(f"{what}: {_begun(line)}; write {wanted}")
        body = tree[kind]
        if kind == "skipped":
            return Skipped(_text(body, "reason"))
        return Errored(_text(body, "traceback")) if kind == "errored" else body


def _begun(line: bytes) -> str:
    """How a line begins, printable whatever it holds."""
    return ascii(line[:QUOTED].decode(errors="backslashreplace")) + "..." * (len(line) > QUOTED)


def _kind(tree: Any) -> str | None:
    if not isinstance(tree, dict) or type(tree.get("id")) is not int or len(tree) != 2:
        return None
    kind = next(iter(tree.keys() - {"id"}))
    return kind if kind in ("result", "skipped", "errored") and isinstance(tree[kind], dict) else None


def _text(body: Mapping[str, Any], key: str) -> str:
    found = body.get(key)
    return found if isinstance(found, str) else ""
