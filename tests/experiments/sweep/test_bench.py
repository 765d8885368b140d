from collections import Counter

import pytest

from dpspin.curator import intake
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Condition, Run

RECORD = Condition("record", "1", 20, 3, 5, "laplace", "1", "0", "1", None)


def by_reference(bench, condition, seed):
    """The sketch by the path of a release, one record at a time through the kernel."""
    setting = bench.setting(condition, seed)
    data = bench.data(condition.unit, condition.universe_size, False)
    entries = (*data.halves.auxiliary, *data.halves.protected)
    counts = Counter()
    records = [entry.record() for entry in entries]
    return intake.exact_sketch(records, setting.deployment, setting.weights, counts), counts


@pytest.mark.parametrize(
    "condition",
    [
        RECORD,
        RECORD._replace(sampling_rate="1/3", max_atoms=2),
        RECORD._replace(mass_bound="1/2"),
        RECORD._replace(unit="user"),
        RECORD._replace(unit="user", mass_bound="2", sampling_rate="2/3"),
    ],
)
def test_the_exact_sketch_is_that_of_a_release(bench, condition):
    _, exactly = bench.of(Run(condition, 3))
    expected, counts = by_reference(bench, condition, 3 if condition.sampling_rate != "1" else 0)
    assert exactly.sketch == expected
    assert exactly.records == counts["protected"]
    if condition.unit == "record":
        assert exactly.units == exactly.records
    else:
        assert exactly.units < exactly.records


def test_the_selection_follows_the_seed_only_where_units_are_left_out(bench):
    half = RECORD._replace(sampling_rate="1/2")
    assert bench.of(Run(RECORD, 0)) is not bench.of(Run(RECORD, 1))
    assert bench.of(Run(RECORD, 0))[1] == bench.of(Run(RECORD, 1))[1]
    assert bench.of(Run(half, 0))[1].sketch != bench.of(Run(half, 1))[1].sketch


def test_probe_records_add_to_the_probe_alone(bench):
    plain = bench.of(Run(RECORD, 0))[1]
    probed = bench.of(Run(RECORD._replace(probe_support=30), 0))[1]
    assert probed.sketch == [*plain.sketch, 30 * 2**20]
    assert probed.units == plain.units + 30


def test_the_digest_is_of_the_records_and_of_the_declarations(bench):
    first = bench.gathered.entries[0]
    changed = bench.gathered._replace(entries=(first._replace(text="other"), *bench.gathered.entries[1:]))
    other = bench.sweep.model_copy(update={"rule": "label"})
    same = bench.sweep.model_copy(update={"grids": bench.sweep.grids[:1]})
    digest = bench.digest()
    assert Bench(bench.sweep, changed).digest() != digest
    assert Bench(other, bench.gathered).digest() != digest
    assert Bench(same, bench.gathered).digest() == digest  # more grids do not undo what is done
