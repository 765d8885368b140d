"""The ledger: what has been charged to a population, append-only and hash-chained (spec.md section 8, row 8).

One JSON Lines file per declared population, never per corpus: a subset, a refresh or one record more must not start at
zero.  A charge is written and forced to disk before a record is read; it is never refunded, and a retry charges again.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpspin import canonical
from dpspin.deployment import Deployment
from dpspin.errors import BudgetExceeded, IntegrityError, UsageError

START = "0" * 64


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of a ledger."""

    id: str
    """Its number, four digits or more."""
    deployment: str
    """Name of the deployment."""
    deployment_sha256: str
    unit: str
    adjacency: str
    epsilon: Fraction
    delta: Fraction
    budget_epsilon: Fraction
    """Budget in force after this charge: the least that any deployment has declared so far."""
    budget_delta: Fraction
    previous: str
    """Digest of the line before."""

    def line(self) -> bytes:
        """The canonical line."""
        return canonical.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})


@dataclass(frozen=True, slots=True)
class Ledger:
    """The charges of one population, in order."""

    charges: tuple[Charge, ...]

    @property
    def epsilon(self) -> Fraction:
        """Total epsilon charged."""
        return sum((charge.epsilon for charge in self.charges), Fraction(0))

    @property
    def delta(self) -> Fraction:
        """Total delta charged."""
        return sum((charge.delta for charge in self.charges), Fraction(0))


def path_of(state: Path, population: str) -> Path:
    """Where the ledger of a population lies under the state folder."""
    return state / f"{population}.ledger.jsonl"


def decode(data: bytes, place: str) -> Ledger:
    """Read a ledger and check its chain.

    Raises:
        IntegrityError: naming the first line that is torn, altered or out of order.
    """
    charges: list[Charge] = []
    previous = START
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        where = f"{place}: line {number}"
        if not line.endswith(b"\n"):
            raise IntegrityError(where, "a whole line", "a torn one", "restore it; a charge was being written")
        row = canonical.loads(line, where)
        charge = _charge(row, where)
        if charge.id != f"{number:04d}" or charge.previous != previous or charge.line() != line:
            raise IntegrityError(where, "an unbroken chain", "another order or an altered line", "restore the ledger")
        charges.append(charge)
        previous = canonical.digest(line)
    return Ledger(tuple(charges))


def _charge(row: Any, where: str) -> Charge:
    numbers = ("epsilon", "delta", "budget_epsilon", "budget_delta")
    fields = Charge.__dataclass_fields__
    if not (isinstance(row, dict) and set(row) == set(fields) and all(isinstance(v, str) for v in row.values())):
        raise IntegrityError(where, "the fields of a charge", "others", "restore the ledger")
    try:
        exact: dict[str, Any] = {name: Fraction(row[name]) for name in numbers}
        return Charge(**(row | exact))
    except (ValueError, ZeroDivisionError) as error:
        raise IntegrityError(where, "exact numbers", "others", "restore the ledger") from error


def next_charge(ledger: Ledger, deployment: Deployment, sha256: str, place: str) -> Charge:
    """The charge that a release of this deployment would be.

    Raises:
        BudgetExceeded: when the totals would pass the least budget that the population has ever been given.
        UsageError: when the ledger counts another unit or adjacency.
    """
    last = ledger.charges[-1] if ledger.charges else None
    if last and (last.unit, last.adjacency) != (deployment.unit, deployment.adjacency):
        raise UsageError(
            f"{place}: {deployment.unit} {deployment.adjacency}",
            f"the ledger of {deployment.population!r} counts {last.unit} {last.adjacency}",
            "use the same unit and adjacency, or another population",
        )
    budget = deployment.budget
    limits = (
        min(budget.epsilon, last.budget_epsilon) if last else budget.epsilon,
        min(budget.delta, last.budget_delta) if last else budget.delta,
    )
    cost = (deployment.mechanism.epsilon, deployment.mechanism.delta)
    spending = zip(("epsilon", "delta"), (ledger.epsilon, ledger.delta), cost, limits, strict=True)
    for name, spent, more, limit in spending:
        if spent + more > limit:
            raise BudgetExceeded(
                f"{place}: budget.{name}",
                f"{spent} is spent of {limit} and this release costs {more}",
                "release less, or stop: what is spent stays spent",
            )
    return Charge(
        f"{len(ledger.charges) + 1:04d}", deployment.name, sha256, deployment.unit, deployment.adjacency,
        Fraction(cost[0]), Fraction(cost[1]), Fraction(limits[0]), Fraction(limits[1]),
        canonical.digest(last.line()) if last else START,
    )  # fmt: skip


def charge(state: Path, deployment: Deployment, sha256: str, place: str) -> Charge:
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
        with _locked(path) as file:
            new = next_charge(decode(_read(file), path.name), deployment, sha256, place)
            _append(file, new.line())
            _sync_folder(state)
    except OSError as error:
        raise UsageError(str(path), f"cannot be written ({error.strerror})", "free or set $DPSPIN_STATE") from error
    return new


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """An open descriptor under an exclusive lock, which the kernel drops when the process ends for any reason."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _read(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _append(file: int, line: bytes) -> None:
    """Written whole and forced to disk, or taken back (a full disk)."""
    size = os.fstat(file).st_size
    try:
        while line:
            line = line[os.write(file, line) :]
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
