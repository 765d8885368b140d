"""The lines of a ledger: what one charge holds, and how a whole ledger is read (`dpspin.accounting.ledger`)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import IntegrityError

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
    """Only where the charge was converted, or is the rest of what a universe is declared to cost."""
    universe: str | None = None
    """Digest of the universe that the line is for; None on the line of a release."""

    def line(self) -> bytes:
        """The canonical line; a field that does not apply is not there."""
        tree = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "declared"}
        tree |= {"declared": self.declared._asdict()} if self.declared else {}
        return canonical.dumps({name: value for name, value in tree.items() if value is not None})


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

    def of_universe(self, sha256: str) -> "Ledger":
        """The charges for one universe alone."""
        return Ledger(tuple(charge for charge in self.charges if charge.universe == sha256))


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
