"""What the claims are judged by: groups of one sweep, picked by purpose and condition."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from dpspin.adjacency import Unit
from dpspin_experiments.baselines.standing import Standing
from dpspin_experiments.sweep.calibrations import Calibration
from dpspin_experiments.sweep.conditions import Condition
from dpspin_experiments.sweep.displacement import Displacement
from dpspin_experiments.sweep.groups import Group
from dpspin_experiments.sweep.settings import Sweep
from dpspin_experiments.sweep.trials import Trial

FULL = ("laplace", "gaussian")
SPARSE = "private_top_l"
TIGHT = "private_top_l_tight"
NAMES = {
    "laplace": "Laplace sketch",
    "gaussian": "Gaussian sketch",
    SPARSE: "admission, as in the paper",
    TIGHT: "admission, tight",
}
"""Of mechanisms, in the order in which figures have them."""


class Fidelities(NamedTuple):
    """One assignment against labels (spec.md section 6), for one universe."""

    rule: str
    """label, centroid or lsa."""
    universe_size: int
    top_one: float
    variation_covered: float
    variation: float
    top_overlap: float


class Evidence(NamedTuple):
    """Everything that one sweep measured."""

    sweep: Sweep
    groups: Sequence[Group]
    trials: Sequence[Trial]
    fidelities: Sequence[Fidelities] = ()
    """By rule; none where no label is an atom."""
    standings: Sequence[Standing] = ()
    """The plan beside other methods; none where the sweep does not ask for it."""
    calibrations: Sequence[Calibration] = ()
    displacement: Displacement | None = None

    def plans(self, unit: Unit, bound: str = "1") -> list[Group]:
        """Groups of the main grids over one unit, by rising epsilon."""
        names = {grid.name for grid in self.sweep.grids if grid.purpose == "plan" and grid.unit == unit}
        chosen = [
            group
            for group in self.groups
            if names & set(group.grids) and group.condition.mass_bound == bound and group.figures
        ]
        return sorted(chosen, key=lambda group: Fraction(group.condition.epsilon))

    def ablation(self, name: str, mechanism: str) -> list[Group]:
        """Groups of one ablation under one mechanism, by what it varies, rising."""
        chosen = [
            group
            for group in self.groups
            if name in group.grids and group.condition.mechanism == mechanism and group.figures
        ]
        return sorted(chosen, key=lambda group: _varied(group.condition))

    def probes(self, mechanism: str) -> list[Group]:
        """Groups with a probe under one mechanism, by rising support."""
        chosen = [
            group
            for group in self.groups
            if group.condition.probe_support is not None and group.condition.mechanism == mechanism and group.figures
        ]
        return sorted(chosen, key=lambda group: group.condition.probe_support or 0)


def _varied(condition: Condition) -> tuple[Fraction, ...]:
    sizes = condition.universe_size, condition.max_atoms, condition.plan_size
    return (*map(Fraction, sizes), Fraction(condition.sampling_rate), Fraction(condition.mass_bound))


def means(groups: Sequence[Group], figure: str, mechanism: str | None = None) -> list[float]:
    """Means of a measure, of one mechanism or of all, where it is defined."""
    chosen = (group for group in groups if mechanism in (None, group.condition.mechanism))
    return [mean for group in chosen if (mean := group.mean(figure)) is not None]


def rises(values: Sequence[float], slack: float = 0.0) -> bool:
    """Whether values never fall, up to a slack for chance, and end above where they began."""
    return all(later >= earlier - slack for earlier, later in pairwise(values)) and values[-1] > values[0]
