from importlib.resources import files

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.sweep.settings import load


@pytest.mark.parametrize("name", ["embedded", "cfpb", "amazon", "yelp"])
def test_shipped_sweeps_load(name):
    sweep = load((files("dpspin_experiments") / "sweeps" / f"{name}.yaml").read_bytes(), name)
    assert {grid.purpose for grid in sweep.grids} == {"plan", "probe", "ablation"}
    main = sweep.grids[0]
    assert (main.max_atoms, main.plan_sizes) == ((3,), (10,))  # the paper's main setting


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (b"    seeds: 4", b"    strict_sample_size: true\n    seeds: 4", "strict_sample_size"),
        (b'epsilons: ["0.2", "4"]', b"epsilons: [0.2]", "epsilons"),
        (b'epsilons: ["0.2", "4"]', b'epsilons: ["0"]', "epsilons"),
        (b'epsilons: ["0.2", "4"]', b"epsilons: []", "epsilons"),
        (b"mechanisms: [laplace]", b"mechanisms: [exponential]", "mechanisms"),
        (b"kind: embedded, records: 1200", b"kind: cfpb, records: 1200", "source"),
        (b"unit: user", b"unit: person", "unit"),
        (b'sampling_rates: ["1/3", "1"]', b'sampling_rates: ["2"]', "sampling_rates"),
        (b"seeds: 4", b"seeds: 0", "seeds"),
        (b"seeds: 4", b'seeds: "4"', "seeds"),
        (b"universe_sizes: [20]", b'universe_sizes: ["20"]', "universe_sizes"),
        (b"rule: centroid", b"rule: centroid\nsummary_embedding_backend: bert", "summary_embedding_backend"),
        (b"seeds: 2}\n", b"seeds: 0}\n", "comparison"),
        (b"comparison: {mechanism: laplace", b"comparison: {mechanism: private_top_l", "comparison"),
        (b"name: small", b"name: small\nname: other", "name"),
    ],
)
def test_what_a_sweep_may_not_hold_is_refused(old, new, field, declared):
    assert old in declared
    with pytest.raises(UsageError, match=field):
        load(declared.replace(old, new, 1), "sweep.yaml")
