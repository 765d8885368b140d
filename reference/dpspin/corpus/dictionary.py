"""The atom universe of labelled auxiliary records (paper section 6, spec.md section 7)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dpspin.corpus.jsonl import Record
from dpspin.errors import UsageError
from dpspin.universe import Universe, label_problem, readings

SEPARATOR = " / "


class Skipped(NamedTuple):
    """A label that was frequent enough and could not be used."""

    label: str
    reason: str


class Dictionary(NamedTuple):
    """A universe and what was left out of it.  Supports stay out of both: they are the auxiliary people's data."""

    universe: Universe
    skipped: tuple[Skipped, ...]


def label_of(record: Record, label_fields: Sequence[str]) -> str:
    """The fields joined by " / ", for example product / issue / sub-issue; empty parts are left out."""
    return SEPARATOR.join(part for name in label_fields if (part := record.labels.get(name)))


def dictionary(auxiliary: Iterable[Record], label_fields: Sequence[str], size: int) -> Dictionary:
    """The `size` labels that most auxiliary records have, most frequent first, then by label; all where fewer exist.

    Labels that no universe may hold, and labels that read like a more frequent one, are skipped and reported.

    Raises:
        UsageError: when no record has a usable label.
    """
    support = Counter(label for record in auxiliary if (label := label_of(record, label_fields)))
    kept: list[str] = []
    read: dict[tuple[int, str], str] = {}
    skipped = []
    for label, _ in sorted(support.items(), key=lambda item: (-item[1], item[0])):
        if len(kept) == size:
            break
        reason = label_problem(label)
        if reason is None and (twins := [read[reading] for reading in readings(label) if reading in read]):
            reason = f"reads like {min(twins)!a}"
        if reason is None:
            kept.append(label)
            read.update(dict.fromkeys(readings(label), label))
        else:
            skipped.append(Skipped(label, reason))
    if not kept:
        problem = f"no usable label in {', '.join(label_fields)}"
        raise UsageError("auxiliary records", problem, "name other label fields")
    return Dictionary(Universe(tuple(kept), (None,) * len(kept)), tuple(skipped))
