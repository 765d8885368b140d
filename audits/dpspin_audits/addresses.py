"""How an implementation is found: from an address to a subject.

`ref` is the reference implementation.  `py:module:attr` imports `module` and takes `attr`: a subject as it stands, or a
callable that makes one, called with the deployment's `Setting` if it takes an argument and with nothing otherwise.
`cmd:COMMAND` starts COMMAND, without a shell, and speaks DPSP/1 with it (docs/protocol.md).
"""

import inspect
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.protocol import subject as protocol
from dpspin_audits.protocol.child import Limits
from dpspin_audits.subject import BlackBox, Claim

ADDRESSES = 'write "ref", "py:module:attr" or "cmd:COMMAND"'


def resolve(
    spec: str, setting: Setting, reference: Callable[[Setting], BlackBox], seconds: float | None = None
) -> BlackBox:
    """The subject that an address names; one that is a command runs until `close` ends it.

    Args:
        spec: `ref`, `py:module:attr` or `cmd:COMMAND`.
        setting: the deployment under audit, handed to factories.
        reference: makes the reference subject.
        seconds: for each answer of a command; None for the usual bounds.

    Raises:
        UsageError: when the address, the import, the attribute or the program is wrong.
        SubjectError: when a command does not keep the protocol.
    """
    if spec == "ref":
        return reference(setting)
    scheme, _, rest = spec.partition(":")
    if scheme == "cmd":
        limits = None if seconds is None else Limits(seconds, seconds, min(seconds / 4, Limits().farewell))
        return protocol.connect(command(spec, rest), setting, limits)
    module, _, attribute = rest.partition(":")
    if scheme != "py" or not module or not attribute:
        raise UsageError(f"--impl {spec}", "not the address of a subject", ADDRESSES)
    found = _imported(spec, module, attribute)
    subject = _as_subject(found) or _as_subject(_made(spec, found, setting))
    if subject is None:
        raise UsageError(
            f"--impl {spec}", "is not a subject", "give it `claim`, `fresh()` and `release(records)`, claim a `Claim`"
        )
    return subject


@contextmanager
def closing(subject: BlackBox) -> Iterator[BlackBox]:
    """A subject that is ended with the context, however that ends."""
    try:
        yield subject
    finally:
        close(subject)


def close(subject: object) -> None:
    """End what an address started, if it started anything."""
    end = getattr(subject, "close", None)
    if callable(end):
        end()


def command(spec: str, text: str) -> list[str]:
    """The words of a command; those that name a file here are made absolute, since it runs in a folder of its own.

    Raises:
        UsageError: when there is no word, or a quote is left open.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"--impl {spec}", f"not a command ({error})", "close every quote") from None
    if not words:
        raise UsageError(f"--impl {spec}", "names no command", 'write such as cmd:"node subject.mjs"')
    first, *others = words
    return [_absolute(first) if "/" in first else first, *map(_absolute, others)]


def _absolute(word: str) -> str:
    try:
        return str(Path(word).absolute()) if Path(word).is_file() else word
    except (OSError, ValueError):
        return word


def _imported(spec: str, module: str, attribute: str) -> Any:
    try:
        found: Any = import_module(module)
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"--impl {spec}", f"cannot be imported ({type(error).__name__}: {error})", "name an importable module"
        ) from error
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise UsageError(f"--impl {spec}", f"{module} has no {attribute}", "name an attribute of that module")
        found = getattr(found, name)
    return found


def _as_subject(found: Any) -> BlackBox | None:
    """The object itself if it keeps the protocol; a class is a factory, not a subject."""
    known = not isinstance(found, type) and isinstance(found, BlackBox) and isinstance(found.claim, Claim)
    return found if known else None


def _made(spec: str, factory: Any, setting: Setting) -> Any:
    """What a factory makes, with the setting where it takes an argument."""
    if not callable(factory):
        return factory
    try:
        wanted = [p for p in inspect.signature(factory).parameters.values() if p.default is p.empty]
        return factory(setting) if wanted else factory()
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"--impl {spec}", f"made no subject ({type(error).__name__}: {error})", "take a Setting, or nothing"
        ) from error
