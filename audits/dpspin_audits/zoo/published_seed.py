"""Fault: each release draws a fresh 32-bit seed for its noise and writes it down, for reproducibility's sake.

Stands for: spec.md section 8, rows 2 and 3; the run seed in the paper's config.yaml.
Caught by: rng, hygiene, contract.
"""

from collections.abc import Mapping

import numpy as np

from dpspin import canonical
from dpspin.accounting.calibration import LaplaceNoise
from dpspin.curator.full_sketch import admit
from dpspin_audits.subject import Records
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.steps import Steps, fresh_seed


class PublishedSeed(Steps):
    """Noise on the full sketch; subtracting that of the number called `run` returns the exact masses."""

    def release(self, records: Records) -> Mapping[str, bytes]:
        """A bundle whose plan holds the seed under a harmless name."""
        self._releases += 1
        exact, seed, stated = self.sketch(records), fresh_seed(), values_of(self.noise)
        draw = np.random.default_rng(seed)
        law = draw.laplace if isinstance(stated, LaplaceNoise) else draw.normal
        noise = law(0, float(typical(stated)), len(exact))
        samples = admit(exact, np.rint(noise).astype(np.int64)[None, :], self.setting.deployment.plan.size)
        files = self.bundle(samples.atoms[0], samples.masses[0], self.terms(records))
        tree = canonical.loads(files["plan.json"], "plan.json")
        return files | {"plan.json": canonical.dumps(tree | {"run": seed})}


subject = PublishedSeed
