"""A small sweep that all tests of sweeps and results share, run once."""

import pytest

from dpspin_experiments.results.store import store
from dpspin_experiments.sources import reading
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.execute import execute
from dpspin_experiments.sweep.settings import load

SWEEP = b"""
schema: dpspin-sweep/1
name: small
source: {kind: embedded, records: 1200}
split: {key: auxiliary-2026, auxiliary_share: "1/2"}
atoms: {kind: labels}
rule: centroid
delta: "1e-6"
denominator: "600"
grids:
  - name: record-level
    purpose: plan
    unit: record
    universe_sizes: [20]
    plan_sizes: [5]
    mass_bounds: ["1"]
    sampling_rates: ["1"]
    epsilons: ["0.2", "4"]
    mechanisms: [laplace, gaussian, private_top_l, private_top_l_tight]
    seeds: 4
  - name: user-level
    purpose: plan
    unit: user
    universe_sizes: [20]
    plan_sizes: [5]
    mass_bounds: ["1"]
    sampling_rates: ["1"]
    epsilons: ["0.2", "4"]
    mechanisms: [laplace, gaussian, private_top_l]
    seeds: 2
  - name: probe
    purpose: probe
    unit: record
    universe_sizes: [20]
    plan_sizes: [5]
    mass_bounds: ["1"]
    sampling_rates: ["1"]
    epsilons: ["4"]
    mechanisms: [laplace, gaussian, private_top_l]
    probe_supports: [0, 300]
    seeds: 2
  - name: ablation-L
    purpose: ablation
    unit: record
    universe_sizes: [20]
    plan_sizes: [3, 5]
    mass_bounds: ["1"]
    sampling_rates: ["1"]
    epsilons: ["4"]
    mechanisms: [laplace]
    seeds: 2
  - name: ablation-n
    purpose: ablation
    unit: record
    universe_sizes: [20]
    plan_sizes: [5]
    mass_bounds: ["1"]
    sampling_rates: ["1/3", "1"]
    epsilons: ["4"]
    mechanisms: [laplace]
    seeds: 2
theorems: {epsilons: ["1"], runs: 2000, beta: "0.05"}
comparison: {mechanism: laplace, epsilon: "1", seeds: 2}
"""


@pytest.fixture(scope="session")
def declared():
    """The bytes of the small sweep file."""
    return SWEEP


@pytest.fixture(scope="session")
def bench():
    """The data of the small sweep."""
    return Bench(load(SWEEP, "small.yaml"), reading.invented(1200))


@pytest.fixture(scope="session")
def folder(bench, once):
    """The small sweep's results."""

    def make(place):
        execute(bench, place / "small", lambda: None)
        store(bench, SWEEP, place / "small")

    return once("sweep", make) / "small"
