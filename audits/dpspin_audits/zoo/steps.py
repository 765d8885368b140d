"""A release in steps, each of which a faulty implementation may replace."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpspin import kernel, pipeline, plan
from dpspin.curator.noise import Bits, SystemBits
from dpspin.plan import PlanTerms
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import Records

FINER = 2**40
"""Floating-point masses are written in steps of 2^-60 of a unit of mass."""


class Steps(ReferenceSubject):
    """The reference, released through its own parts: exact sums, noise and admission, plan, text."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def exact(self, records: Records) -> list[int]:
        """The exact sketch, as the sum of `contribution` over `kept` records."""
        return kernel.add([self.contribution(record) for record in self.kept(records)], len(self.setting.universe))

    def kept(self, records: Records) -> Records:
        """Records that are released."""
        return records

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle of one plan."""
        samples = self.noisy(self.exact(records), SystemBits(), 1)
        return self.bundle(samples.atoms[0], samples.masses[0])

    def bundle(self, atoms: Any, masses: Any) -> dict[str, bytes]:
        """The bundle of one row of samples, int64 lattice units or float64 units of mass."""
        terms = plan.terms_of(self.setting.deployment, self.setting.universe)
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
