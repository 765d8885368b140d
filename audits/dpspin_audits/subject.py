"""What an audit needs of an implementation; `addresses` finds one.

A **subject** is an implementation together with its claim.  Only `BlackBox` is required; every further protocol that it
offers lets a check run in a stronger variant.  A record is a mapping with the deployment's text and id fields and,
where the unit is a user, the field of the user's id; a field that is missing is not there.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from dpspin.adjacency import Adjacency, Unit

Record = Mapping[str, str]
Records = Sequence[Record]
Values = Literal["laplace", "gaussian"]
Scale = int | float | Fraction
Mass = TypeVar("Mass", int, float)
"""Whatever unit a subject computes in: integers on its lattice, or floats."""


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


@runtime_checkable
class Keyed(Protocol):
    """Grouping by unit alone."""

    def unit_key(self, record: Record) -> Hashable:
        """What records are grouped by: equal for records of one unit and different otherwise.

        None where a record counts nothing; under `own_unit`, one without an id has a key that no other record has.
        """
        ...


class NoiseSource(Protocol):
    """Gives noise to a subject that asks for it: exact values in, noisy values out, in one call for a whole vector.

    After a call, nothing that was computed from records may be used but the answer: a source that answers the same on
    two corpora must get the same bundle from both, whatever its noise.  All that is answered counts as released, the
    order of admission included.  Draws that are no noise, a decoder's for instance, do not come from here.
    Scales are in the unit of the values; integers are answered by integers, floats by floats.  `label` names the query
    (`sketch`, `admission`, `values`).  Neither it, nor the number or order of calls and values, nor a scale may depend
    on records.
    """

    def laplace(self, values: Sequence[Mass], scale: Scale, *, label: str) -> list[Mass]:
        """Each value plus its own Laplace noise, P(x) proportional to exp(-|x| / scale)."""
        ...

    def gaussian(self, values: Sequence[Mass], sigma: Scale, *, label: str) -> list[Mass]:
        """Each value plus its own Gaussian noise, rounded to the nearest integer where values are integers."""
        ...

    def peel(self, scores: Sequence[Mass], exponent: Scale, rounds: int, *, label: str) -> list[int]:
        """Distinct positions in order of admission: each round picks j with probability ~ exp(exponent * scores[j])."""
        ...


@runtime_checkable
class NoiseInjectable(Protocol):
    """Level 2: a release in which every noisy value comes from the caller's source."""

    def release_with(self, records: Records, noise: NoiseSource) -> Mapping[str, bytes]:
        """The bundle that `release` gives under this noise, with a stamp in `plan.json` that says so."""
        ...


@runtime_checkable
class Seedable(Protocol):
    """Level 1: whole releases that can be repeated; `release` must not be affected."""

    def release_seeded(self, records: Records, seed: bytes) -> Mapping[str, bytes]:
        """The bundle, every draw of it following from `seed`; with a stamp as in `release_with`."""
        ...


@runtime_checkable
class Decodes(Protocol):
    """What its decoder is given."""

    def decoder_input(self, plan: bytes) -> bytes:
        """All that the decoder sees besides public objects, for a plan (bytes of `plan.json`) that was released."""
        ...


@runtime_checkable
class Writes(Protocol):
    """Which program puts its plans into words."""

    @property
    def writer(self) -> str:
        """`module:attribute` of a `dpspin.decoder.attempts.Decoder`, to be run by itself in a new process.

        Where the deployment declares a language model: of a function from its settings, as plain data, to a writer and
        what makes its questions (`dpspin.decoder.backend.watched`).
        """
        ...


@runtime_checkable
class Charges(Protocol):
    """What it charges."""

    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta in total, exact, of what this instance has released so far."""
        ...
