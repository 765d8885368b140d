"""The watched side of the tripwire: run by path in a fresh interpreter, it runs one writer under an audit hook.

Standard input: JSON `{path, writer, settings, plan, attempts, mode, shift}`; with settings that are not null, the
writer is what the named function makes of them.  Standard output: JSON `{texts, events, imported}`.
The hook is set before anything of the project is imported, and cannot be removed; it keeps what happened, and the other
side judges it.
"""

import datetime
import json
import os
import sys
import time
from itertools import count
from pkgutil import resolve_name

START, NUMBER = 2_000_000_000, 2**22 + 4242
"""What a frozen clock begins with, and the number that a process then has: none that another process could have."""
KEPT = 50_000
"""Events of one run; more than that is an event of its own."""
PREFIXES = (
    "open", "import", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "ctypes.", "sqlite3.", "urllib.",
    "http.", "ftplib.", "smtplib.", "pty.", "mmap.", "fcntl.", "signal.", "webbrowser.", "time.sleep", "syslog.",
    "winreg.",
)  # fmt: skip
"""What reaches beyond the process; `exec`, `compile` and the like happen at every import."""


def watch(events: list[list[str]]) -> None:
    """Keep events from now on; the first two arguments say on what."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith(PREFIXES) and len(events) < KEPT:
            events.append([event, *(_word(argument) for argument in arguments[:3])])
            if len(events) == KEPT:
                events.append(["too many events"])

    sys.addaudithook(hook)


def _word(argument: object) -> str:
    return os.fsdecode(argument) if isinstance(argument, str | bytes) else repr(argument)[:200]


def shift(seconds: int) -> None:
    """Move the clocks that Python code can ask, so that a text that depends on one shows it."""
    for name in ("time", "monotonic", "perf_counter"):
        asked = getattr(time, name)
        setattr(time, name, lambda asked=asked: asked() + seconds)
        nanoseconds = getattr(time, f"{name}_ns")
        setattr(time, f"{name}_ns", lambda asked=nanoseconds: asked() + seconds * 10**9)

    class Shifted(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Shifted":
            return super().now(tz) + datetime.timedelta(seconds=seconds)

    datetime.datetime = Shifted  # type: ignore[misc]


def freeze() -> None:
    """Let clocks tell the same times in every process that asks in the same order, and give each the same number.

    A clock moves on by a millisecond whenever it is asked, so that nobody waits for ever.
    """
    ticks, own, asked = count(), os.getpid(), os.getpid

    def tell() -> float:
        return START + next(ticks) / 1000

    for name in ("time", "monotonic", "perf_counter", "process_time"):
        setattr(time, name, tell)
        setattr(time, f"{name}_ns", lambda: int(tell() * 10**9))
    os.getpid = lambda: NUMBER if asked() == own else asked()

    class Frozen(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Frozen":
            return cls.fromtimestamp(tell(), tz)

        @classmethod
        def utcnow(cls) -> "Frozen":
            return cls.fromtimestamp(tell(), datetime.UTC).replace(tzinfo=None)

    datetime.datetime = Frozen  # type: ignore[misc]


def main() -> None:
    """Run the writer of standard input."""
    events: list[list[str]] = []
    order = json.loads(sys.stdin.buffer.read())
    sys.path[:] = order["path"]
    out = os.dup(1)
    os.dup2(2, 1)  # whatever a writer prints must not be read as our answer
    watch(events)
    decode, write = resolve_name("dpspin.plan:decode"), resolve_name("dpspin.decoder.loop:write")
    plan = decode(order["plan"].encode(), "plan.json")
    shift(order["shift"])
    named = resolve_name(order["writer"])
    writer, ask = (named, None) if order["settings"] is None else named(order["settings"])
    outcome = write(plan, writer, order["attempts"], order["mode"], ask)
    happened = list(events)
    texts = [attempt.text for attempt in outcome.attempts]
    imported = sorted(name for name in sys.modules if name.startswith("dpspin"))
    answer = {"texts": texts, "events": happened, "imported": imported}
    with open(out, "w", encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor, not a path
        json.dump(answer, stream)


if __name__ == "__main__":
    main()
