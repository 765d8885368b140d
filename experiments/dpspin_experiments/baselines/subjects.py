"""A private baseline as a subject: judged by the same statistics as any implementation of plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dpspin import canonical
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.jsonl import fields_of, record_of
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.deployment import Deployment
from dpspin_audits.subject import Claim, Records
from dpspin_experiments.baselines.budget import Budget, Stage, budget_of, moved
from dpspin_experiments.baselines.documents import Document, documents
from dpspin_experiments.baselines.vocabulary import Vocabulary

BLOCK = 2**11
"""Releases that are drawn at once, each block from bits of its own."""


class Baseline(Protocol):
    """What every private baseline offers."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Its queries, and what each may spend."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """What may be counted."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """Names of what is released, by index."""
        ...

    def counts(self, documents: Sequence[Document]) -> list[int]:
        """The released numbers without noise, for the curator and for audits."""
        ...

    def sample(
        self, documents: Sequence[Document], budget: Budget, bits: Bits, runs: int, *, rigorous: bool
    ) -> Samples:
        """Many releases, in order of descending noisy number, in lattice units."""
        ...

    def told(self, released: dict[int, int]) -> list[int]:
        """The entries of the vocabulary that the summary names."""
        ...

    def seen(self, released: dict[int, int]) -> dict[str, Any]:
        """What the writer of the summary is given, as JSON: a function of what was released."""
        ...

    def text(self, released: dict[int, int]) -> str:
        """The summary, a function of what was released."""
        ...


@dataclass(frozen=True, slots=True)
class BaselineSubject:
    """A private baseline under the terms of a deployment."""

    baseline: Baseline
    deployment: Deployment
    budget: Budget
    """What its noise is scaled to."""
    claim: Claim
    seed: bytes | None = None

    def fresh(self) -> "BaselineSubject":
        """A new instance; it has no state."""
        return replace(self, seed=None)

    def reproducible(self, seed: bytes) -> "BaselineSubject":
        """An instance whose samples follow from `seed`; its releases do not."""
        return replace(self, seed=seed)

    def documents(self, records: Records) -> list[Document]:
        """The protected units among records."""
        fields = fields_of(self.deployment)
        return documents((record_of(record, fields) for record in records), self.deployment)

    def release(self, records: Records) -> Mapping[str, bytes]:
        """One release with the system's generator: noisy counts and the summary made from them."""
        counts = released(self.baseline, self.documents(records), self.budget, SystemBits())
        rows = [
            {"index": at, "label": self.baseline.cells[at], "noisy_mass": str(count)} for at, count in counts.items()
        ]
        return {
            "plan.json": canonical.dumps({"schema": "dpspin-baseline/1", "released": rows}),
            "summary.txt": self.baseline.text(counts).encode(),
        }

    def sample(self, records: Records, runs: int) -> Samples:
        """Many releases of one corpus."""
        units = self.documents(records)
        parts = [
            self.baseline.sample(units, self.budget, self._bits(block), min(BLOCK, runs - start), rigorous=False)
            for block, start in enumerate(range(0, runs, BLOCK))
        ]
        return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _bits(self, block: int) -> Bits:
        return SystemBits() if self.seed is None else SeededBits(self.seed, block)


def released(baseline: Baseline, units: Sequence[Document], budget: Budget, bits: Bits) -> dict[int, int]:
    """One release: noisy counts by index, in descending order, every draw decided in integer arithmetic."""
    found = baseline.sample(units, budget, bits, 1, rigorous=True)
    return {int(at): int(mass) // MASS_UNIT for at, mass in zip(found.atoms[0], found.masses[0], strict=True)}


def subject(baseline: Baseline, deployment: Deployment) -> BaselineSubject:
    """A baseline with the claim of a deployment; its whole law is claimed where it has one stage."""
    budget, stages = budget_of(deployment), baseline.stages
    bound = max(moved(stage, "add_drop")[0] for stage in stages)
    known = len(stages) == 1
    claim = Claim(
        unit=deployment.unit,
        adjacency=deployment.adjacency,
        mass_bound=bound,
        epsilon=budget.epsilon,
        delta=budget.delta,
        mechanism=("gaussian" if budget.delta else "laplace") if known else None,
        scale=budget.scale(stages[0]) if known else None,
        missing_ids="drop" if deployment.user is None else deployment.user.on_missing_user,
    )
    return BaselineSubject(baseline, deployment, budget, claim)


def noise_size(found: BaselineSubject) -> float:
    """A typical size of its noise, in counts: that of the stage with the least."""
    return float(min(found.budget.scale(stage) for stage in found.baseline.stages))


def spent(found: BaselineSubject) -> tuple[Fraction, Fraction]:
    """What one release costs, computed from the scales of its noise."""
    total = found.budget.total(found.baseline.stages)
    return total.epsilon, total.delta
