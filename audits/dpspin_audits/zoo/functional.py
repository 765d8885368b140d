"""Correct: one function made of small ones, without a class of its own and without the reference's sums.

Style: closures, folds and immutable tuples; a record that names two functions and a claim.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import starmap
from typing import Any

import numpy as np

from dpspin import pipeline, plan
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.curator.noise import SeededBits, SystemBits
from dpspin.pipeline import Setting
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.reference_subject import Plans, claim_of
from dpspin_audits.subject import Claim, Record, Records
from dpspin_audits.zoo.noises import signed, values_of

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Functions:
    """A subject without state: what it does is what it was made of."""

    claim: Claim
    sketch: Callable[[Records], Vector]
    release: Callable[[Records], Mapping[str, bytes]]
    sample: Callable[[Records, int], Plans]
    reproducible: Callable[[bytes], Any]

    def fresh(self) -> "Functions":
        """Itself: there is nothing that could differ."""
        return self


def contribute(setting: Setting) -> Callable[[Record], Vector]:
    """phi of a record, as a function of the record alone."""
    d, most = setting.deployment, setting.deployment.assignment.max_atoms

    def phi(record: Record) -> Vector:
        read = corpus_record(record, setting)
        unit = split.unit_of(read, d.user)
        counts = (
            unit is not None
            and not split.belongs(d.corpus.split.key, d.corpus.split.auxiliary_share, unit)
            and split.belongs(d.corpus.selection_key, d.corpus.sampling_rate, unit)
        )
        scores = setting.weights.scores(read.text) if counts else [0] * len(setting.universe)
        ranked = sorted(((-score, atom) for atom, score in enumerate(scores) if score > 0))[:most]
        kept = {atom: -score for score, atom in ranked}
        total = sum(kept.values())
        return tuple(MASS_UNIT * kept.get(atom, 0) // max(total, 1) for atom in range(len(scores)))

    return phi


def subject(setting: Setting, seed: bytes | None = None) -> Functions:
    """The implementation for a deployment whose unit is a record and whose noise is added to every atom."""
    phi, law, size = contribute(setting), values_of(setting.noise), setting.deployment.plan.size
    nothing = (0,) * len(setting.universe)

    def sketch(records: Records) -> Vector:
        return reduce(lambda total, part: tuple(starmap(int.__add__, zip(total, part, strict=True))),
                      map(phi, records), nothing)  # fmt: skip

    def sample(records: Records, runs: int) -> Plans:
        bits = SystemBits() if seed is None else SeededBits(seed)
        noisy = np.asarray(sketch(records)) + signed(law, (runs, len(nothing)), bits)
        order = np.lexsort((np.broadcast_to(np.arange(len(nothing)), noisy.shape), -noisy), axis=1)[:, :size]
        return Plans(order, np.take_along_axis(noisy, order, axis=1))

    def release(records: Records) -> Mapping[str, bytes]:
        atoms, masses = sample(records, 1)
        pairs = list(zip(atoms[0].tolist(), masses[0].tolist(), strict=True))
        return pipeline.publish(plan.build(pairs, setting.terms()), setting, None)

    return Functions(claim_of(setting), sketch, release, sample, lambda seed: subject(setting, seed))
