"""Groups made up for the judges of claims."""

from types import SimpleNamespace

import pytest

from dpspin_experiments.results.evidence import Evidence
from dpspin_experiments.sweep.conditions import Condition
from dpspin_experiments.sweep.groups import Group, spread
from dpspin_experiments.sweep.settings import load

SWEEP = """
schema: dpspin-sweep/1
name: made-up
source: {kind: embedded, records: 10}
split: {key: auxiliary-2026, auxiliary_share: "1/2"}
atoms: {kind: labels}
rule: centroid
delta: "1e-6"
denominator: "600"
grids:
"""
GRID = """  - {name: %s, purpose: %s, unit: %s, universe_sizes: [20], mass_bounds: ["1"], sampling_rates: ["1"],
     epsilons: ["1"], mechanisms: [laplace], seeds: 1}
"""
NAMES = (
    ("record-level", "plan", "record"), ("user-level", "plan", "user"), ("probe", "probe", "record"),
    *((f"ablation-{name}", "ablation", "record") for name in "mLnB"),
)  # fmt: skip
BASE = Condition("record", "1", 20, 3, 10, "laplace", "1", "0", "1", None)


def group(grid, figures, universe_size=20, **changed):
    """A group of twenty seeds with one value for each measure."""
    values = {name: spread([value] * 20) for name, value in figures.items()}
    return Group(BASE._replace(**changed), (grid,), 0, universe_size, values)


def evidence(*groups):
    """What a sweep with these groups measured."""
    return Evidence(load((SWEEP + "".join(GRID % names for names in NAMES)).encode(), "made-up"), groups, ())


def by_epsilon(grid, figure, values, unit="record"):
    """Groups by mechanism and epsilon 0.1, 1 and 10; Overlap is half of the measure."""
    return [
        group(grid, {"overlap": value / 2, figure: value}, mechanism=name, epsilon=epsilon, unit=unit)
        for name, row in values.items()
        for epsilon, value in zip(("0.1", "1", "10"), row, strict=True)
    ]


@pytest.fixture
def made():
    """Makers of evidence."""
    return SimpleNamespace(group=group, evidence=evidence, by_epsilon=by_epsilon)
