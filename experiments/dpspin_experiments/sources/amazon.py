"""Amazon reviews of one category, in the layouts of 2023 (Hou et al. 2024) and 2018 (Ni et al. 2019): paper appendix E.

| | 2023 | 2018 |
|---|---|---|
| user | user_id | reviewerID |
| item | parent_asin, else asin | asin |
| text | text | reviewText |
| time | timestamp, milliseconds | unixReviewTime, seconds; reviewTime, "02 19, 2015" |

Neither has an id of a review: it is the digest of user, item, time and text, so that a repeated row is a duplicate.
"""

from collections.abc import Mapping
from typing import Any, BinaryIO

from dpspin_experiments.dataset import Entry
from dpspin_experiments.sources.fields import day, first, identity, words
from dpspin_experiments.sources.gathering import Gathered, digest_id, gather, rows_of

USER = ("user_id", "reviewerID")
ITEM = ("parent_asin", "asin")
TEXT = ("text", "reviewText")
TIME = ("timestamp", "unixReviewTime", "reviewTime")


def read(stream: BinaryIO, place: str) -> Gathered:
    """Reviews that have a text; those without a reviewer are kept, and are in no user's unit.

    Raises:
        UsageError: as `gathering.rows_of` and `gathering.gather`.
    """
    return gather((_draft(row) for row in rows_of(stream, place)), place)


def _draft(row: Mapping[str, Any]) -> tuple[Entry | str, tuple[str, ...]]:
    user, text = identity(first(row, USER)), words(first(row, TEXT))
    if text is None:
        return "without_text", ()
    written = next((time for name in TIME if (time := day(row.get(name)))), None)
    moment = identity(first(row, TIME))
    name = digest_id(user, identity(first(row, ITEM)), moment, text)
    category = words(row.get("main_category"))
    return Entry(name, user, text, None, written), (category,) if category else ()
