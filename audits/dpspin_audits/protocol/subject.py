"""A command as a subject: every operation that its `hello` offers becomes the method that an audit looks for."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from fractions import Fraction
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np

from dpspin.corpus import representation
from dpspin.errors import SubjectError
from dpspin.pipeline import Setting
from dpspin_audits.conformance.run import Refused, Skips
from dpspin_audits.protocol import values
from dpspin_audits.protocol.child import Child, Limits
from dpspin_audits.protocol.session import PROTOCOL, Errored, Session, Skipped
from dpspin_audits.protocol.values import Plans, broken
from dpspin_audits.subject import BlackBox, Record, Records


class CommandSubject:
    """What every command offers: its claim and whole releases.  `connect` makes one with all that it offers.

    One process answers one request at a time, whatever threads ask.
    """

    def __init__(self, session: Session, name: str, setting: Setting) -> None:
        self._session, self._setting, self._turn = session, setting, RLock()
        self.name = name
        self.claim = values.claim_of(self._configured())

    @property
    def lost(self) -> SubjectError | None:
        """Why nothing more can be asked of it; None while it keeps the protocol."""
        return self._session.lost

    def _configured(self) -> Any:
        return self._ask("configure", **self._terms).get("claim")

    @cached_property
    def _terms(self) -> Mapping[str, Any]:
        """What `configure` tells, the same every time."""
        setting = self._setting
        texts = {
            "deployment.yaml": setting.deployment_bytes.decode(),
            "universe.json": setting.universe_bytes.decode(),
        } | _scoring(setting)
        tree = values.as_written(setting.deployment)
        return {"deployment": tree, "files": texts, "exchange": str(self._session.child.folder)}

    def _ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        with self._turn:
            return self._session.result(op, **fields)

    def fresh(self) -> BlackBox:
        """The same process, told to forget what it did."""
        if values.claim_of(self._configured()) != self.claim:
            raise broken("configure", "another claim than before")
        return self

    def release(self, records: Records) -> Mapping[str, bytes]:
        """One bundle."""
        return values.files("release", self._ask("release", records=_plain(records)))

    def close(self) -> None:
        """Say goodbye and end the process."""
        idle = self._turn.acquire(timeout=self._session.child.limits.farewell)
        try:
            if idle and not self._session.child.closed:
                with suppress(SubjectError):  # whatever it says, it is ended now
                    self._session.ask("bye")
            self._session.child.close()
        finally:
            if idle:
                self._turn.release()


def _scoring(setting: Setting) -> dict[str, str]:
    """What scores texts: term weights, or the deployer's own file under its own name."""
    weights = setting.weights
    if isinstance(weights, representation.Weights):
        return {"weights.json": representation.encode(weights).decode()}
    return {setting.deployment.assignment.weights.file: weights.source}


class _Samples(CommandSubject):
    def sample(self, records: Records, runs: int) -> Plans:
        """Many plans of one corpus, as .npy files or as little-endian numbers after the answer."""
        with self._turn:
            answer = self._session.result("sample", records=_plain(records), runs=runs)
            try:
                found = values.handed_over(answer, self._session.child.folder)
                return found or self._streamed(answer, runs)
            except SubjectError as error:
                self._session.lose(error)
                raise

    def _streamed(self, answer: Mapping[str, Any], runs: int) -> Plans:
        rows, width = values.count("sample", answer, "rows"), values.count("sample", answer, "width")
        kind = answer.get("masses")
        if rows != runs or not 0 < rows * width <= values.MOST_VALUES:
            raise broken("sample", f"{rows} rows of {width} for {runs} runs")
        if kind not in values.MASSES:
            raise broken("sample", f"masses of an unknown type, {kind!a:.40}; write one of {', '.join(values.MASSES)}")
        child = self._session.child
        columns = [
            np.frombuffer(child.exactly(rows * width * np.dtype(one).itemsize, child.limits.seconds), one)
            for one in (values.ATOMS, kind)
        ]
        return Plans(*(column.reshape(rows, width) for column in columns))


class _Seeded(CommandSubject):
    def release_seeded(self, records: Records, seed: bytes) -> Mapping[str, bytes]:
        """One bundle, all of whose draws follow from the seed."""
        return values.files("release", self._ask("release", records=_plain(records), seed=seed.hex()))


class _Contributes(CommandSubject):
    def contribution(self, record: Record) -> list[int]:
        """One record's contribution in lattice units."""
        return values.integers("contribution", self._ask("contribution", record=dict(record)))


class _Keys(CommandSubject):
    def unit_key(self, record: Record) -> str | None:
        """What the record is grouped by."""
        key = self._ask("unit_key", record=dict(record)).get("key", False)
        if key is not None and not isinstance(key, str):
            raise broken("unit_key", "a key that is neither a text nor null")
        return key


class _Sketches(CommandSubject):
    def sketch(self, records: Records) -> list[int]:
        """The exact sketch in lattice units."""
        return values.integers("sketch", self._ask("sketch", records=_plain(records)))


class _Decodes(CommandSubject):
    def decoder_input(self, plan: bytes) -> bytes:
        """All that the decoder sees for a plan."""
        return values.data("decoder_input", self._ask("decoder_input", plan=plan.decode()).get("data"))


class _Charges(CommandSubject):
    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta of what was released so far."""
        answer = self._ask("spent")
        return values.number("spent", answer.get("epsilon")), values.number("spent", answer.get("delta"))


class _Answers(CommandSubject):
    def vector(self, function: str, given: dict[str, Any]) -> Any:
        """The output of one deterministic step; `Skips` where it has none, `Refused` where it fails in the input."""
        with self._turn:
            answer = self._session.ask("vector", function=function, input=given)
        if isinstance(answer, Skipped):
            return Skips(answer.reason)
        if isinstance(answer, Errored):
            return Refused(answer.last)
        return answer.get("output")


OFFERS: Mapping[str, type[CommandSubject]] = {
    "sample": _Samples, "seed": _Seeded, "contribution": _Contributes, "unit_key": _Keys, "sketch": _Sketches,
    "decoder_input": _Decodes, "spent": _Charges, "vector": _Answers,
}  # fmt: skip
"""What a `hello` may offer beyond `release`; other words in it are for other commands."""


def connect(command: Sequence[str], setting: Setting, limits: Limits | None = None) -> CommandSubject:
    """Start a command and make it a subject with the methods that it offers.

    Raises:
        UsageError: when it cannot be started.
        SubjectError: when it does not keep the protocol.
    """
    with ExitStack() as stack:
        session = Session(stack.enter_context(Child(command, limits or Limits())))
        name, offers = _greeted(session)
        parts = tuple(OFFERS[word] for word in sorted(OFFERS) if word in offers)
        made: Callable[..., CommandSubject] = type("CommandSubject", parts or (CommandSubject,), {})
        found = made(session, name, setting)
        stack.pop_all()
        return found


def _greeted(session: Session) -> tuple[str, frozenset[str]]:
    """The subject's name for itself, and what it offers."""
    answer = session.result("hello", protocol=PROTOCOL)
    name, offers = answer.get("name"), answer.get("offers")
    if answer.get("protocol") != PROTOCOL or not isinstance(name, str) or not isinstance(offers, list):
        said = ascii(answer.get("protocol"))[:40]
        raise broken("hello", f"something other than a name, offers and protocol {PROTOCOL} (its protocol: {said})")
    return "".join(sign if sign.isprintable() else "?" for sign in name[:200]), frozenset(map(str, offers))


def _plain(records: Records) -> list[dict[str, str]]:
    return [dict(record) for record in records]
