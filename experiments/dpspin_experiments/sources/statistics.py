"""Statistics of a data set as the paper records them (appendices E and F): exact counts of people's records.

They are for the curator alone and never stand beside a release (spec.md section 8, row 4).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dpspin_experiments.dataset import DataSet, Entry
from dpspin_experiments.sources.gathering import Gathered

AUDIENCE = "curator only: exact counts of protected records"
MOST_CATEGORIES = 20
QUANTILES = (0, 25, 50, 75, 90, 99, 100)


def statistics(entries: Sequence[Entry]) -> dict[str, Any]:
    """Records, users, contribution sizes, text lengths and labels."""
    users = Counter(entry.user for entry in entries if entry.user)
    return {
        "records": len(entries),
        "users": len(users),
        "records_with_user": sum(users.values()),
        "users_with_several_records": sum(count > 1 for count in users.values()),
        "records_of_a_user": quantiles(users.values()),
        "characters_of_a_text": quantiles(len(entry.text) for entry in entries),
        "records_with_label": sum(entry.label is not None for entry in entries),
        "records_with_date": sum(entry.date is not None for entry in entries),
        "days": [min(days), max(days)] if (days := [entry.date for entry in entries if entry.date]) else None,
    }


def manifest(gathered: Gathered, data: DataSet) -> dict[str, Any]:
    """How a source became a data set, with statistics of both halves."""
    return {
        "audience": AUDIENCE,
        "name": data.name,
        "unit": data.unit,
        "rows": dict(gathered.counts),
        "categories": most_frequent(gathered.categories),
        "without_unit": len(gathered.entries) - len(data.halves.auxiliary) - len(data.halves.protected),
        "auxiliary": statistics(data.halves.auxiliary),
        "protected": statistics(data.halves.protected),
    }


def most_frequent(counts: Mapping[str, int]) -> list[list[str | int]]:
    """The most frequent names and how often each stands, by falling count, then by name."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [[name, count] for name, count in ordered[:MOST_CATEGORIES]]


def quantiles(values: Iterable[int]) -> dict[str, int] | None:
    """Minimum, maximum and percentiles between them, each a value that occurs; None of nothing.

    The q-th percentile is the least value that at least q percent of the values do not exceed.
    """
    ordered = sorted(values)
    if not ordered:
        return None
    return {f"p{q}": ordered[max(-(-q * len(ordered) // 100) - 1, 0)] for q in QUANTILES}
