"""The conditions of a sweep: what is varied, spelled out, and an id for every run."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from dpspin import canonical
from dpspin.adjacency import Unit
from dpspin_experiments.dataset import Terms
from dpspin_experiments.sweep.settings import Grid, Sweep


class Condition(NamedTuple):
    """One experimental condition: the paper's grouping key, with the declared share of units in place of n."""

    unit: Unit
    sampling_rate: str
    universe_size: int
    """As requested."""
    max_atoms: int
    plan_size: int
    mechanism: str
    epsilon: str
    delta: str
    """Effective: "0" where the mechanism is pure."""
    mass_bound: str
    probe_support: int | None
    """None where the universe has no probe."""

    def terms(self, denominator: str, seed: int) -> Terms:
        """What a run of this condition declares; units are selected anew for every seed."""
        return Terms(
            self._mechanism(), self.plan_size, self.max_atoms, self.mass_bound, "add_drop", self.sampling_rate,
            f"selection-{seed:04d}", denominator,
        )  # fmt: skip

    def _mechanism(self) -> dict[str, str]:
        claim = {"epsilon": self.epsilon, "delta": self.delta}
        if self.mechanism == "laplace":
            return {"kind": "laplace", **claim}
        if self.mechanism == "gaussian":
            return {"kind": "gaussian", **claim, "calibration": "analytic"}
        mode = "tight" if self.mechanism.endswith("_tight") else "paper"
        return {"kind": "private_top_l", **claim, "em_mode": mode, "selection_share": "1/2", "values": "gaussian"}


class Run(NamedTuple):
    """One condition under one seed."""

    condition: Condition
    seed: int

    def id(self, data_digest: str) -> str:
        """A name that says which run this is over which data; equal runs of two grids are one."""
        tree = {"data": data_digest, "seed": self.seed, **self.condition._asdict()}
        return canonical.digest(canonical.dumps(tree))[:24]


def conditions(grid: Grid, sweep: Sweep) -> Iterator[Condition]:
    """Every combination of a grid's lists."""
    for rate, m, k, size, bound, mechanism, epsilon, probe in product(
        grid.sampling_rates, grid.universe_sizes, grid.max_atoms, grid.plan_sizes, grid.mass_bounds,
        grid.mechanisms, grid.epsilons, grid.probe_supports or (None,),
    ):  # fmt: skip
        delta = "0" if mechanism == "laplace" else sweep.delta.text
        yield Condition(grid.unit, rate.text, m, k, size, mechanism, epsilon.text, delta, bound.text, probe)


def runs(sweep: Sweep) -> dict[Run, tuple[str, ...]]:
    """Every run once, with the names of the grids that ask for it."""
    found: dict[Run, tuple[str, ...]] = {}
    for grid in sweep.grids:
        for condition in conditions(grid, sweep):
            for seed in range(grid.seeds):
                run = Run(condition, seed)
                found[run] = (*found.get(run, ()), grid.name)
    return found
