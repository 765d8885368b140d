"""The same attack on a plan, by an attacker who knows everything else: all other records, and the law of the noise.

The guess is that of the likelihood ratio, which no other rule beats (Neyman and Pearson 1933).  Crafted records are on
the two atoms that the secret is about, so that both are released.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.accounting.calibration import LaplaceNoise, calibrate
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.scoring import Scoring
from dpspin.curator import release as core
from dpspin.curator.noise import SeededBits
from dpspin.curator.sketch import contribution
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin.settings import Exact
from dpspin_audits.draws import draws_of
from dpspin_audits.statistics.features import see
from dpspin_audits.statistics.full_sketch import FullSketchScore
from dpspin_audits.statistics.laws import LaplaceLaw
from dpspin_experiments.attack import story

Masses = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Prepared(NamedTuple):
    """Exact contributions, in lattice units, once for all trials."""

    deployment: Deployment
    others: Masses
    """int64[pool, m]."""
    crafted: Masses
    """int64[2, m]: a record on either atom."""
    target: Masses
    """int64[2, m]: the target's record with either secret."""
    law: LaplaceLaw


def replacement(setting: Setting, epsilon: Exact) -> Deployment:
    """The deployment with Laplace noise for this loss, where one record may take the place of another.

    Raises:
        UsageError: when its mechanism is another one, for which the score here would not be the best.
    """
    mechanism = setting.deployment.mechanism
    if mechanism.kind != "laplace":
        raise UsageError("mechanism.kind", f"{mechanism.kind} is not shown here", "name a deployment with laplace")
    loss = mechanism.model_copy(update={"epsilon": epsilon})
    return setting.deployment.model_copy(update={"adjacency": "replacement", "mechanism": loss})


def prepared(deployment: Deployment, weights: Scoring, pool: Sequence[str]) -> Prepared:
    """All contributions, by the reference."""
    values = story.secrets()
    others, crafted, target = (
        np.array([contribution(weights.scores(text), deployment) for text in texts], np.int64)
        for texts in (pool, [value.text for value in values], [story.target(value) for value in values])
    )
    noise = calibrate(deployment, weights.atoms)
    if not isinstance(noise, LaplaceNoise):
        raise UsageError("mechanism.kind", "not laplace", "name a deployment with laplace")
    return Prepared(deployment, others, crafted, target, LaplaceLaw(float(noise.scale / MASS_UNIT)))


def scores(found: Prepared, people: Masses, crafted: int, secrets: npt.NDArray[np.bool_], seed: bytes) -> Floats:
    """float64[runs]: log-likelihood ratio of the second secret against the first, one plan for each of `secrets`.

    Args:
        found: exact contributions.
        people: int64[others], whose records are in the corpus.
        crafted: number of crafted records, half of them on either atom.
        secrets: the truth, which the score does not see.
        seed: of the noise.
    """
    shares = np.array([(crafted + 1) // 2, crafted // 2], np.int64)
    known = found.others[people].sum(axis=0) + shares @ found.crafted
    before, after = (known + row for row in found.target)
    atoms = [int(atom) for atom in np.flatnonzero(before != after)]
    score = FullSketchScore(before[atoms] / MASS_UNIT, after[atoms] / MASS_UNIT, found.law)
    scored = np.empty(len(secrets))
    for side, exact in enumerate((before, after)):
        runs = int((secrets == bool(side)).sum())
        if runs:
            sketch = [int(mass) for mass in exact]
            plans = core.release(sketch, found.deployment, SeededBits(seed, side), runs, rigorous=False)
            scored[secrets == bool(side)] = score(see(draws_of(plans, runs, "the plan"), atoms))
    return scored
