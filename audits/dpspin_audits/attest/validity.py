"""From which day to which day a signer answers for a statement: declared by the signer, measured from nothing."""

import datetime
from typing import NamedTuple

from dpspin.errors import IntegrityError, UsageError

LONGEST = 3660
"""Days: ten years."""


class Validity(NamedTuple):
    """Both days belong to it; a day is one of UTC."""

    not_before: datetime.date
    not_after: datetime.date

    def tree(self) -> dict[str, str]:
        """As a statement holds it."""
        return {"notBefore": self.not_before.isoformat(), "notAfter": self.not_after.isoformat()}

    def check(self, today: datetime.date, place: str) -> None:
        """Refuse a day outside.

        Raises:
            IntegrityError: naming the limit.
        """
        if today < self.not_before:
            raise IntegrityError(
                f"{place}: validity.notBefore",
                f"{self.not_before} or later",
                str(today),
                "wait, or set the clock right",
            )
        if today > self.not_after:
            raise IntegrityError(
                f"{place}: validity.notAfter", f"{self.not_after} or earlier", str(today),
                "audit and sign again; for an archive, say which day you ask about",
            )  # fmt: skip


def day(text: str, place: str) -> datetime.date:
    """A day such as 2027-06-30.

    Raises:
        UsageError: when it is none.
    """
    try:
        found = datetime.date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise UsageError(place, f"{text!a:.40} is no day", "write a day such as 2027-06-30")
    return found


def declared(first: datetime.date, last: datetime.date | None, days: int | None) -> Validity:
    """A period from its first day and either its last day or its length.

    Raises:
        UsageError: when both or neither are given, it is empty, or it is longer than `LONGEST`.
    """
    if (last is None) == (days is None):
        raise UsageError("validity", "needs one end", "give either --valid-days or --not-after")
    try:
        end = last if days is None else first + datetime.timedelta(days=days - 1)
    except OverflowError:
        end = None
    if end is None or not 0 <= (end - first).days < LONGEST:
        raise UsageError("validity", f"holds no day, or more than {LONGEST}", "end it on a later, or a nearer, day")
    return Validity(first, end)


def read(tree: object, place: str) -> Validity:
    """The period that a statement holds.

    Raises:
        UsageError: when it is none.
    """
    if not isinstance(tree, dict) or set(tree) != {"notBefore", "notAfter"}:
        raise UsageError(f"{place}: validity", "not notBefore and notAfter", "ask the signer")
    first, last = (day(str(tree[name]), f"{place}: validity.{name}") for name in ("notBefore", "notAfter"))
    return declared(first, last, None)
