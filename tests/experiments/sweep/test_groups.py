import csv
import io
import statistics

from dpspin_experiments.sweep.conditions import Condition
from dpspin_experiments.sweep.groups import grouped, spread, table

BASE = Condition("user", "1", 20, 3, 5, "laplace", "1", "0", "1", None)


def row(seed, loss, records, condition=BASE, grids=("a",)):
    return {
        "condition": condition._asdict(), "seed": seed, "realised_universe_size": 19, "grids": list(grids),
        "effective": {"units": 7, "records": records}, "figures": {"loss": loss, "mass_retained": None},
    }  # fmt: skip


def test_seeds_of_one_condition_are_one_group_whatever_they_held():
    other = row(0, 9.0, 10, BASE._replace(epsilon="2"), ("b",))
    groups = grouped([row(0, 1.0, 10), other, row(1, 2.0, 14), row(2, 6.0, 12, grids=("a", "b"))])
    assert [group.condition.epsilon for group in groups] == ["1", "2"]
    first = groups[0]
    assert first.figures["loss"] == (3, 3.0, 1.0, 6.0, statistics.stdev([1, 2, 6]))
    assert first.figures["effective_records"][:4] == (3, 12.0, 10, 14)
    assert first.grids == ("a", "b")
    assert first.universe_size == 19
    assert first.mean("mass_retained") is None
    assert first.mean("loss") == 3.0


def test_failed_runs_are_counted_and_give_no_figures():
    failed = {"condition": BASE._asdict(), "seed": 3, "failed": {"error": "MemoryError", "text": ""}, "grids": ["a"]}
    alone, mixed = grouped([failed])[0], grouped([row(0, 1.0, 10), failed])[0]
    assert (alone.failed, alone.universe_size, alone.figures) == (1, None, {})
    assert (mixed.failed, mixed.figures["loss"].runs) == (1, 1)


def test_spread_of_one():
    assert spread([2.5]) == (1, 2.5, 2.5, 2.5, 0.0)


def test_the_table_names_its_audience():
    rows = list(csv.DictReader(io.StringIO(table(grouped([row(0, 1.0, 10), row(1, 2.0, 11)])).decode())))
    assert {each["audience"] for each in rows} == {"curator only"}
    found = {each["measure"]: each for each in rows}
    assert set(found) == {"loss", "effective_units", "effective_records"}
    assert (found["loss"]["mean"], found["loss"]["runs"], found["loss"]["unit"]) == ("1.5", "2", "user")
