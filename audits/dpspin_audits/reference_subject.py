"""The reference implementation as a subject: what is audited is the code that releases."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpspin import pipeline, plan
from dpspin.accounting.calibration import LaplaceNoise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.curator import intake
from dpspin.curator import release as core
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.decoder import backend, loop
from dpspin.mechanism import PrivateTopL
from dpspin.pipeline import Setting
from dpspin_audits.conformance import steps
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.subject import Claim, NoiseSource, Record, Records

TEMPLATE = "dpspin.decoder.template:decoder"
MODEL = "dpspin.decoder.backend:watched"
"""What makes a language model's writer of its settings."""
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
    the same core function for many rows; its float64 filter gives the same integers as the rigorous path.  A language
    model is asked nothing: the template answers what it would be asked, and the record says so.
    """

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        self.setting = replace(setting, stand_in=True)
        self.claim = claim_of(setting)
        self._seed = seed
        self._releases = 0

    @property
    def name(self) -> str:
        """What reports call it."""
        return "dpspin"

    @property
    def writer(self) -> str:
        """The program that puts its plans into words."""
        return MODEL if self.setting.deployment.decoder.llm else TEMPLATE

    def fresh(self) -> "ReferenceSubject":
        """A new instance for the same deployment."""
        return type(self)(self.setting)

    def reproducible(self, seed: bytes) -> "ReferenceSubject":
        """An instance whose samples follow from `seed`; its releases do not."""
        return type(self)(self.setting, seed)

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle, by the pipeline that the command line runs; the ledger of no population is charged."""
        self._releases += 1
        return pipeline.release(
            self.setting, (corpus_record(r, self.setting) for r in records), SystemBits(), None
        ).bundle

    def release_with(self, records: Records, noise: NoiseSource) -> Mapping[str, bytes]:
        """The bundle under noise from outside, by the same pipeline; its plan bears a stamp."""
        return pipeline.release_with(self.setting, (corpus_record(r, self.setting) for r in records), noise).bundle

    def decoder_input(self, plan_bytes: bytes) -> bytes:
        """Every prompt and all feedback that the writer gets for a plan."""
        terms = self.setting.deployment.decoder
        read = plan.decode(plan_bytes, "plan.json")
        writer = backend.of(terms, stand_in=True)
        attempts = loop.write(read, writer.decoder, terms.max_attempts, terms.contract_mode, writer.ask).attempts
        return b"".join(attempt.prompt + attempt.feedback for attempt in attempts)

    def unit_key(self, record: Record) -> str | None:
        """The id of its unit; None where it is not protected, not selected or without a unit."""
        d, read = self.setting.deployment, corpus_record(record, self.setting)
        counted = any(True for _ in intake.protected_scores([read], d, self.setting.weights, Counter()))
        return split.unit_of(read, d.user) if counted else None

    def spent(self) -> tuple[Fraction, Fraction]:
        """By basic composition: as much for every release as the claim says, and once for a charged universe."""
        built = self.setting.deployment.universe.charge if self._releases else None
        epsilon, delta = (Fraction(built.epsilon), Fraction(built.delta)) if built else (Fraction(0), Fraction(0))
        return epsilon + self._releases * self.claim.epsilon, delta + self._releases * self.claim.delta

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

    def vector(self, function: str, given: dict[str, Any]) -> Any:
        """The output of one deterministic step."""
        return steps.answer(function, given)

    def _exact(self, records: Records) -> list[int]:
        corpus = [corpus_record(record, self.setting) for record in records]
        return intake.exact_sketch(corpus, self.setting.deployment, self.setting.weights, Counter())

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch, by the core call."""
        return core.release(exact, self.setting.deployment, bits, runs, rigorous=False)

    def _bits(self, block: int) -> Bits:
        return SystemBits() if self._seed is None else SeededBits(self._seed, block)
