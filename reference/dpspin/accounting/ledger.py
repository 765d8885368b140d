"""The ledger: what has been charged to a population, append-only and hash-chained (spec.md section 8, row 8).

One JSON Lines file per declared population, never per corpus: a subset, a refresh or one record more must not start at
zero.  A charge is written and forced to disk before a record is read; it is never refunded, and a retry charges again.
A ledger counts one unit under one adjacency, those of its first line.  A release that is stated under add/drop is
converted where replacement is counted; any other difference is refused.

A universe that was built from the population's records costs what its deployment declares, on a line of its own before
the release's and once for every digest (spec.md section 8, row 23).  A later deployment that declares more for the same
universe is charged the difference: the ledger holds at least the largest epsilon and the largest delta declared for it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from dpspin import canonical
from dpspin.accounting.charges import START, Charge, Declared, Ledger, decode
from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin.errors import BudgetExceeded, UsageError


class Charged(NamedTuple):
    """What covers a release."""

    release: Charge
    """Its own line."""
    universe: Charge | None
    """The first line for its universe, written now or earlier; None where the universe costs nothing."""


def path_of(state: Path, population: str) -> Path:
    """Where the ledger of a population lies under the state folder."""
    return state / f"{population}.ledger.jsonl"


def read(state: Path, population: str) -> Ledger:
    """A ledger as it stands, its chain checked; empty where nothing was charged.  Nothing is written.

    Raises:
        IntegrityError: as `decode`.
        UsageError: when the file cannot be read.
    """
    path = path_of(state, population)
    try:
        with _locked(path, os.O_RDONLY, fcntl.LOCK_SH) as file:
            data = _read(file)
    except FileNotFoundError:
        return Ledger(())
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name another $DPSPIN_STATE") from error
    return decode(data, path.name)


def _converted(own: Declared, deployment: Deployment, last: Charge | None, place: str) -> Declared:
    """A declared loss under the ledger's adjacency."""
    if last is None or (last.unit, last.adjacency) == (deployment.unit, own.adjacency):
        return own
    if last.unit == deployment.unit and last.adjacency == "replacement":
        return Declared(last.adjacency, *from_add_drop_to_replacement(own.epsilon, own.delta))
    raise UsageError(
        f"{place}: {deployment.unit} {deployment.adjacency}",
        f"the ledger of {deployment.population!r} counts {last.unit} {last.adjacency}",
        "use the same unit and adjacency, or another population",
    )


def next_charges(ledger: Ledger, deployment: Deployment, sha256: str, place: str) -> tuple[Charge, ...]:
    """The charges that a release of this deployment would be: that of its universe where it is due, then its own.

    Raises:
        BudgetExceeded: when the totals would pass the least budget that the population has ever been given.
        UsageError: when the ledger counts another unit, or an adjacency for which the claim says nothing.
    """
    last = ledger.charges[-1] if ledger.charges else None
    budget = deployment.budget
    limits = (
        Fraction(min(budget.epsilon, last.budget_epsilon) if last else budget.epsilon),
        Fraction(min(budget.delta, last.budget_delta) if last else budget.delta),
    )
    found: list[Charge] = []
    for own, universe in _losses(deployment):
        cost = _converted(own, deployment, last, place)
        due = _due(cost, ledger.of_universe(universe)) if universe else cost
        if due is None:
            continue
        before = found[-1] if found else last
        new = Charge(
            f"{len(ledger.charges) + len(found) + 1:04d}", deployment.name, sha256, deployment.unit, due.adjacency,
            due.epsilon, due.delta, *limits, canonical.digest(before.line()) if before else START,
            None if own == due else own, universe,
        )  # fmt: skip
        found.append(new)
    _check_affordable(ledger, found, place)
    return tuple(found)


def _losses(deployment: Deployment) -> Iterator[tuple[Declared, str | None]]:
    """What the deployment declares: for its universe (with the digest), where that is charged, and for a release."""
    universe, mechanism = deployment.universe, deployment.mechanism
    if universe.charge is not None:
        paid = universe.charge
        yield Declared(deployment.adjacency, Fraction(paid.epsilon), Fraction(paid.delta)), universe.sha256
    yield Declared(deployment.adjacency, Fraction(mechanism.epsilon), Fraction(mechanism.delta)), None


def _due(cost: Declared, paid: Ledger) -> Declared | None:
    """What a universe still costs, or None where all of it was charged before."""
    rest = max(cost.epsilon - paid.epsilon, Fraction(0)), max(cost.delta - paid.delta, Fraction(0))
    return cost._replace(epsilon=rest[0], delta=rest[1]) if any(rest) else None


def _check_affordable(ledger: Ledger, further: list[Charge], place: str) -> None:
    """Refuse charges that the budget does not hold together."""
    more, limits = Ledger(tuple(further)), further[-1]
    for name in ("epsilon", "delta"):
        spent, cost, limit = getattr(ledger, name), getattr(more, name), getattr(limits, f"budget_{name}")
        if spent + cost > limit:
            what = "this release costs" if len(further) == 1 else "this release and its universe cost"
            raise BudgetExceeded(
                f"{place}: budget.{name}",
                f"{exact(spent)} is spent of {exact(limit)} and {what} {exact(cost)}",
                "release less, or stop: what is spent stays spent",
            )


def charge(state: Path, deployment: Deployment, sha256: str, place: str) -> Charged:
    """Charge a release: lock, check, append, force to disk.  Nothing is read from a corpus before this returns.

    Args:
        state: the state folder ($DPSPIN_STATE).
        deployment: what is about to be released.
        sha256: digest of the deployment's bytes.
        place: name of the deployment file, for messages.

    Raises:
        BudgetExceeded, UsageError, IntegrityError: as above; the ledger is then as it was.
    """
    path = path_of(state, deployment.population)
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, fcntl.LOCK_EX) as file:
            before = decode(_read(file), path.name)
            new = next_charges(before, deployment, sha256, place)
            _append(file, b"".join(each.line() for each in new))
            _sync_folder(state)
    except OSError as error:
        raise UsageError(str(path), f"cannot be written ({error.strerror})", "free or set $DPSPIN_STATE") from error
    paid = Ledger((*before.charges, *new)).of_universe(deployment.universe.sha256).charges
    return Charged(new[-1], paid[0] if deployment.universe.charge else None)


@contextmanager
def _locked(path: Path, flags: int, lock: int) -> Iterator[int]:
    """An open descriptor under a lock, which the kernel drops when the process ends for any reason."""
    file = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, lock)
        yield file
    finally:
        os.close(file)


def _read(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _append(file: int, lines: bytes) -> None:
    """Written whole and forced to disk, or taken back (a full disk)."""
    size = os.fstat(file).st_size
    try:
        while lines:
            lines = lines[os.write(file, lines) :]
        os.fsync(file)
    except OSError:
        os.ftruncate(file, size)
        raise


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
