"""Scores by a function of one's own: a Python file that the deployment pins (paper section 3.3).

`assignment.rule: module:attr` names the file `module.py` beside the deployment, pinned like any other by the digest of
its bytes, and a function in it, `attr(text, labels) -> scores`: one integer for every label.  What runs is exactly
these bytes.  What they import or read elsewhere is pinned by nobody, and reports say so.
"""

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from dpspin.corpus.representation import Weights
from dpspin.errors import UsageError

Function = Callable[[str, tuple[str, ...]], object]


@dataclass(frozen=True, slots=True)
class OwnScores:
    """Scores of a text by a function of the deployer's own; what is held is text, so it can be sent elsewhere."""

    rule: str
    """module:attr"""
    source: str
    """Text of the file `module.py`."""
    labels: tuple[str, ...]
    """Of the universe, in order."""

    @property
    def atoms(self) -> int:
        """Size of the universe."""
        return len(self.labels)

    def scores(self, text: str | None) -> list[int]:
        """One score per atom; all zero without text, and where the function fails or returns anything else.

        That a record makes the function fail follows from this record alone and must not show; nor does what it prints.
        """
        found = None if text is None else _quietly(self, text)
        return _scores(found, self.atoms) or [0] * self.atoms


Scoring = Weights | OwnScores
"""What scores one text over the atoms (spec.md section 1, contribution map)."""


def file_of(rule: str) -> str:
    """Name of the file that holds a function of the deployer's own."""
    return f"{rule.partition(':')[0]}.py"


def load(rule: str, source: bytes, labels: tuple[str, ...]) -> OwnScores:
    """The function that a deployment names; nothing is run.

    Args:
        rule: module:attr.
        source: bytes of the file.
        labels: of the universe, in order.

    Raises:
        UsageError: when the file is not UTF-8.
    """
    try:
        return OwnScores(rule, source.decode(), labels)
    except UnicodeDecodeError as error:
        raise UsageError(file_of(rule), f"not UTF-8, from byte {error.start + 1}", "save it as UTF-8") from error


def check(weights: Scoring) -> None:
    """Run a function of the deployer's own on a label, before there is a record; once in a process if it works.

    Raises:
        UsageError: when it cannot be run or returns no scores.
    """
    if isinstance(weights, OwnScores):
        _check_runs(weights)


@lru_cache(maxsize=8)
def _check_runs(weights: OwnScores) -> None:
    file, name, label = file_of(weights.rule), weights.rule.partition(":")[2], weights.labels[0]
    try:
        found = _function(weights.rule, weights.source)(label, weights.labels)
    except (Exception, SystemExit) as error:
        line = f": line {error.lineno}" if isinstance(error, SyntaxError) else ""
        problem = f"{name} failed on the label {label!a} ({type(error).__name__}: {error})"
        raise UsageError(f"{file}{line}", problem[:300], "see that it runs on every text") from error
    if _scores(found, weights.atoms) is None:
        remedy = f"return a list of {weights.atoms} integers, one for every label"
        raise UsageError(file, f"{name} returned {found!a:.80} for the label {label!a}", remedy)


def _quietly(own: OwnScores, text: str) -> object:
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return _function(own.rule, own.source)(text, own.labels)
    except (Exception, SystemExit):
        return None


def _scores(found: object, atoms: int) -> list[int] | None:
    """What a function returned, if these are scores."""
    if not isinstance(found, list | tuple) or len(found) != atoms or not all(type(score) is int for score in found):
        return None
    return list(found)


@lru_cache(maxsize=8)
def _function(rule: str, source: str) -> Function:
    """The function, from a module that is run once in a process."""
    name, _, attribute = rule.partition(":")
    module = ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)  # noqa: S102  what the deployment pins is run
    function: Function = getattr(module, attribute)
    return function
