"""What one task computes of one part: sums of contributions (record level), or shares for the users' sums (user level).

A task is a pure function of its part and of public terms: it may be done twice, in any order, by any process, and what
it gives is the same.  All sums are of integers, so that their order leaves no trace.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from dpspin import deployment, kernel
from dpspin.corpus import jsonl, representation
from dpspin.corpus.jsonl import Record
from dpspin.corpus.representation import Weights
from dpspin.curator import intake
from dpspin.curator.sketch import bound
from dpspin.deployment import Deployment
from dpspin.errors import ImpossibleError
from dpspin_experiments.assignment.batch import Assigner, Shares, sketch
from dpspin_experiments.scale import partitions, spill
from dpspin_experiments.scale.partitions import Part
from dpspin_experiments.scale.spill import Spill

RECORDS_AT_ONCE = 50_000
"""Contributions of so many records are held by one task; a part may have more."""


class Shared(NamedTuple):
    """What all tasks share; it is sent with each, and therefore small."""

    deployment: bytes
    weights: str
    """File of the weights' canonical bytes in the scratch folder; the name holds their digest."""
    key: bytes
    """Of the hash that stands for a unit, random for each run."""
    user_shares: int
    """How many shares users are divided into by that hash."""
    scratch: str
    """Folder that all workers see."""


class Task(NamedTuple):
    """One part to be read."""

    shared: Shared
    part: Part
    number: int
    """Of the part, from 0."""


class Partial(NamedTuple):
    """What is known after one part."""

    number: int
    counts: dict[str, int]
    """As in `intake.COUNTED`."""
    total: list[int]
    """Record level: the sum of its records' clipped contributions, lattice units."""
    spills: list[Spill]
    """User level: where its records' contributions wait for those of the other parts."""


def partial(task: Task) -> Partial:
    """Read a part.

    Raises:
        UsageError: as `partitions.records` and `spill.write`.
        ImpossibleError: where it holds another number of records than was counted before.
    """
    shared = task.shared
    terms, weights, assigner = _ready(shared.deployment, shared.weights)
    counts = Counter(dict.fromkeys(intake.COUNTED, 0))
    found = partitions.records(task.part, jsonl.fields_of(terms))
    total = [0] * weights.atoms
    spills: list[Spill] = []
    for units, shares in _slices(intake.protected(found, terms, counts), assigner, counts):
        if terms.user is None:
            total = kernel.add([total, sketch(shares, bound(terms))], weights.atoms)
        else:
            name = f"{task.number}-{len(spills)}"
            spills.append(spill.write(units, shares, shared.key, (shared.scratch, name, shared.user_shares)))
    if counts["records"] != task.part.records:
        raise ImpossibleError(f"{task.part.path}: {counts['records']} records where {task.part.records} were counted")
    return Partial(task.number, dict(counts), total, spills)


def _slices(
    found: Iterator[tuple[str, Record]], assigner: Assigner, counts: Counter[str]
) -> Iterator[tuple[list[str], Shares]]:
    """Units and contributions of so many records at a time."""
    while True:
        units: list[str] = []
        shares = assigner.shares(_texts(islice(found, RECORDS_AT_ONCE), units))
        if not units:
            return
        counts["protected_without_mass"] += int((np.diff(shares.indptr) == 0).sum())
        yield units, shares


def _texts(found: Iterable[tuple[str, Record]], units: list[str]) -> Iterator[str | None]:
    for unit, record in found:
        units.append(unit)
        yield record.text


@lru_cache(maxsize=2)
def _ready(declared: bytes, path: str) -> tuple[Deployment, Weights, Assigner]:
    """Deployment, weights and assignment, once in every process."""
    terms, weights = deployment.load(declared, "the deployment"), representation.decode(spill.get(path), "the weights")
    return terms, weights, Assigner(weights, terms.assignment.max_atoms)
