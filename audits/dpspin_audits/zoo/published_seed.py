"""Fault: each release draws a fresh 32-bit seed for its noise and writes it down, for reproducibility's sake."""

from collections.abc import Mapping

import numpy as np

from dpspin import canonical
from dpspin.curator.full_sketch import admit
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, fresh_seed


class PublishedSeed(Steps):
    """Subtracting the noise of the number called `run` returns the exact masses."""

    def release(self, records: Records) -> Mapping[str, bytes]:
        """A bundle whose plan holds the seed under a harmless name."""
        deployment, exact, seed = self.setting.deployment, self.exact(records), fresh_seed()
        noise = np.random.default_rng(seed).laplace(0, float(deployment.noise_scale(len(exact))), len(exact))
        samples = admit(exact, np.rint(noise).astype(np.int64)[None, :], deployment.plan.size)
        files = self.bundle(samples.atoms[0], samples.masses[0])
        tree = canonical.loads(files["plan.json"], "plan.json")
        return files | {"plan.json": canonical.dumps(tree | {"run": seed})}


subject = PublishedSeed
