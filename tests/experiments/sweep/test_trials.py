import csv
import io

from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.trials import table, trials


def test_every_mechanism_is_tried_at_every_epsilon_named(bench):
    found = trials(bench)
    assert {each.condition.mechanism for each in found} == {
        "laplace", "gaussian", "private_top_l", "private_top_l_tight",
    }  # fmt: skip
    assert {each.condition.epsilon for each in found} == {"1"}
    assert {each.condition.universe_size for each in found} == {20}
    assert not [each for each in found if each.tried.refuted]
    assert trials(bench) == found  # seeded, because the corpus is invented
    rows = list(csv.DictReader(io.StringIO(table(found).decode())))
    assert len(rows) == len(found)
    assert {row["audience"] for row in rows} == {"curator only"}


def test_a_sweep_need_not_try_them(bench):
    assert trials(Bench(bench.sweep.model_copy(update={"theorems": None}), bench.gathered)) == []
