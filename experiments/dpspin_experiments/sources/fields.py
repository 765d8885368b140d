"""One field of one row, whatever type it has: names, days and texts, each settled from its own value alone."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from dpspin.corpus.objects import Number

MILLISECONDS_FROM = 10**11
"""Epochs from here on count milliseconds: as seconds they would lie beyond the year 5100."""
ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?")
MONTH_FIRST = re.compile(r"(\d{1,2})[/ ](\d{1,2})(?:/|, ?)(\d{4})(?:[T ].*)?")
"""04/03/2020 of older complaint files, and "02 19, 2015" of the reviews of 2018."""
EPOCH = re.compile(r"-?\d{1,15}(\.\d*)?")


def first(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value of the first of several names that a row has, or None."""
    return next((values[name] for name in names if name in values), None)


def identity(value: Any) -> str | None:
    """An id as text: a number by its digits as written, so that 17 and "17" are one person; nothing else is an id.

    Two spellings of one number ("17", 17.0) stay two ids.  An empty text is no id.
    """
    match value:
        case Number(digits):
            return digits
        case str() if value:
            return value
    return None


def words(value: Any) -> str | None:
    """A text that says something, its ends stripped; None for blanks and for any other type."""
    return (value.strip() or None) if isinstance(value, str) else None


def day(value: Any) -> str | None:
    """A date or an epoch (seconds or milliseconds, UTC) as YYYY-MM-DD; None where it cannot be read as one."""
    text = value.digits if isinstance(value, Number) else value
    if not isinstance(text, str):
        return None
    text = text.strip()
    if EPOCH.fullmatch(text) and not ISO.fullmatch(text):
        return _of_epoch(int(text.split(".")[0]))
    if found := ISO.fullmatch(text):
        return _checked(*map(int, found.groups()))
    if found := MONTH_FIRST.fullmatch(text):
        month, number, year = map(int, found.groups())
        return _checked(year, month, number)
    return None


def _of_epoch(epoch: int) -> str | None:
    seconds = epoch // 1000 if epoch >= MILLISECONDS_FROM else epoch
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return None


def _checked(year: int, month: int, number: int) -> str | None:
    try:
        return datetime(year, month, number, tzinfo=UTC).date().isoformat()
    except ValueError:
        return None
