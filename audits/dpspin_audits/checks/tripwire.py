"""tripwire: whether a writer touches anything but the plan and public code (premise of Theorem 5.8).

The writer runs in a fresh interpreter without environment, under an audit hook (PEP 578), twice.  It may import code
and read the files of its own package; it must not open another file, a socket or a process, write anywhere, or import
what the curator has.  Reading the clock is allowed, because no audit event shows it and a time limit needs it; letting
it into a text is not: the second run has clocks moved by years and another seed of hashes, and a writer declared to be
deterministic must write the same.  It catches mistakes.  Malice in native code, or through frames of this interpreter,
it does not see.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from dpspin import decoder
from dpspin.decoder.attempts import Mode
from dpspin.errors import SubjectError
from dpspin_audits.checks.check import Check
from dpspin_audits.running import watched

ID = "tripwire"
TEMPLATE = "dpspin.decoder.template:decoder"
FORBIDDEN = ("dpspin.curator", "dpspin.corpus", "dpspin.accounting", "dpspin.pipeline")
CODE = (".py", ".pyc", ".so", ".pyd", ".pth", ".zip")
LOOKING = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr", "os.add_dll_directory")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
YEARS = 10 * 365 * 86400
SHIFTS = (0, YEARS)
"""Of the clocks, in seconds: one for each run."""
SECONDS = 60
CHILD = Path(watched.__file__)


class Breach(NamedTuple):
    """One thing that a writer did and may not do."""

    event: str
    what: str


class Watched(NamedTuple):
    """What became of a writer."""

    texts: tuple[str, ...]
    """Its drafts."""
    breaches: tuple[Breach, ...]


class Asking(NamedTuple):
    """A writer that asks a server."""

    maker: str
    """`module:attribute` of a function from settings to a writer and what makes its questions."""
    settings: Mapping[str, Any]
    """As plain data."""
    address: tuple[str, int]
    """The only one that it may connect to."""
    attempts: int = 1
    """How often it is asked at most."""


Writer: TypeAlias = str | Asking
"""`module:attribute` of a `Decoder`, or one that asks a server."""


def watch(
    writer: Writer, plan: bytes, shift: int = 0, more: tuple[Path, ...] = (), mode: Mode = "legacy_text"
) -> Watched:
    """Run a writer once in a fresh interpreter.

    Args:
        writer: which one.
        plan: bytes of plan.json.
        shift: seconds by which clocks are moved.
        more: folders that modules may come from, beside those of this interpreter.
        mode: form of its drafts.

    Raises:
        SubjectError: when the interpreter ends without an answer.
    """
    path = [*map(str, more), *(entry for entry in sys.path if entry)]
    name, settings, address, attempts = writer if isinstance(writer, Asking) else (writer, None, None, 1)
    order = {
        "path": path, "writer": name, "settings": settings, "plan": plan.decode(), "attempts": attempts, "mode": mode,
        "shift": shift,
    }  # fmt: skip
    command = [sys.executable, "-I", "-B", str(CHILD)]
    try:
        run = subprocess.run(  # noqa: S603 - our own interpreter and module
            command, input=json.dumps(order).encode(), capture_output=True, timeout=SECONDS, env={}, check=True
        )
        answer = json.loads(run.stdout)
    except subprocess.TimeoutExpired as error:
        raise SubjectError(name, f"no answer within {SECONDS} seconds") from error
    except (subprocess.CalledProcessError, ValueError) as error:
        raise SubjectError(name, "the watched interpreter ended without an answer") from error
    homes, code = _resolved([*map(str, decoder.__path__), *_package(name, path)]), _resolved(path)
    events = [event for event in answer["events"] if address is None or not _asks(event, address)]
    each = [[*event] for event in dict.fromkeys(map(tuple, events))]
    breaches = [breach for event in each if (breach := _breach(event, homes, code)) is not None]
    breaches += [Breach("import", name) for name in answer["imported"] if _is_forbidden(name)]
    return Watched(tuple(answer["texts"]), tuple(dict.fromkeys(breaches)))


def _asks(event: list[str], address: tuple[str, int]) -> bool:
    """Whether an event belongs to a connection to this address and no other."""
    name, arguments = event[0], [*event[1:], "", "", ""]
    if name == "socket.connect":
        return arguments[1] == repr(address)
    if name == "socket.getaddrinfo":
        return (arguments[0], arguments[1]) == (address[0], repr(address[1]))
    return name == "socket.__new__"


def _package(writer: str, path: list[str]) -> list[str]:
    """The folder of the writer's package; a module outside any package has no data of its own."""
    folder = "/".join(writer.partition(":")[0].split(".")[:-1])
    return [str(Path(entry, folder)) for entry in path if folder and Path(entry, folder).is_dir()][:1]


def _breach(event: list[str], homes: list[str], path: list[str]) -> Breach | None:
    """What is wrong with an event, if anything."""
    name, arguments = event[0], [*event[1:], "", "", ""]
    if name == "import":
        return Breach(name, arguments[0]) if _is_forbidden(arguments[0]) else None
    if name == "open":
        return None if _may_open(arguments, homes, path) else Breach(name, arguments[0])
    if name in LOOKING and _is_within(arguments[0], [*path, *_libraries()]):
        return None  # the import system looks for modules
    return Breach(name, " ".join(arguments[:2]).strip())


def _may_open(arguments: list[str], homes: list[str], path: list[str]) -> bool:
    """Reading of code, of data of the writer's package or the verifier's, and of what other packages bring."""
    file, mode, flags = arguments[:3]
    if any(letter in mode for letter in "wax+") or (flags.isdecimal() and int(flags) & WRITING):
        return False
    if _is_within(file, homes):
        return True
    if file.endswith(CODE):
        return _is_within(file, [*path, *_libraries()])
    return _is_within(file, _libraries()) and "dpspin" not in Path(file).parts


@cache
def _libraries() -> list[str]:
    return _resolved([*{sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}])


def _is_within(file: str, folders: list[str]) -> bool:
    """Whether a file lies in one of some folders, which are resolved already."""
    place = Path(file).resolve()
    return any(place.is_relative_to(folder) for folder in folders)


def _resolved(folders: list[str]) -> list[str]:
    return [str(Path(folder).resolve()) for folder in folders]


def _is_forbidden(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in FORBIDDEN)


def check(
    writer: Writer, plan: bytes, mode: Mode = "legacy_text", *, deterministic: bool = True, more: tuple[Path, ...] = ()
) -> Check:
    """The verdict on a writer: two runs, the second with other clocks."""
    try:
        runs = [watch(writer, plan, shift, more, mode) for shift in SHIFTS]
    except SubjectError as error:
        return Check(ID, "error", "exact_on_hit", "The writer could not be watched.", {}, str(error), "mend it")
    figures: dict[str, Any] = {"runs": len(runs), "breaches": sum(len(run.breaches) for run in runs)}
    breach = next((breach for run in runs for breach in run.breaches), None)
    if breach is not None:
        return Check(
            ID, "fail", "exact_on_hit", "The writer reaches beyond the plan.", figures,
            f"{breach.event}: {breach.what!a:.200}", "give it the plan alone",
        )  # fmt: skip
    if deterministic and runs[0].texts != runs[1].texts:
        return Check(
            ID, "fail", "exact_on_hit", "The writer's text changes although the plan does not.", figures,
            "two runs wrote different texts", "keep clocks and chance out of the text",
        )  # fmt: skip
    return Check(ID, "pass", "exact_on_hit", "The writer opened nothing but public code and its own data.", figures)
