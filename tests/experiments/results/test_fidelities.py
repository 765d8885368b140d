from dpspin_experiments.assignment.fidelity import fidelity
from dpspin_experiments.results.fidelities import fidelities
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.settings import PhraseAtoms


def test_every_rule_is_held_to_the_labels(bench):
    found = {each.rule: each for each in fidelities(bench)}
    assert list(found) == ["label", "centroid", "lsa"]
    data = bench.data("record", 20, False)
    direct = fidelity(bench.shares("record", 20, 3), [e.label for e in data.halves.protected], data.universe.labels)
    assert found["centroid"][1:] == (20, direct.top_one, direct.variation_covered, direct.variation, direct.top_overlap)
    assert found["label"] != found["centroid"]


def test_labels_that_are_shuffled_are_not_met(bench):
    """The fault: every record has the label of another one."""
    entries = bench.gathered.entries
    shuffled = [a._replace(label=b.label) for a, b in zip(entries, entries[::-1], strict=True)]
    mixed = Bench(bench.sweep, bench.gathered._replace(entries=tuple(shuffled)))
    assert max(each.top_one for each in fidelities(mixed)) < min(each.top_one for each in fidelities(bench)) / 2


def test_phrases_have_no_labels(bench):
    atoms = PhraseAtoms(kind="phrases", profile="yelp-restaurants")
    assert fidelities(Bench(bench.sweep.model_copy(update={"atoms": atoms}), bench.gathered)) == []
