"""A release in steps, each of which a faulty implementation may replace."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpspin import kernel, pipeline, plan
from dpspin.accounting.calibration import Noise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.curator import intake
from dpspin.curator.noise import Bits, SystemBits
from dpspin.curator.sketch import bound
from dpspin.plan import PlanTerms
from dpspin_audits.corpora import corpus_record
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.noises import released

FINER = 2**40
"""Floating-point masses are written in steps of 2^-60 of a unit of mass."""


class Steps(ReferenceSubject):
    """The reference, released through its own parts: exact sums, noise and admission, plan, text."""

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
        """phi of one record in lattice units; zero for a record that is not protected or not selected."""
        d, corpus = self.setting.deployment, [corpus_record(record, self.setting)]
        scores = [row for _, row in intake.protected_scores(corpus, d, self.setting.weights, Counter())]
        return kernel.contribution(scores[0], d.assignment.max_atoms, MASS_UNIT) if scores else [0] * self.width

    def contribution(self, record: Record) -> list[int]:
        """What a unit with this record alone contributes."""
        return self.aggregate([record])

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        return released(exact, self.noise, self.setting.deployment.plan.size, bits, runs)

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

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle of one plan."""
        samples = self.noisy(self.sketch(records), SystemBits(), 1)
        return self.bundle(samples.atoms[0], samples.masses[0], self.terms(records))

    def bundle(self, atoms: Any, masses: Any, terms: PlanTerms) -> dict[str, bytes]:
        """The bundle of one row of samples, int64 lattice units or float64 units of mass."""
        if np.asarray(masses).dtype.kind == "f":
            terms = _finer(terms)
            masses = [round(Fraction(float(mass)) * terms.mass_unit) for mass in masses]
        pairs = [(int(atom), int(mass)) for atom, mass in zip(atoms, masses, strict=True)]
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


def generator(bits: Bits) -> np.random.Generator:
    """A numpy generator whose seed comes from `bits`."""
    return np.random.default_rng([int(word) for word in bits.words(4)])


def fresh_seed() -> int:
    """32 bits, as programs that log their seed draw them."""
    return secrets.randbits(32)
