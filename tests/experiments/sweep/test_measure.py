import json

import pytest

from dpspin import plan
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin_experiments.metrics import full_errors, plan_utility, selected_errors
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Condition, Run
from dpspin_experiments.sweep.measure import measure

BASE = Condition("record", "1", 20, 3, 5, "laplace", "4", "0", "1", None)
SEED = b"\x07" * 12


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "private_top_l"])
def test_a_run_measures_what_the_core_call_releases(bench, mechanism):
    run = Run(BASE._replace(mechanism=mechanism, delta="0" if mechanism == "laplace" else "1e-6"), 0)
    found = measure(run, bench, SEED)["figures"]
    setting, exactly = bench.of(run)
    samples = release(exactly.sketch, setting.deployment, SeededBits(SEED), rigorous=True)
    atoms, masses = samples.atoms[0].tolist(), samples.masses[0].tolist()
    expected = plan_utility(exactly.sketch, atoms, 5)
    assert (found["overlap"], found["mass_retained"], found["loss"]) == expected
    selected = selected_errors(exactly.sketch, atoms, masses)
    if mechanism == "private_top_l":
        assert found["error_largest"] == selected.largest
    else:
        assert found["error_largest"] >= selected.largest  # all atoms, not only the released ones
    assert found["accepted"] == found["accepted_attempts"] == 1.0
    assert found["unsupported_atoms"] == 0.0


def test_results_are_marked_and_depend_on_the_seed(bench):
    one, other = (measure(Run(BASE, 0), bench, seed) for seed in (SEED, b"\x08" * 12))
    assert one == measure(Run(BASE, 0), bench, SEED)
    assert one["figures"]["error_total"] != other["figures"]["error_total"]
    assert "curator only" in one["audience"]
    assert "NON-PRIVATE" in one["audience"]


def test_the_likeness_of_a_plan_to_itself_is_one(bench):
    huge = Run(BASE._replace(epsilon="1000000"), 0)
    found = measure(huge, bench, SEED)["figures"]
    assert found["overlap"] == 1.0
    assert found["likeness_token"] > 0.95
    small = measure(Run(BASE._replace(mechanism="private_top_l", epsilon="0.01", delta="1e-6"), 0), bench, SEED)
    assert small["figures"]["likeness_bigram"] < found["likeness_bigram"]


def test_probe_measures(bench):
    found = measure(Run(BASE._replace(probe_support=300), 0), bench, SEED)["figures"]
    assert (found["probe_admitted"], found["probe_mentioned"], found["probe_exact_rank"]) == (1.0, 1.0, 1.0)
    none = measure(Run(BASE._replace(probe_support=0), 0), bench, SEED)["figures"]
    assert (none["probe_admitted"], none["probe_exact_rank"]) == (0.0, 21.0)
    assert "probe_admitted" not in measure(Run(BASE, 0), bench, SEED)["figures"]


def test_real_data_get_the_systems_noise_and_no_stamp(bench, monkeypatch):
    drawn = []
    kept = plan.build
    monkeypatch.setattr(plan, "build", lambda pairs, terms: drawn.append(terms.stamp) or kept(pairs, terms))
    measure(Run(BASE, 0), bench, SEED)
    assert set(drawn) == {plan.SEEDED}
    drawn.clear()
    monkeypatch.setattr(bench, "synthetic", False)
    results = [measure(Run(BASE, 0), bench, SEED)["figures"]["error_total"] for _ in range(2)]
    assert results[0] != results[1]
    assert set(drawn) == {None}


def test_errors_of_full_sketches_are_the_noise(bench):
    from dpspin.curator.release import draw

    setting, _ = bench.of(Run(BASE, 0))
    noise = draw(setting.deployment, 20, SeededBits(SEED), 1, rigorous=True)
    found = measure(Run(BASE, 0), bench, SEED)["figures"]
    errors = full_errors(noise[0].tolist())
    assert (found["error_largest"], found["error_total"], found["error_euclidean"]) == errors


def test_a_run_keeps_its_plan_its_summary_and_the_verdicts(bench):
    found = measure(Run(BASE, 0), bench, SEED)
    assert len(found["plan"]) == 5
    assert all(atom["label"] in found["summary"] for atom in found["plan"])
    assert [attempt["accepted"] for attempt in found["attempts"]] == [True]
    assert json.loads(json.dumps(found)) == found


def test_summaries_are_compared_by_embeddings_where_the_sweep_asks(bench):
    assert "likeness_embedding" not in measure(Run(BASE, 0), bench, SEED)["figures"]
    asked = Bench(bench.sweep.model_copy(update={"summary_embedding_backend": "lsa"}), bench.gathered)
    assert asked.digest() != bench.digest()  # results of the one are not kept for the other
    near, far = (
        measure(Run(BASE._replace(epsilon=loss), 0), asked, SEED)["figures"]["likeness_embedding"]
        for loss in ("1000", "0.001")
    )
    assert far < near <= 1 + 1e-9
