"""Tables and lists as values."""

from typing import NamedTuple

from dpspin_audits.report.prose import Text, text


class Column(NamedTuple):
    """How one column is headed and set."""

    head: str
    look: str = ""
    """CSS classes: r (to the right), nw (no wrapping), half (wide), id (monospaced), ids (names kept whole), mono."""
    key: str = ""
    """Stands before the value where a narrow screen turns the row into a list."""
    names_row: bool = False
    """Whether the cell is the row's header."""


class Row(NamedTuple):
    """Cells in column order."""

    cells: tuple[Text, ...]
    hit: bool = False
    """Marked by a red rule: a violation."""


class Body(NamedTuple):
    """Rows under a common heading, which may be empty."""

    title: str
    rows: tuple[Row, ...]


class Table(NamedTuple):
    """A table with its caption; `number` is 0 until the report numbers it."""

    caption: Text
    columns: tuple[Column, ...]
    bodies: tuple[Body, ...]
    number: int = 0
    form: str = "stack"
    """CSS classes: stack (rows become lists on narrow screens), dense; few (narrow); whole (on one page in print)."""


Pair = tuple[Text, Text]
"""A term and what it stands for."""


def table(caption: str | Text, columns: tuple[Column, ...], rows: list[Row], form: str = "stack") -> Table | None:
    """A table of one body, or None without rows."""
    return Table(text(caption), columns, (Body("", tuple(rows)),), form=form) if rows else None
