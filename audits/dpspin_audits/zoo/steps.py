"""A release in steps, each of which a faulty implementation may replace."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from dpspin import kernel, pipeline, plan, transcript
from dpspin.accounting.calibration import Noise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.curator import release as core
from dpspin.curator.noise import Bits, SystemBits
from dpspin.curator.sketch import bound
from dpspin.plan import PlanTerms
from dpspin.transcript import Role, VisibleObject
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import NoiseSource, Record, Records
from dpspin_audits.zoo.noises import released

FINER = 2**40
"""Floating-point masses are written in steps of 2^-60 of a unit of mass."""


class Steps(ReferenceSubject):
    """The reference, released through its own parts: exact sums, noise and admission, plan, text."""

    _releases = 0

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, as the sum of `aggregate` over `units`."""
        return kernel.add([self.aggregate(unit) for unit in self.units(records)], self.width)

    def units(self, records: Records) -> list[list[Record]]:
        """Records by unit; one without a unit is alone, and its share is zero."""
        groups: dict[str, list[Record]] = {}
        for number, record in enumerate(records):
            groups.setdefault(self.unit_of(record) or f"none {number}", []).append(record)
        return list(groups.values())

    def unit_of(self, record: Record) -> str | None:
        """What records are grouped by."""
        return split.unit_of(corpus_record(record, self.setting), self.setting.deployment.user)

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """What one unit contributes, in lattice units."""
        return kernel.clip(kernel.add([self.share(record) for record in unit], self.width), self.bound)

    def share(self, record: Record) -> list[int]:
        """phi of one record in lattice units."""
        return kernel.contribution(self.scores(record), self.setting.deployment.assignment.max_atoms, MASS_UNIT)

    def scores(self, record: Record) -> list[int]:
        """Integer scores of one record; zero for a record that is not protected or not selected."""
        read = corpus_record(record, self.setting)
        return self.setting.weights.scores(read.text) if self._counts(record) else [0] * self.width

    def _counts(self, record: Record) -> bool:
        """Whether a record is protected and selected."""
        d = self.setting.deployment
        unit, halves = split.unit_of(corpus_record(record, self.setting), d.user), d.corpus.split
        return (
            unit is not None
            and not split.belongs(halves.key, halves.auxiliary_share, unit)
            and split.belongs(d.corpus.selection_key, d.corpus.sampling_rate, unit)
        )

    def unit_key(self, record: Record) -> str | None:
        """What a record that counts is grouped by."""
        return self.unit_of(record) if self._counts(record) else None

    def contribution(self, record: Record) -> list[int]:
        """What a unit with this record alone contributes."""
        return self.aggregate([record])

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        return released(exact, self.noise, self.setting.deployment.plan.size, bits, runs)

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """One plan of an exact sketch under noise from outside."""
        return core.inject(exact, self.noise, self.setting.deployment.plan.size, noise)

    @property
    def noise(self) -> Noise:
        """The noise that is added."""
        return self.setting.noise

    def terms(self, records: Records) -> PlanTerms:  # noqa: ARG002 - some of the faulty ones look at the records
        """The public terms of a plan."""
        return self.setting.terms()

    @property
    def width(self) -> int:
        """m."""
        return len(self.setting.universe)

    @property
    def bound(self) -> int:
        """B in lattice units."""
        return bound(self.setting.deployment)

    @property
    def values_alone(self) -> bool:
        """Whether noise is added to admitted values alone."""
        return isinstance(self.setting.noise, Peeling)

    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta of the releases of this instance."""
        return self._releases * self.claim.epsilon, self._releases * self.claim.delta

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle of one plan; it is charged before a record is read."""
        self._releases += 1
        return self.published(records, self.noisy(self.sketch(records), self.bits(records), 1))

    def bits(self, records: Records) -> Bits:  # noqa: ARG002 - some of the faulty ones look at the records
        """Where the noise of a release comes from."""
        return SystemBits()

    def release_with(self, records: Records, noise: NoiseSource) -> Mapping[str, bytes]:
        """The bundle of one plan under noise from outside, stamped."""
        return self.published(records, self.injected(self.sketch(records), noise), plan.INJECTED)

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle of the first of some plans."""
        return self.bundle(samples.atoms[0], samples.masses[0], replace(self.terms(records), stamp=stamp))

    def bundle(self, atoms: Any, masses: Any, terms: PlanTerms) -> dict[str, bytes]:
        """The bundle of one row of samples, int64 lattice units or float64 units of mass."""
        if np.asarray(masses).dtype.kind == "f":
            terms = _finer(terms)
            masses = [round(Fraction(float(mass)) * terms.mass_unit) for mass in masses]
        pairs = [(int(atom), int(mass)) for atom, mass in zip(atoms, masses, strict=True) if atom >= 0]
        return pipeline.publish(plan.build(pairs, terms), self.setting, None)


def _finer(terms: PlanTerms) -> PlanTerms:
    """The same terms on a finer lattice."""
    return replace(
        terms,
        mass_unit=terms.mass_unit * FINER,
        denominator=terms.denominator * FINER,
        floor=terms.floor * FINER,
        margin=terms.margin * FINER,
    )


def relisted(files: Mapping[str, bytes], changed: Mapping[str, bytes], more: str = "") -> dict[str, bytes]:
    """A bundle with other files, and a transcript that lists them.

    Args:
        files: the bundle as it was.
        changed: files that replace those of their names.
        more: is put in front of every prompt.
    """
    files = {**files, **changed}
    return files | {"transcript.jsonl": transcript.encode(visible(files, more))}


def visible(files: Mapping[str, bytes], more: str = "") -> list[VisibleObject]:
    """What the transcript of a bundle lists; `more` is put in front of every prompt."""
    return [
        VisibleObject(str(name), cast("Role", row["role"]), _seen(files, row, more), cast("str | None", row["charge"]))
        for row in transcript.decode(files["transcript.jsonl"], "transcript.jsonl")
        for name in [row["name"]]
    ]


def _seen(files: Mapping[str, bytes], row: Mapping[str, object], more: str) -> bytes:
    name = str(row["name"])
    return files[name] if name in files else (more * name.startswith("prompt") + str(row["text"])).encode()


def told(files: Mapping[str, bytes], more: str) -> dict[str, bytes]:
    """A bundle whose transcript shows that the writer was told more."""
    return relisted(files, {}, more)


def generator(bits: Bits) -> np.random.Generator:
    """A numpy generator whose seed comes from `bits`."""
    return np.random.default_rng([int(word) for word in bits.words(4)])


def fresh_seed() -> int:
    """32 bits, as programs that log their seed draw them."""
    return secrets.randbits(32)
