"""What an audit needs of an implementation, and how it is found.

A **subject** is an implementation together with its claim.  Only `BlackBox` is required; every further protocol that it
offers lets a check run in a stronger variant.  A record is a mapping with the deployment's text and id fields and,
where the unit is a user, the field of the user's id; a field that is missing is not there.

Addresses: `ref` is the reference implementation.  `py:module:attr` imports `module` and takes `attr`: a subject as it
stands, or a callable that makes one, called with the deployment's `Setting` if it takes an argument and with nothing
otherwise.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal, Protocol, runtime_checkable

from dpspin.adjacency import Adjacency, Unit
from dpspin.errors import UsageError
from dpspin.pipeline import Setting

Record = Mapping[str, str]
Records = Sequence[Record]
Values = Literal["laplace", "gaussian"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What an implementation promises about one release; numbers are exact."""

    unit: Unit
    adjacency: Adjacency
    mass_bound: Fraction
    epsilon: Fraction
    delta: Fraction
    mechanism: str | None = None
    """`laplace`, `gaussian` or `private_top_l`, where its whole law is claimed; None for a bare (epsilon, delta)."""
    scale: Fraction | None = None
    """Scale of the noise of released masses in units of mass, with `mechanism`: b or sigma."""
    exponent: Fraction | None = None
    """eta per unit of mass, with `private_top_l`: a round picks j with probability proportional to exp(eta C_j)."""
    values: Values | None = None
    """Noise of the admitted values, with `private_top_l`."""
    missing_ids: str = "drop"
    """What happens to a record without an id."""
    public_fields: tuple[str, ...] = ()
    """Fields of a record that need no protection."""


@runtime_checkable
class BlackBox(Protocol):
    """Level 0, required: the whole release, records in and files out."""

    @property
    def claim(self) -> Claim:
        """What one release promises."""
        ...

    def fresh(self) -> "BlackBox":
        """A new instance that shares no state with this one."""
        ...

    def release(self, records: Records) -> Mapping[str, bytes]:
        """One release: names and bytes of its files, `plan.json` among them."""
        ...


@runtime_checkable
class Batched(Protocol):
    """Many plans at once, of the same law as those that `release` gives."""

    def sample(self, records: Records, runs: int) -> Any:
        """Independent plans: an object with `atoms`, int[runs, L] in order of descending mass, and `masses`.

        `masses` is int[runs, L] in lattice units (2^-20 of a unit of mass) or float64[runs, L] in units of mass; a
        subject that adds floating-point noise must hand over its doubles, because rounding would hide their low bits.
        """
        ...


@runtime_checkable
class Reproducible(Protocol):
    """Sampling that can be repeated; `release` must not be affected."""

    def reproducible(self, seed: bytes) -> Batched:
        """A sampler all of whose draws follow from `seed`."""
        ...


@runtime_checkable
class Staged(Protocol):
    """The contribution map alone."""

    def contribution(self, record: Record) -> Sequence[int]:
        """One record's contribution to every atom, in lattice units, as of a unit that has no other record."""
        ...


@runtime_checkable
class Sketches(Protocol):
    """The exact sketch alone: grouping by unit, clipping and sums."""

    def sketch(self, records: Records) -> Sequence[int]:
        """The exact mass of every atom, in lattice units."""
        ...


def resolve(spec: str, setting: Setting, reference: Callable[[Setting], BlackBox]) -> BlackBox:
    """The subject that an address names.

    Args:
        spec: `ref` or `py:module:attr`.
        setting: the deployment under audit, handed to factories.
        reference: makes the reference subject.

    Raises:
        UsageError: when the address, the import, the attribute or the protocol is wrong.
    """
    if spec == "ref":
        return reference(setting)
    scheme, _, rest = spec.partition(":")
    module, _, attribute = rest.partition(":")
    if scheme != "py" or not module or not attribute:
        raise UsageError(f"--impl {spec}", "not the address of a subject", 'write "ref" or "py:module:attr"')
    found = _imported(spec, module, attribute)
    subject = _as_subject(found) or _as_subject(_made(spec, found, setting))
    if subject is None:
        raise UsageError(
            f"--impl {spec}", "is not a subject", "give it `claim`, `fresh()` and `release(records)`, claim a `Claim`"
        )
    return subject


def _imported(spec: str, module: str, attribute: str) -> Any:
    try:
        found: Any = import_module(module)
    except Exception as error:
        raise UsageError(
            f"--impl {spec}", f"cannot be imported ({type(error).__name__}: {error})", "name an importable module"
        ) from error
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise UsageError(f"--impl {spec}", f"{module} has no {attribute}", "name an attribute of that module")
        found = getattr(found, name)
    return found


def _as_subject(found: Any) -> BlackBox | None:
    """The object itself if it keeps the protocol; a class is a factory, not a subject."""
    known = not isinstance(found, type) and isinstance(found, BlackBox) and isinstance(found.claim, Claim)
    return found if known else None


def _made(spec: str, factory: Any, setting: Setting) -> Any:
    """What a factory makes, with the setting where it takes an argument."""
    if not callable(factory):
        return factory
    try:
        wanted = [p for p in inspect.signature(factory).parameters.values() if p.default is p.empty]
        return factory(setting) if wanted else factory()
    except Exception as error:
        raise UsageError(
            f"--impl {spec}", f"made no subject ({type(error).__name__}: {error})", "take a Setting, or nothing"
        ) from error
