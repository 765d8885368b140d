"""What every source does alike: keep one entry of each id, and count what was left out and why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from dpspin import canonical
from dpspin.corpus.reader import Corpus
from dpspin.errors import UsageError
from dpspin_experiments.dataset import Entry


class Gathered(NamedTuple):
    """The entries of a source in the order of the file, and counts for the curator."""

    entries: tuple[Entry, ...]
    counts: Mapping[str, int]
    """Rows by their fate."""
    categories: Mapping[str, int]
    """Kept entries by the source's own categories; empty where it has none."""


def rows_of(stream: BinaryIO, place: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a CSV file, a JSON array or JSON Lines, plain or gzip; an API's wrapper `_source` is taken off.

    Raises:
        UsageError: naming the line that cannot be read exactly (docs/corpora.md).
    """
    for row in Corpus(stream, place):
        inner = row.values.get("_source")
        yield inner if isinstance(inner, dict) else row.values


def digest_id(*parts: str | None) -> str:
    """An id for a source whose records have none: a digest of what identifies one, so that no position enters."""
    return canonical.digest(canonical.dumps(["" if part is None else part for part in parts]))[:24]


def gather(drafts: Iterable[tuple[Entry | str, tuple[str, ...]]], place: str) -> Gathered:
    """Keep the first entry of every id.

    Args:
        drafts: an entry and its categories, or the reason why a row gives none.
        place: name of the source, for the error.

    A row that repeats an entry whole is a `duplicate`; one that has its id and says something else is a `conflict`.
    Both are left out.

    Raises:
        UsageError: when no row gives an entry.
    """
    seen: dict[str, Entry] = {}
    counts: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    for draft, found in drafts:
        counts["rows"] += 1
        if isinstance(draft, str):
            counts[draft] += 1
        elif draft.id in seen:
            counts["duplicate" if seen[draft.id] == draft else "conflict"] += 1
        else:
            seen[draft.id] = draft
            categories.update(found)
    if not seen:
        raise UsageError(place, "no row gives a record", "check that this is the source's own layout")
    return Gathered(tuple(seen.values()), {**counts, "kept": len(seen)}, dict(categories))
