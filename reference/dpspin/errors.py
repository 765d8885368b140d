"""Three kinds of error: the caller's mistake, another party's violation, and the impossible.

Every class carries the documented exit code and its values as fields, so that a caller may act on them and the command
line may print one line.  Values of protected records never enter a message.
Errors cross process boundaries: `args` always holds the arguments of the class, with which pickling calls it again.
"""

from typing import ClassVar


class DpspinError(Exception):
    """Base of every error that this project raises on purpose; its text is always one printable line."""

    exit_code: ClassVar[int] = 70

    def __str__(self) -> str:
        return printable(": ".join(map(str, self.args)))


def printable(text: str) -> str:
    """The text with line ends, terminal escapes and hidden characters written out: they may come from a stranger."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class UsageError(DpspinError):
    """The caller's mistake: something in a file, an option or an argument that the caller can mend (exit 2)."""

    exit_code: ClassVar[int] = 2

    def __init__(self, place: str, problem: str, remedy: str) -> None:
        super().__init__(place, problem, remedy)
        self.place, self.problem, self.remedy = place, problem, remedy

    def __str__(self) -> str:
        return printable(f"{self.place}: {self.problem}; {self.remedy}")


class BudgetExceeded(UsageError):
    """A charge that would take a population beyond its budget (exit 2).  Nothing was read and nothing was charged."""


class SubjectError(DpspinError):
    """Another party's violation: a subject under audit crashed, timed out or broke the protocol (exit 4)."""

    exit_code: ClassVar[int] = 4

    def __init__(self, who: str, what: str) -> None:
        super().__init__(who, what)
        self.who, self.what = who, what


class NoAnswerError(SubjectError):
    """A language model's server gave no usable answer (exit 4).  In which way is not told: it might say anything."""

    def __init__(self) -> None:
        super().__init__("the language model's server", "no usable answer")
        self.args = ()

    def __str__(self) -> str:
        return f"{self.who}: {self.what}"


class IntegrityError(DpspinError):
    """Bytes whose digest is not the one declared or chained (exit 5)."""

    exit_code: ClassVar[int] = 5

    def __init__(self, place: str, expected: str, found: str, remedy: str) -> None:
        super().__init__(place, expected, found, remedy)
        self.place, self.expected, self.found, self.remedy = place, expected, found, remedy

    def __str__(self) -> str:
        return printable(f"{self.place}: expected {self.expected}, found {self.found}; {self.remedy}")


class ImpossibleError(DpspinError):
    """A state that a correct program cannot reach (exit 70); please report it."""
