"""The exact sketch of a corpus in parts: the integers of `curator.intake.exact_sketch`, whoever computes them.

1. Every file is looked at: its records are counted, and it is cut into parts.
2. Every part is read once.  Record level: its clipped contributions are summed.  User level: contributions are written
   down by shares of the users.
3. User level: each share is summed by user, clipped and summed.
4. The partial sums are added.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from dpspin import canonical, kernel
from dpspin.corpus import representation
from dpspin.curator import intake
from dpspin.curator.sketch import bound
from dpspin.errors import ImpossibleError, UsageError
from dpspin.pipeline import Setting
from dpspin_experiments.scale import partitions, spill
from dpspin_experiments.scale.partial import Partial, Shared, Task, partial
from dpspin_experiments.scale.partitions import Part
from dpspin_experiments.scale.places import Place
from dpspin_experiments.scale.spill import Settled

RECORDS_A_SHARE = 200_000
"""Records whose users are summed by one task: bounds its memory."""

Numbered = TypeVar("Numbered", Partial, Settled)
Told = Callable[[int, int], None]
"""Told how many records were read, and how many there are."""


class Exactly(NamedTuple):
    """What a corpus holds, for the curator alone."""

    sketch: list[int]
    """Exact mass of every atom, lattice units."""
    counts: dict[str, int]
    """As in `intake.COUNTED`."""
    parts: int


def exact_sketch(paths: Sequence[Path], setting: Setting, place: Place, scratch: Path, told: Told) -> Exactly:
    """C(D) of the records in some files.

    Args:
        paths: files, folders and patterns.
        setting: public parameters.
        place: where tasks are done.
        scratch: folder for the curator alone that all workers see; what is left in it is of no use.
        told: of progress.

    Raises:
        UsageError: naming the file and line of what cannot be read, as a release does.
        ImpossibleError: where a part was missed or counted twice.
    """
    files = [str(path.absolute()) for path in partitions.find(paths)]
    parts = [part for found in place.each(partitions.look, files) for part in found]
    records, deployment, atoms = sum(part.records for part in parts), setting.deployment, setting.weights.atoms
    shared = shared_by(setting, 1 + records // RECORDS_A_SHARE, str(scratch.absolute()))
    told(0, records)
    counts, totals, spills = Counter(dict.fromkeys(intake.COUNTED, 0)), [0] * atoms, []
    for found in _read(parts, shared, place):
        counts.update(found.counts)
        totals = _added(totals, found.total)
        spills += found.spills
        told(counts["records"], records)
    if counts["records"] != records:
        raise ImpossibleError(f"{counts['records']} records were read where {records} were counted")
    if deployment.user is not None:
        shares = (spill.share_of(spills, number, bound(deployment), atoms) for number in range(shared.user_shares))
        for settled in _once(place.each(spill.settled, shares), shared.user_shares):
            totals = _added(totals, settled.total)
    return Exactly(totals, dict(counts), len(parts))


def shared_by(setting: Setting, user_shares: int, scratch: str) -> Shared:
    """What all tasks share; the weights, which may be large, wait for them in the scratch folder.

    Raises:
        UsageError: where a function of the deployer's own scores texts; sparse products of weights are what is fast.
    """
    weights = setting.weights
    if not isinstance(weights, representation.Weights):
        place = f"{setting.deployment.name}: assignment.rule"
        raise UsageError(place, f'"{weights.rule}" is no table of weights', "use `dpspin release`, which runs it")
    encoded = representation.encode(weights)
    path = spill.put(scratch, f"weights-{canonical.digest(encoded)}", encoded)
    return Shared(setting.deployment_bytes, path, secrets.token_bytes(spill.KEY_BYTES), user_shares, scratch)


def _read(parts: Sequence[Part], shared: Shared, place: Place) -> Iterator[Partial]:
    results = place.each(partial, (Task(shared, part, number) for number, part in enumerate(parts)))
    return _once(_explained(results, parts), len(parts))


def _explained(results: Iterator[Partial], parts: Sequence[Part]) -> Iterator[Partial]:
    """The results; where a part cannot be read, the line is that of its file."""
    for part in parts:
        try:
            found = next(results, None)
        except UsageError as error:
            raise partitions.explained(error, part) from None
        if found is not None:
            yield found
    yield from results


def _once(results: Iterator[Numbered], count: int) -> Iterator[Numbered]:
    """Results of tasks 0, 1, ..., each once, whatever became of the workers."""
    number = -1
    for number, found in enumerate(results):
        if found.number != number:
            raise ImpossibleError(f"task {found.number} was counted where {number} was expected")
        yield found
    if number + 1 != count:
        raise ImpossibleError(f"{number + 1} tasks were counted, not {count}")


def _added(totals: list[int], more: list[int]) -> list[int]:
    """The kernel's theorems are about integers: floats would depend on the order."""
    if len(more) != len(totals) or not all(type(mass) is int for mass in more):
        raise ImpossibleError("a partial sum is not one integer for every atom")
    return kernel.add([totals, more], len(totals))
