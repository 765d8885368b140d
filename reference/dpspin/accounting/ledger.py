"""The ledger: what has been charged to a population, append-only and hash-chained (spec.md section 8, row 8).

One JSON Lines file per declared population, never per corpus: a subset, a refresh or one record more must not start at
zero.  A charge is written and forced to disk before a record is read; it is never refunded, and a retry charges again.
A ledger counts one unit under one adjacency, those of its first line.  A release that is stated under add/drop is
converted where replacement is counted; any other difference is refused.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin.errors import BudgetExceeded, IntegrityError, UsageError

START = "0" * 64


class Declared(NamedTuple):
    """What the deployment itself says, where the ledger counts another adjacency."""

    adjacency: str
    epsilon: Fraction
    delta: Fraction


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
    """What the ledger counts; epsilon and delta are charged under it."""
    epsilon: Fraction
    delta: Fraction
    budget_epsilon: Fraction
    """Budget in force after this charge: the least number that any deployment has declared so far."""
    budget_delta: Fraction
    previous: str
    """Digest of the line before."""
    declared: Declared | None = None
    """Only where the charge was converted."""

    def line(self) -> bytes:
        """The canonical line."""
        tree = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "declared"}
        return canonical.dumps(tree | ({"declared": self.declared._asdict()} if self.declared else {}))


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
    try:
        declared = row.pop("declared", None)
        return Charge(**_exact(row), declared=declared and Declared(**_exact(declared)))
    except (AttributeError, TypeError, ValueError, ZeroDivisionError) as error:
        raise IntegrityError(where, "the fields of a charge", "others", "restore the ledger") from error


def _exact(row: dict[str, Any]) -> dict[str, Any]:
    """Texts as they are, exact numbers where the name says so; anything else does not belong in a ledger."""
    if not all(isinstance(value, str) for value in row.values()):
        raise ValueError("a value is not a text")
    return {name: Fraction(value) if name.endswith(("epsilon", "delta")) else value for name, value in row.items()}


def _converted(deployment: Deployment, last: Charge | None, place: str) -> tuple[str, Fraction, Fraction]:
    """The ledger's adjacency, and the claimed loss under it."""
    mechanism = deployment.mechanism
    claimed = Fraction(mechanism.epsilon), Fraction(mechanism.delta)
    if last is None or (last.unit, last.adjacency) == (deployment.unit, deployment.adjacency):
        return deployment.adjacency, *claimed
    if last.unit == deployment.unit and last.adjacency == "replacement":
        return last.adjacency, *from_add_drop_to_replacement(*claimed)
    raise UsageError(
        f"{place}: {deployment.unit} {deployment.adjacency}",
        f"the ledger of {deployment.population!r} counts {last.unit} {last.adjacency}",
        "use the same unit and adjacency, or another population",
    )


def next_charge(ledger: Ledger, deployment: Deployment, sha256: str, place: str) -> Charge:
    """The charge that a release of this deployment would be: its claimed loss, converted where it must be.

    Raises:
        BudgetExceeded: when the totals would pass the least budget that the population has ever been given.
        UsageError: when the ledger counts another unit, or an adjacency for which the claim says nothing.
    """
    last = ledger.charges[-1] if ledger.charges else None
    adjacency, epsilon, delta = _converted(deployment, last, place)
    budget = deployment.budget
    limits = (
        min(budget.epsilon, last.budget_epsilon) if last else budget.epsilon,
        min(budget.delta, last.budget_delta) if last else budget.delta,
    )
    spending = zip(("epsilon", "delta"), (ledger.epsilon, ledger.delta), (epsilon, delta), limits, strict=True)
    for name, spent, more, limit in spending:
        if spent + more > limit:
            raise BudgetExceeded(
                f"{place}: budget.{name}",
                f"{exact(spent)} is spent of {exact(limit)} and this release costs {exact(more)}",
                "release less, or stop: what is spent stays spent",
            )
    mechanism = deployment.mechanism
    own = Declared(deployment.adjacency, Fraction(mechanism.epsilon), Fraction(mechanism.delta))
    return Charge(
        f"{len(ledger.charges) + 1:04d}", deployment.name, sha256, deployment.unit, adjacency,
        epsilon, delta, Fraction(limits[0]), Fraction(limits[1]), canonical.digest(last.line()) if last else START,
        None if own.adjacency == adjacency else own,
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
        with _locked(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, fcntl.LOCK_EX) as file:
            new = next_charge(decode(_read(file), path.name), deployment, sha256, place)
            _append(file, new.line())
            _sync_folder(state)
    except OSError as error:
        raise UsageError(str(path), f"cannot be written ({error.strerror})", "free or set $DPSPIN_STATE") from error
    return new


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
