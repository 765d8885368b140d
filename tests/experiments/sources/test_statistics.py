from dpspin_experiments.atoms.recipe import Labels, Recipe, prepare
from dpspin_experiments.dataset import Entry, split_of
from dpspin_experiments.sources.gathering import Gathered
from dpspin_experiments.sources.statistics import manifest, most_frequent, quantiles, statistics

ENTRIES = [
    *(Entry(f"h{n}", "heavy", "abc", "x", "2020-01-02") for n in range(97)),
    Entry("1", "one", "abcd", None, None),
    Entry("2", "two", "ab", "y", "2019-01-02"),
    Entry("3", None, "a", "y", None),
]


def test_statistics_with_a_heavy_user_and_a_missing_one():
    found = statistics(ENTRIES)
    assert (found["records"], found["users"], found["records_with_user"]) == (100, 3, 99)
    assert found["users_with_several_records"] == 1
    assert found["records_of_a_user"] == {"p0": 1, "p25": 1, "p50": 1, "p75": 97, "p90": 97, "p99": 97, "p100": 97}
    assert found["characters_of_a_text"]["p0"] == 1
    assert found["characters_of_a_text"]["p50"] == 3
    assert (found["records_with_label"], found["records_with_date"]) == (99, 98)
    assert found["days"] == ["2019-01-02", "2020-01-02"]


def test_quantiles_are_values_that_occur():
    assert quantiles(range(1, 101)) == {"p0": 1, "p25": 25, "p50": 50, "p75": 75, "p90": 90, "p99": 99, "p100": 100}
    assert quantiles([]) is None


def test_the_most_frequent_come_first():
    assert most_frequent({"b": 1, "a": 1, "c": 2}) == [["c", 2], ["a", 1], ["b", 1]]
    assert len(most_frequent({str(n): 1 for n in range(99)})) == 20


def test_a_manifest_accounts_for_every_entry():
    entries = [*ENTRIES, *(Entry(f"m{n}", f"m{n}", "some fees", "Fees", None) for n in range(40))]
    recipe = Recipe("d", "user", True, split_of("auxiliary-key"), Labels(5), "label")
    data = prepare(entries, recipe).data
    found = manifest(Gathered(tuple(entries), {"rows": 140, "kept": 140}, {"x": 2}), data)
    assert found["audience"].startswith("curator only")
    assert found["without_unit"] == 1
    assert found["auxiliary"]["records"] + found["protected"]["records"] == 139
    assert found["auxiliary"]["users"] + found["protected"]["users"] == 43
