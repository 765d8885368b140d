"""A subject in an interpreter of its own: what it does there harms nobody, and is seen.

The new process leads a session of its own, works in an empty folder that is removed afterwards, and has a time limit
for each release; when it is done or late, its session and its descendants are ended, and whatever works in that folder
(`leftovers`).  Its clocks, its number and its seed of hashes are those of every other such process, so that noise that
follows from them repeats.  An audit hook (PEP 578) keeps what reaches beyond the process while it releases.  Not seen:
what native code and child processes do, and, once its parent has ended, a child that leads a session of its own.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from dpspin.errors import DpspinError, SubjectError
from dpspin.pipeline import Setting
from dpspin_audits import addresses
from dpspin_audits.protocol import leftovers
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running import watched
from dpspin_audits.running.outcomes import Conduct, Outcome, captured, released
from dpspin_audits.subject import BlackBox, Records

SECONDS = 60
"""A release that takes longer is ended."""
ANSWER = 0.8
"""Share of that time that one answer of a command may take by itself, so that its last words are heard."""
STARTING = 60
"""Seconds for the new interpreter to be there, at least: that is no time of the subject."""
HERE = "here"
"""What it says then."""
GRACE = 20
"""Tenths of a second in which what it started may end, too."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn")
NETWORK = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind", "socket.getaddrinfo")


class _Order(NamedTuple):
    spec: str
    setting: Setting
    corpora: Sequence[Records]
    folder: str
    path: list[str]
    seconds: float


class Elsewhere:
    """Releases corpora in a new interpreter that resolves the subject's address anew."""

    def __init__(self, spec: str, setting: Setting, seconds: float = SECONDS, *, answer: float | None = None) -> None:
        self._answer = ANSWER * seconds if answer is None else answer
        self._spec, self._setting, self._seconds = spec, setting, max(seconds, self._answer / ANSWER)

    def __call__(self, corpora: Sequence[Records]) -> Conduct:
        """One release of each corpus, in order, each by a new instance.

        Raises:
            SubjectError: when the address names no subject there.
        """
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = [entry for entry in sys.path if entry]
            order = _Order(self._spec, self._setting, corpora, folder, path, self._answer)
            here, there = get_context("spawn").Pipe(duplex=False)
            try:
                with here, _running(order, there) as process:
                    return _listen(here, process, folder, self._seconds)
            finally:
                leftovers.end(Path(folder))


@contextmanager
def _running(order: _Order, there: Connection) -> Iterator[BaseProcess]:
    """A process that is ended with all that it started."""
    process = get_context("spawn").Process(target=_work, args=(order, there), daemon=False)
    with there, _fixed_hashes():
        process.start()
    try:
        yield process
    finally:
        _end(process)


@contextmanager
def _fixed_hashes() -> Iterator[None]:
    """New interpreters hash strings alike meanwhile."""
    name = "PYTHONHASHSEED"
    old = os.environ.get(name)
    os.environ[name] = "0"
    try:
        yield
    finally:
        if old is None:
            del os.environ[name]
        else:
            os.environ[name] = old


def _listen(here: Connection, process: BaseProcess, folder: str, seconds: float) -> Conduct:
    """Take outcomes as they come."""
    outcomes: list[Outcome] = []
    events: list[list[str]] = []
    ended, limit = "", max(seconds, STARTING)
    while not events:
        if not wait([here, process.sentinel], limit):
            ended = f"no answer within {limit:g} seconds (--timeout allows more)"
            break
        try:
            said = here.recv() if here.poll() else None
        except (EOFError, OSError):
            said = None
        if said is None:
            process.join(seconds)
            ended = f"the process ended with exit code {process.exitcode}"
            break
        if said == HERE:
            limit = seconds
            continue
        if isinstance(said, SubjectError):
            ended = said.what
            break
        if isinstance(said, DpspinError):
            raise SubjectError("the subject", f"cannot be had in a new process ({said})")
        if isinstance(said, Outcome):
            outcomes.append(said)
        else:
            events = said
    outlived = _survivors(process, seconds if events else 0)
    written, network = _written(events, Path(folder)), _turned_to(events)
    started = sum(event[0] in STARTS for event in events)
    return Conduct(tuple(outcomes), ended, written, network, started, outlived, leftovers.unseen())


def _written(events: list[list[str]], folder: Path) -> tuple[str, ...]:
    """Files in the folder, and files elsewhere that were opened to be written and are still there."""
    within = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))]
    opened = [Path(folder, event[1]) for event in events if event[0] == "open" and _writes(*event[2:4])]
    elsewhere = [str(path) for path in opened if path.is_file() and not path.is_relative_to(folder)]
    return (*within, *dict.fromkeys(elsewhere))


def _writes(mode: str, flags: str) -> bool:
    return any(letter in mode for letter in "wax+") or (flags.isdecimal() and bool(int(flags) & WRITING))


def _turned_to(events: list[list[str]]) -> tuple[str, ...]:
    """Internet addresses; a path names a socket of this machine."""
    found = [event[1 if event[0] == "socket.getaddrinfo" else 2] for event in events if event[0] in NETWORK]
    return tuple(dict.fromkeys(address for address in found if not address.startswith("/")))


def _survivors(process: BaseProcess, seconds: float) -> int:
    """Members of the session that are there although its leader has ended; none where none can be seen."""
    process.join(seconds)
    left: list[int] = []
    for _ in range(GRACE if process.exitcode is not None else 0):
        left = _session(process.pid or 0)
        if not left:
            break
        time.sleep(0.1)
    return len(left)


def _session(leader: int) -> list[int]:
    """Processes of a session that are not dead."""
    return [pid for pid, _, session in _processes() if session == leader]


def _descendants(ancestor: int) -> list[int]:
    """Children of a process that is there, and theirs, whatever session they lead."""
    parents = {pid: parent for pid, parent, _ in _processes()}
    found = [ancestor]
    for known in found:
        found += [pid for pid, parent in parents.items() if parent == known]
    return found[1:]


def _processes() -> Iterator[tuple[int, int, int]]:
    """Number, parent and session of every process that is not dead (proc(5): state, parent, group, session)."""
    for entry in leftovers.PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            if fields[0] != "Z":
                yield int(entry.parent.name), int(fields[1]), int(fields[3])


def _end(process: BaseProcess) -> None:
    """End a process, its session and its descendants."""
    leader = process.pid or 0
    members = {*_session(leader), *(_descendants(leader) if process.is_alive() else ())}
    process.kill()
    with suppress(ProcessLookupError, PermissionError):  # its group, which needs no /proc
        os.killpg(leader, signal.SIGKILL)
    for member in members:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(member, signal.SIGKILL)
    process.join()


def _work(order: _Order, there: Connection) -> None:
    """The new process's part."""
    there.send(HERE)
    os.setsid()
    for descriptor in (1, 2):  # last words of an interpreter that breaks off
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    sys.path[:] = order.path
    sys.dont_write_bytecode = True
    watched.freeze()
    if order.spec.startswith("cmd:"):
        tempfile.tempdir = order.folder  # the command's own folder is removed with it, however this ends
    try:
        with captured():
            subject: BlackBox = addresses.resolve(order.spec, order.setting, ReferenceSubject, order.seconds)
    except DpspinError as error:
        there.send(error)
        return
    os.chdir(order.folder)
    events: list[list[str]] = []
    watched.watch(events)
    with addresses.closing(subject):
        for records in order.corpora:
            outcome = released(subject, records)
            if lost := getattr(subject, "lost", None):  # a command that broke off
                there.send(lost)
                return
            there.send(outcome)
    there.send([*events, ["end"]])
