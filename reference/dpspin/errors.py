"""Three kinds of error: the caller's mistake, another party's violation, and the impossible.

Every class carries the exit code that the command line documents (`interfaces.md`), and its values as fields, so that
a caller may act on them and the command line may print one line.  Values of protected records never enter a message.
"""

from typing import ClassVar


class DpspinError(Exception):
    """Base of every error that this project raises on purpose."""

    exit_code: ClassVar[int] = 70


class UsageError(DpspinError):
    """The caller's mistake: something in a file, an option or an argument that the caller can mend (exit 2)."""

    exit_code: ClassVar[int] = 2

    def __init__(self, place: str, problem: str, remedy: str) -> None:
        super().__init__(f"{place}: {problem}; {remedy}")
        self.place, self.problem, self.remedy = place, problem, remedy


class NotImplementedYet(UsageError):
    """A documented setting whose mechanism has not been built; it is refused rather than ignored (exit 2)."""

    def __init__(self, place: str, value: str, instead: str) -> None:
        super().__init__(place, f"{value} is not implemented yet", f"use {instead}")


class BudgetExceeded(UsageError):
    """A charge that would take a population beyond its budget (exit 2).  Nothing was read and nothing was charged."""


class SubjectError(DpspinError):
    """Another party's violation: a subject under audit crashed, timed out or broke the protocol (exit 4)."""

    exit_code: ClassVar[int] = 4

    def __init__(self, who: str, what: str) -> None:
        super().__init__(f"{who}: {what}")
        self.who, self.what = who, what


class IntegrityError(DpspinError):
    """Bytes whose digest is not the one declared or chained (exit 5)."""

    exit_code: ClassVar[int] = 5

    def __init__(self, place: str, expected: str, found: str, remedy: str) -> None:
        super().__init__(f"{place}: expected {expected}, found {found}; {remedy}")
        self.place, self.expected, self.found, self.remedy = place, expected, found, remedy


class ImpossibleError(DpspinError):
    """A state that a correct program cannot reach (exit 70); please report it."""
