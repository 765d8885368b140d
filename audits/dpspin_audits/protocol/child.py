"""One process of a subject: bytes in and out, every wait and every answer bounded, nothing left running.

The process leads a group of its own, which is killed as a whole when it closes, so that what it forked ends with it;
what left the group is found by `leftovers`.  Its working folder is an empty temporary one, removed afterwards together
with whatever it left there.
"""

import os
import select
import selectors
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic  # bound here, so that it goes on where clocks are frozen (`watched.freeze`)

from dpspin.errors import SubjectError, UsageError
from dpspin_audits.protocol import leftovers

CHUNK = 1 << 16
TAIL = 1 << 12
"""Bytes of standard error that a message may quote; more are read and dropped."""

QUOTED = 500
"""Characters of the last line that one does quote."""

TICK = 0.5
"""Seconds of silence after which it is looked whether the process is still there."""

LAST_WORDS = 0.05
"""Seconds in which more may come on standard error."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one process."""

    seconds: float = 60.0
    """For one message to be written and its answer to arrive."""
    starting: float = 60.0
    """For the first answer."""
    farewell: float = 2.0
    """Between `bye` and the end by force."""
    flood: int = 1 << 28
    """Bytes that it may write ahead of what is read."""


class Child:
    """A running command.  Close it, or use it as a context manager."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.limits, self._read, self._errors = limits, bytearray(), bytearray()
        self.asked = "it"
        """The operation that was asked last, for messages."""
        self._folder = TemporaryDirectory(prefix="dpspin-subject-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        """Empty working folder; files of the hand-over stand here."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the subject's own command, without a shell
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=self.folder, env={**os.environ, "TMPDIR": str(self.folder)}, start_new_session=True, bufsize=0,
            )  # fmt: skip
        except OSError as error:
            self._folder.cleanup()
            raise UsageError(
                f"cmd:{command[0]}", f"cannot be started ({error.strerror})", "name a program that can be run"
            ) from error
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe
        )
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)

    @property
    def closed(self) -> bool:
        """Whether it was ended from here."""
        return self._process.stdout is None or self._process.stdout.closed

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes, seconds: float) -> None:
        """Write all of it, reading whatever the process says meanwhile.

        Raises:
            SubjectError: when it does not take the bytes in time, or has ended.
        """
        left = memoryview(data)

        def written() -> bool:
            nonlocal left
            try:
                left = left[os.write(self._in, left[:CHUNK]) :]
            except BlockingIOError:
                pass
            except OSError:
                raise self._ended("before it had read") from None
            return not left

        self._until(written, seconds, writing=True)

    def line(self, seconds: float) -> bytes:
        """The next line, without its end.

        Raises:
            SubjectError: when none comes in time, it is too long, or the process ends first.
        """
        at, seen = -1, 0

        def found() -> bool:
            nonlocal at, seen
            at, seen = self._read.find(b"\n", seen), len(self._read)
            return at >= 0

        self._until(found, seconds)
        answer = bytes(self._read[:at])
        del self._read[: at + 1]
        return answer

    def exactly(self, count: int, seconds: float) -> bytes:
        """So many bytes that follow a line.

        Raises:
            SubjectError: when they do not come in time.
        """
        self._until(lambda: len(self._read) >= count, seconds)
        answer = bytes(self._read[:count])
        del self._read[:count]
        return answer

    def error(self, what: str) -> SubjectError:
        """An error with the last line that the process wrote to standard error."""
        self._overheard()
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return SubjectError("the subject", f"{what}; its standard error ends: {lines[-1][-QUOTED:]}" if lines else what)

    def _ended(self, when: str) -> SubjectError:
        """An error about a process that is over, or has closed its standard output."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS)
        code = self._process.returncode
        how = (
            "its standard output is closed" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
        )
        return self.error(f"ended {when} {self.asked} ({how}{self._part()})")

    def _part(self) -> str:
        """That an answer has begun, if so."""
        return f"; {len(self._read)} bytes of an answer came" if self._read else ""

    def _overheard(self) -> None:
        """Take what is on standard error already, such as last words that came after the end of standard output."""
        for _ in range(TAIL):  # whoever never stops is not heard out
            if self.closed or not select.select([self._err], [], [], LAST_WORDS)[0] or not self._take(self._err):
                return

    def close(self) -> None:
        """End the process and everything in its group, and remove its folder; a second time changes nothing."""
        if self.closed:
            return
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self.limits.farewell)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        leftovers.end(self.folder)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        self._folder.cleanup()

    def _until(self, done: Callable[[], bool], seconds: float, *, writing: bool = False) -> None:
        """Move bytes until `done`; a deadline bounds it, whatever the process does."""
        deadline = monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            for descriptor in (self._out, self._err):
                selector.register(descriptor, selectors.EVENT_READ)
            if writing:
                selector.register(self._in, selectors.EVENT_WRITE)
            while not done():
                left = deadline - monotonic()
                if left <= 0:
                    late = f"gave no answer to {self.asked} within {seconds:g} s"
                    raise self.error(f"{late} (--timeout allows more{self._part()})")
                ready = selector.select(min(left, TICK))
                if not ready and self._process.poll() is not None:  # what it forked holds its streams open
                    raise self._ended("without an answer to")
                for key, _ in ready:
                    if key.fd != self._in and not self._take(key.fd):
                        selector.unregister(key.fd)
                        if key.fd == self._out and not done():
                            raise self._ended("without an answer to")

    def _take(self, descriptor: int) -> bool:
        """Read what is there; False at the end of the stream."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return True
        if descriptor == self._out:
            self._read += data
            if len(self._read) > self.limits.flood:
                raise self.error(f"wrote more than {self.limits.flood} bytes that nobody asked for")
        else:
            self._errors += data
            del self._errors[:-TAIL]
        return bool(data)
