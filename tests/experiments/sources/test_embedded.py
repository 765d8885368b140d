from dpspin.corpus import synthetic
from dpspin_experiments.sources import embedded


def test_the_entries_are_the_synthetic_complaints():
    found, trees = embedded.read(300), list(synthetic.records(300))
    assert [entry.id for entry in found.entries] == [tree["id"] for tree in trees]
    assert [entry.text for entry in found.entries] == [tree["text"] for tree in trees]
    first, tree = found.entries[0], trees[0]
    assert first.label == " / ".join(part for part in (tree["product"], tree["issue"], tree["sub_issue"]) if part)
    assert found.counts == {"rows": 300, "kept": 300}
    assert sum(found.categories.values()) == 300
