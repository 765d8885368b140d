"""Restaurant reviews of the Yelp Open Dataset: reviews joined to businesses by business_id (paper appendix F)."""

from collections.abc import Mapping
from typing import Any, BinaryIO

from dpspin_experiments.dataset import Entry
from dpspin_experiments.sources.fields import day, identity, words
from dpspin_experiments.sources.gathering import Gathered, gather, rows_of

CATEGORY = "Restaurants"

Businesses = Mapping[str, tuple[str, ...]]


def businesses(stream: BinaryIO, place: str) -> Businesses:
    """Categories of every business by its id; the last row of a business counts.

    They are a text with commas (or bars) in newer files and a list in older ones, and may be null.

    Raises:
        UsageError: as `gathering.rows_of`.
    """
    found = ((identity(row.get("business_id")), row.get("categories")) for row in rows_of(stream, place))
    return {name: _categories(value) for name, value in found if name is not None}


def read(reviews: BinaryIO, place: str, joined: Businesses) -> Gathered:
    """Reviews of businesses one of whose categories contains "Restaurants".

    Raises:
        UsageError: as `gathering.rows_of` and `gathering.gather`.
    """
    return gather((_draft(row, joined) for row in rows_of(reviews, place)), place)


def _categories(value: Any) -> tuple[str, ...]:
    parts = value.replace("|", ",").split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(name for part in parts if (name := words(part)))


def _draft(row: Mapping[str, Any], joined: Businesses) -> tuple[Entry | str, tuple[str, ...]]:
    name, text = identity(row.get("review_id")), words(row.get("text"))
    categories = joined.get(identity(row.get("business_id")) or "")
    if name is None:
        return "without_id", ()
    if categories is None:
        return "without_business", ()
    if not any(CATEGORY in category for category in categories):
        return "other_business", ()
    if text is None:
        return "without_text", ()
    return Entry(name, identity(row.get("user_id")), text, None, day(row.get("date"))), categories
