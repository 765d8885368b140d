"""Contributions on their way from the parts to their users: one file for a part, ordered by shares of the users.

A user's records stand anywhere in a corpus, and a user is clipped once, over all of them.  So every part writes down
who contributed what, and each share of the users is then summed and clipped by one task.  Users are divided, and told
apart, by a keyed 128-bit hash (BLAKE2b): the key is drawn for each run and is not written, ids are not written either,
and among 10^10 users two are taken for one with probability below 2^-62.
"""

import os
import secrets
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from dpspin.errors import ImpossibleError, UsageError
from dpspin_experiments.assignment.batch import Shares, by_unit, sketch

CELL = np.dtype([("unit", "<u8", (2,)), ("atom", "<u4"), ("mass", "<i8")])
"""One number other than zero of one unit's unclipped sum over one part."""
OWNER_ALONE = 0o600
KEY_BYTES = 32
SEEN = "name a folder that all workers see, and leave it alone (--scratch)"

Cells = npt.NDArray[Any]


class Spill(NamedTuple):
    """A file of cells in the order of their units' shares."""

    path: str
    ends: list[int]
    """How many cells there are up to the end of each share."""


class Share(NamedTuple):
    """Some of the users, of the whole corpus, to be summed by one task."""

    number: int
    spills: list[tuple[str, int, int]]
    """Files, first cells and the cells after the last."""
    bound: int
    """B in lattice units."""
    atoms: int
    """m."""


class Settled(NamedTuple):
    """What a share of the users adds to the sketch."""

    number: int
    total: list[int]
    """The sum of their clipped sums, lattice units."""


def unit_hash(unit: str, key: bytes) -> bytes:
    """What stands for a unit: 16 bytes, equal for equal ids in every process."""
    return blake2b(unit.encode(errors="surrogatepass"), digest_size=16, key=key).digest()


def write(units: Sequence[str], shares: Shares, key: bytes, place: tuple[str, str, int]) -> Spill:
    """Write the sums of a part's units.

    Args:
        units: the unit of each record.
        shares: contributions, one record a row.
        key: of the hash.
        place: folder, name, and number of shares of the users.

    The file appears whole under its name, or not at all; if it is there already, from a task that was lost on the way
    back, it is replaced by the same cells.

    Raises:
        UsageError: where it cannot be written.
    """
    folder, name, user_shares = place
    cells = _cells(units, shares, key)
    owner = cells["unit"][:, 0] % np.uint64(user_shares)
    cells = cells[np.lexsort((cells["atom"], cells["unit"][:, 1], cells["unit"][:, 0], owner))]
    ends = np.cumsum(np.bincount(owner.astype(np.int64), minlength=user_shares))
    return Spill(put(folder, name, cells.tobytes()), ends.tolist())


def put(folder: str, name: str, data: bytes) -> str:
    """Write a file for its owner alone, whole or not at all, and give its path; it is not forced to disk.

    Raises:
        UsageError: where it cannot be written.
    """
    final = Path(folder) / name
    temporary = final.with_name(f"{name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, OWNER_ALONE)) as file:
            file.write(data)
        temporary.replace(final)
    except OSError as error:
        raise UsageError(folder, f"cannot be written ({error.strerror})", f"make room, or {SEEN}") from error
    return str(final)


def get(path: str) -> bytes:
    """The bytes of a file that `put` wrote.

    Raises:
        UsageError: where it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(path, f"cannot be read ({error.strerror})", SEEN) from error


def _cells(units: Sequence[str], shares: Shares, key: bytes) -> Cells:
    sums = by_unit(shares, units).tocoo()
    hashes = b"".join(unit_hash(unit, key) for unit in dict.fromkeys(units))
    cells = np.empty(sums.nnz, CELL)
    cells["unit"] = np.frombuffer(hashes, "<u8").reshape(-1, 2)[sums.row]
    cells["atom"], cells["mass"] = sums.col, sums.data
    return cells


def share_of(spills: Sequence[Spill], number: int, bound: int, atoms: int) -> Share:
    """One share of the users: its cells in every file, each file once."""
    found = [(each.path, each.ends[number - 1] if number else 0, each.ends[number]) for each in spills]
    if len({path for path, _, _ in found}) < len(found):
        raise ImpossibleError("a part of the corpus would be counted twice")
    return Share(number, found, bound, atoms)


def settled(share: Share) -> Settled:
    """Sum these users' cells, clip, and sum.

    Raises:
        UsageError, ImpossibleError: where cells are missing.
    """
    cells = np.concatenate([np.empty(0, CELL), *(_read(*each) for each in share.spills)])
    order = np.lexsort((cells["unit"][:, 1], cells["unit"][:, 0]))
    cells = cells[order]
    new = (cells["unit"][1:] != cells["unit"][:-1]).any(axis=1)
    row = np.concatenate([np.zeros(min(len(cells), 1), np.int64), np.cumsum(new)])
    shape = int(row[-1]) + 1 if len(row) else 0, share.atoms
    sums = sparse.coo_array((cells["mass"], (row, cells["atom"].astype(np.int64))), shape).tocsr()
    return Settled(share.number, sketch(sums, share.bound))


def _read(path: str, start: int, stop: int) -> Cells:
    try:
        cells = np.fromfile(path, CELL, stop - start, offset=start * CELL.itemsize)
    except OSError as error:
        raise UsageError(path, f"cannot be read ({error.strerror})", SEEN) from error
    if len(cells) != stop - start:
        raise ImpossibleError("a spill file was cut short")
    return cells
