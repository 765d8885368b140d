"""Processes that outlive a subject: whatever it started in its folder ends with it, wherever it went from there.

A process that leads a session of its own is in no group that could be killed, and once its parent has ended it is
nobody's descendant.  It still has the environment that it began with, where TMPDIR names the folder of the subject,
and mostly that working folder.  Not found: one that was started with another environment and has left the folder, and
one whose entry in /proc this user may not read.  Where there is no /proc, as on macOS, none is found: `unseen` says
so, and evidence repeats it.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
UNSEEN = "needs /proc"
"""What evidence says where no process can be looked for."""
ROUNDS = 20
"""Whoever starts processes faster than they are ended is given up."""
PAUSE = 0.01
"""Seconds in which one that was killed may go."""


def unseen() -> str:
    """Why processes cannot be looked for here; empty where they can."""
    try:
        _belongs(PROC / "self", b"")
    except OSError:
        return UNSEEN
    return ""


def end(folder: Path) -> None:
    """Kill every process that began in a folder or works there, this one left out; nothing where none can be seen."""
    for _ in range(ROUNDS):
        found = list(of(folder))
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)


def of(folder: Path) -> Iterator[int]:
    """Numbers of those processes."""
    own = os.getpid()
    for place in PROC.glob("[0-9]*"):
        with suppress(OSError):
            if int(place.name) != own and _belongs(place, os.fsencode(folder)):
                yield int(place.name)


def _belongs(place: Path, folder: bytes) -> bool:
    """Whether an entry of /proc has the folder, or one in it, for its TMPDIR or its working folder."""
    began = (place / "environ").read_bytes().split(b"\0")
    named = [word.removeprefix(b"TMPDIR=") for word in began if word.startswith(b"TMPDIR=")]
    works = os.fsencode((place / "cwd").readlink()).removesuffix(b" (deleted)")
    return any(name == folder or name.startswith(folder + b"/") for name in (*named, works))
