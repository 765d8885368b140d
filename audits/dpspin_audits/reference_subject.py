"""The reference implementation as a subject: what is audited is the code that releases."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpspin import pipeline
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.jsonl import Record as CorpusRecord
from dpspin.curator import release as core
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.curator.sketch import contribution, sketch
from dpspin.deployment import Deployment
from dpspin.pipeline import Setting
from dpspin_audits.subject import Claim, Record, Records

BLOCK = 2**14
"""Rows that are drawn at once, each block from bits of its own."""


class Plans(NamedTuple):
    """Released plans, as `Batched.sample` returns them."""

    atoms: Any
    masses: Any


def claim_of(deployment: Deployment, universe_size: int) -> Claim:
    """What a deployment promises about one release."""
    mechanism = deployment.mechanism
    return Claim(
        unit=deployment.unit,
        adjacency=deployment.adjacency,
        mass_bound=Fraction(deployment.mass_bound),
        epsilon=Fraction(mechanism.epsilon),
        delta=Fraction(mechanism.delta),
        mechanism=mechanism.kind,
        scale=deployment.noise_scale(universe_size) / MASS_UNIT,
        missing_ids="drop",
    )


class ReferenceSubject:
    """A deployment, released by `dpspin` itself.

    `release` runs the whole pipeline with the system's generator.  `sample` computes the exact sketch once and calls
    the same core function for many rows; its float64 filter gives the same integers as the rigorous path.
    """

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        self.setting = setting
        self.claim = claim_of(setting.deployment, len(setting.universe))
        self._seed = seed

    @property
    def name(self) -> str:
        """What reports call it."""
        return "the reference, dpspin"

    def fresh(self) -> "ReferenceSubject":
        """A new instance for the same deployment."""
        return type(self)(self.setting)

    def reproducible(self, seed: bytes) -> "ReferenceSubject":
        """An instance whose samples follow from `seed`; its releases do not."""
        return type(self)(self.setting, seed)

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle, by the pipeline that the command line runs; it is covered by no charge."""
        return pipeline.release(self.setting, self.corpus(records), SystemBits(), None).bundle

    def sample(self, records: Records, runs: int) -> Plans:
        """Many plans of one corpus."""
        exact = self.exact(records)
        parts = [
            self.noisy(exact, self._bits(block), min(BLOCK, runs - start))
            for block, start in enumerate(range(0, runs, BLOCK))
        ]
        return Plans(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def contribution(self, record: Record) -> list[int]:
        """One record's clipped contribution in lattice units."""
        scores = next(pipeline.protected_scores(self.corpus([record]), self.setting), None)
        return [0] * len(self.setting.universe) if scores is None else contribution(scores, self.setting.deployment)

    def corpus(self, records: Records) -> Iterator[CorpusRecord]:
        """Records as the pipeline reads them."""
        fields = self.setting.deployment.corpus
        return (CorpusRecord(r.get(fields.id_field), r.get(fields.text_field), None, {}) for r in records)

    def exact(self, records: Records) -> list[int]:
        """The exact sketch."""
        scores = pipeline.protected_scores(self.corpus(records), self.setting)
        return sketch(scores, self.setting.deployment, len(self.setting.universe))

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch, by the core call."""
        return core.release(exact, self.setting.deployment, bits, runs, rigorous=False)

    def _bits(self, block: int) -> Bits:
        return SystemBits() if self._seed is None else SeededBits(self._seed, block)
