"""DP-SPIN with the noise of somebody else's library: exact sketch, plan and text are this project's."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples
from dpspin_audits import addresses, engine
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.steps import Steps

ALPHA = 1e-6
"""Probability that one audit accuses a pipeline that keeps its claim, at most."""
FEW = Effort(pilot=0, training=1000, testing=3000, searched=50)
MANY = Effort(pilot=0, training=4000, testing=10_000, searched=50)
FEWER = Effort(pilot=0, training=400, testing=1000, searched=20)
SEED = b"libraries"


class Drawn(Steps):
    """A release whose noise comes from `draw`; its randomness cannot be repeated."""

    reproducible = None
    release_with = None

    def __init__(self, setting, draw, name, *, bare=False):
        super().__init__(setting)
        self._draw, self._name, self._bare = draw, name, bare
        if bare:  # a law of its own: epsilon and delta are all that is claimed
            self.claim = replace(self.claim, mechanism=None, scale=None, exponent=None, values=None)

    @property
    def name(self):
        return self._name

    def fresh(self):
        return type(self)(self.setting, self._draw, self._name, bare=self._bare)

    def noisy(self, exact, bits, runs):
        return self._draw(exact, runs, self.setting)


def everywhere(add):
    """Noise on every atom: `add(masses, runs)` gives [runs, m], integers in lattice units; the highest are admitted."""

    def draw(exact, runs, setting):
        return highest(add(list(exact), runs), setting.deployment.plan.size)

    return draw


def in_units(add):
    """The same for a library that adds floats: masses are in units of mass."""
    return everywhere(lambda exact, runs: add([mass / MASS_UNIT for mass in exact], runs))


def highest(noisy, size):
    """The plans of noisy sketches, in order of descending mass."""
    order = np.argsort(-noisy, axis=1, kind="stable")[:, :size]
    return Samples(order, np.take_along_axis(noisy, order, axis=1))


def admitted(choose, add):
    """Positions from `choose(masses, runs)`, [runs, L]; noise on the values that those have."""

    def draw(exact, runs, setting):
        chosen = choose(list(exact), runs)
        values = np.asarray(exact)[chosen]
        noisy = values + add([0] * values.size, 1).reshape(values.shape)
        order = np.argsort(-noisy, axis=1, kind="stable")
        return Samples(*(np.take_along_axis(table, order, axis=1) for table in (chosen, noisy)))

    return draw


def audit(setting, draw, name, effort=FEW, *, bare=False):
    """Checks by id."""
    return _checks(setting, Drawn(setting, draw, name, bare=bare), name, effort)


def audit_of_command(setting, library, effort=FEW):
    """Checks by id of a program in the environment of a library, by DPSP/1."""
    folder = Path(__file__).parent
    python = folder.parents[1] / "build" / "real" / library / "bin" / "python"
    spec = f"cmd:'{python}' '{folder / 'libraries' / 'dpsp.py'}' {library}"
    with addresses.closing(addresses.resolve(spec, setting, ReferenceSubject)) as subject:
        return _checks(setting, subject, spec, effort)


def _checks(setting, subject, spec, effort):
    tree = engine.audit(engine.Audit(setting, subject, spec, "", SEED, ALPHA, effort))
    return {check["id"]: check for check in tree["checks"]}


def faults(checks):
    """Checks that found something."""
    return {name: check["reason"] for name, check in checks.items() if check["status"] in {"fail", "error"}}


def least(check):
    """The largest lower bound on epsilon of a check of distributions."""
    return max(test["epsilon_at_least"] for test in check["figures"]["tests"] if test["about"] == "claim")
