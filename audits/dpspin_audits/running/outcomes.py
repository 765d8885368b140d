"""What one release comes to: a bundle, or the exception instead of it, and whatever was printed meanwhile.

Whatever leaves a release is an output, so that checks look at all of it.  Output is taken from the descriptors of the
process, so that native code and child processes cannot print past it; releases in other threads must not run meanwhile.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from io import TextIOWrapper
from typing import BinaryIO, cast

from dpspin.errors import SubjectError
from dpspin_audits.distribution.trials import patient
from dpspin_audits.handed import copies, hand
from dpspin_audits.subject import BlackBox, Records

Bundle = Mapping[str, bytes]
SECONDS = 60.0
"""What one release may take."""
PRINTED, RAISED = "(printed)", "(exception)"
"""Names under which checks look at what is no file."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one release came to."""

    bundle: Bundle | None
    """None where there is none."""
    error: str = ""
    """Name of the exception's class, with the exit code where one was asked for; empty where a bundle was returned."""
    message: str = ""
    """Text of the exception and of those behind it."""
    printed: bytes = b""
    """Standard output and standard error."""

    @property
    def files(self) -> dict[str, bytes]:
        """Everything that left the release, by name."""
        said = {PRINTED: self.printed, RAISED: self.message.encode(errors="backslashreplace")}
        return {**(self.bundle or {}), **{name: data for name, data in said.items() if data}}


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a process did, release by release, and beside them."""

    outcomes: tuple[Outcome, ...]
    """As many as it came to."""
    ended: str = ""
    """Why it came to no more; empty where it did them all."""
    written: tuple[str, ...] = ()
    """Files that were written and are still there; those in its own folder by their names in it."""
    network: tuple[str, ...] = ()
    """Addresses that it turned to."""
    started: int = 0
    """Processes that it started."""
    outlived: int = 0
    """Processes that were still there when it had ended; they were ended, too."""
    unseen: str = ""
    """Why nobody could see whether there were any; empty where one could."""


Elsewhere = Callable[[Sequence[Records]], Conduct]
"""Releases corpora in a process of its own (`processes.Elsewhere`)."""


def released(subject: BlackBox, records: Records) -> Outcome:
    """What a release of a new instance comes to."""
    return observe(lambda: subject.fresh().release(copies(records)))


def observe(work: Callable[[], object]) -> Outcome:
    """What a call that should give a bundle comes to; whatever it raises is an outcome, `SystemExit` among it.

    Raises:
        SubjectError: when it takes longer than SECONDS.
    """
    with captured() as tape:
        found = patient(lambda: _attempt(work), SECONDS)
    return replace(found, printed=bytes(tape))


def _attempt(work: Callable[[], object]) -> Outcome:
    try:
        return Outcome(checked(work()))
    except (Exception, SystemExit) as error:
        return Outcome(None, kind(error), _texts(error))


def kind(error: BaseException) -> str:
    """The class of an exception, and the exit code of one that would end the process."""
    return f"SystemExit {error.code!r:.40}" if isinstance(error, SystemExit) else type(error).__name__


def _texts(error: BaseException | None) -> str:
    """Messages of an exception and of what it came from."""
    texts: list[str] = []
    while error is not None and len(texts) < 10:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    return "\n".join(texts)


def checked(bundle: object) -> Bundle:
    """Names and bytes as they are.

    Raises:
        SubjectError: when that is something else.
    """
    files = dict(cast("Bundle", bundle))
    if not all(isinstance(name, str) and isinstance(data, bytes) for name, data in files.items()):
        raise SubjectError("the subject", "release returned something other than names and bytes")
    return files


def release(subject: BlackBox, records: Records) -> Bundle:
    """One release of a new instance.

    Raises:
        SubjectError: when it raises, or is not a mapping of names to bytes.
    """
    try:
        return checked(patient(lambda: hand(records, "release", subject.fresh().release), SECONDS))
    except SubjectError:
        raise
    except (Exception, SystemExit) as error:
        raise SubjectError("the subject", f"release raised {kind(error)}") from error


@contextmanager
def captured() -> Iterator[bytearray]:
    """Take what is printed, at the descriptors and at Python's streams; it is complete when the context has ended."""
    tape = bytearray()
    with tempfile.TemporaryFile() as file, ExitStack() as stack:
        stack.enter_context(diverted(file.fileno(), (1, 2)))
        text = TextIOWrapper(cast("BinaryIO", os.fdopen(os.dup(file.fileno()), "wb")), "utf-8", "backslashreplace")
        stack.enter_context(text)
        stack.enter_context(redirect_stdout(text))
        stack.enter_context(redirect_stderr(text))
        try:
            yield tape
        finally:
            text.flush()
            file.seek(0)
            tape += file.read()


@contextmanager
def aside() -> Iterator[None]:
    """Whatever is printed meanwhile goes to standard error, so that standard output holds results alone."""
    with diverted(2, (1,)), redirect_stdout(sys.stderr):
        yield


@contextmanager
def diverted(to: int, descriptors: Sequence[int]) -> Iterator[None]:
    """Let descriptors write to another one; Python's streams are flushed before and after."""
    kept = [os.dup(descriptor) for descriptor in descriptors]
    _flush()
    try:
        for descriptor in descriptors:
            os.dup2(to, descriptor)
        yield
    finally:
        _flush()
        for descriptor, old in zip(descriptors, kept, strict=True):
            os.dup2(old, descriptor)
            os.close(old)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
