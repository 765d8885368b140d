"""Complaints of the CFPB database: narrative, and product / issue / sub-issue as label (paper appendix D).

Read by the columns of the bureau's CSV export, by the snake_case names of its JSON, and by short names.  Complaints
name no user, so only records can be protected.
"""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from dpspin.corpus.dictionary import SEPARATOR
from dpspin_experiments.dataset import Entry
from dpspin_experiments.sources.fields import day, first, identity, words
from dpspin_experiments.sources.gathering import Gathered, gather, rows_of

ID = ("Complaint ID", "complaint_id", "id")
TEXT = ("Consumer complaint narrative", "complaint_what_happened", "consumer_complaint_narrative", "text")
LABEL = (("Product", "product"), ("Issue", "issue"), ("Sub-issue", "sub_issue"))
DATE = ("Date received", "date_received", "date")


def read(stream: BinaryIO, place: str) -> Gathered:
    """Complaints that have an id and a narrative.

    Raises:
        UsageError: as `gathering.rows_of` and `gathering.gather`.
    """
    return gather((_draft(row) for row in rows_of(stream, place)), place)


def _draft(row: Mapping[str, Any]) -> tuple[Entry | str, tuple[str, ...]]:
    name, text = identity(first(row, ID)), words(first(row, TEXT))
    parts = [part for names in LABEL if (part := words(first(row, names)))]
    if name is None:
        return "without_id", ()
    if text is None:
        return "without_text", ()
    label = SEPARATOR.join(parts) or None
    return Entry(name, None, text, label, day(first(row, DATE))), tuple(_product(parts))


def _product(parts: list[str]) -> Iterator[str]:
    yield from parts[:1]
