"""The reference implementation as a subject: what is audited is the code that releases."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpspin import pipeline
from dpspin.accounting.calibration import LaplaceNoise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.curator import intake
from dpspin.curator import release as core
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.mechanism import PrivateTopL
from dpspin.pipeline import Setting
from dpspin_audits.corpora import corpus_record
from dpspin_audits.subject import Claim, Record, Records

BLOCK = 2**14
"""Rows that are drawn at once, each block from bits of its own."""


class Plans(NamedTuple):
    """Released plans, as `Batched.sample` returns them."""

    atoms: Any
    masses: Any


def claim_of(setting: Setting) -> Claim:
    """What a deployment promises about one release."""
    d, noise = setting.deployment, setting.noise
    values = noise.values if isinstance(noise, Peeling) else noise
    scale = values.scale if isinstance(values, LaplaceNoise) else values.sigma
    return Claim(
        unit=d.unit,
        adjacency=d.adjacency,
        mass_bound=Fraction(d.mass_bound),
        epsilon=Fraction(d.mechanism.epsilon),
        delta=Fraction(d.mechanism.delta),
        mechanism=d.mechanism.kind,
        scale=scale / MASS_UNIT,
        exponent=noise.exponent * MASS_UNIT if isinstance(noise, Peeling) else None,
        values=d.mechanism.values if isinstance(d.mechanism, PrivateTopL) else None,
        missing_ids="drop" if d.user is None else d.user.on_missing_user,
    )


class ReferenceSubject:
    """A deployment, released by `dpspin` itself.

    `release` runs the whole pipeline with the system's generator.  `sample` computes the exact sketch once and calls
    the same core function for many rows; its float64 filter gives the same integers as the rigorous path.
    """

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        self.setting = setting
        self.claim = claim_of(setting)
        self._seed = seed

    @property
    def name(self) -> str:
        """What reports call it."""
        return "dpspin"

    def fresh(self) -> "ReferenceSubject":
        """A new instance for the same deployment."""
        return type(self)(self.setting)

    def reproducible(self, seed: bytes) -> "ReferenceSubject":
        """An instance whose samples follow from `seed`; its releases do not."""
        return type(self)(self.setting, seed)

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle, by the pipeline that the command line runs; it is covered by no charge."""
        return pipeline.release(
            self.setting, (corpus_record(r, self.setting) for r in records), SystemBits(), None
        ).bundle

    def sample(self, records: Records, runs: int) -> Plans:
        """Many plans of one corpus."""
        exact = list(self.sketch(records))
        parts = [
            self.noisy(exact, self._bits(block), min(BLOCK, runs - start))
            for block, start in enumerate(range(0, runs, BLOCK))
        ]
        return Plans(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def contribution(self, record: Record) -> list[int]:
        """One record's contribution in lattice units, as of a unit that has no other record."""
        return self._exact([record])

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch in lattice units."""
        return self._exact(records)

    def _exact(self, records: Records) -> list[int]:
        corpus = [corpus_record(record, self.setting) for record in records]
        return intake.exact_sketch(corpus, self.setting.deployment, self.setting.weights, Counter())

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch, by the core call."""
        return core.release(exact, self.setting.deployment, bits, runs, rigorous=False)

    def _bits(self, block: int) -> Bits:
        return SystemBits() if self._seed is None else SeededBits(self._seed, block)
