import gzip
import json

import pytest

from dpspin.corpus import fit
from dpspin.errors import UsageError
from dpspin_experiments.atoms.phrases import Choice
from dpspin_experiments.atoms.profile import load
from dpspin_experiments.atoms.recipe import Labels, Recipe, Themes, prepare
from dpspin_experiments.dataset import Entry, split_of
from dpspin_experiments.sources import cfpb, embedded

SPLIT = split_of("auxiliary-2026")
REVIEWS = ["My dry skin is gone", "It has a strong smell", "hair loss and dry skin", "fast shipping, waste of money"]


def reviews(n):
    return [Entry(f"r{k}", f"u{k % 50}", REVIEWS[k % len(REVIEWS)], None, None) for k in range(n)]


def test_labels_are_those_of_the_auxiliary_half_alone():
    entries = embedded.read(1500).entries
    prepared = prepare(entries, Recipe("d", "record", True, SPLIT, Labels(20)))
    protected = {entry.id for entry in prepared.data.halves.protected}
    changed = [entry._replace(label="Changed", text="changed") if entry.id in protected else entry for entry in entries]
    again = prepare(changed, Recipe("d", "record", True, SPLIT, Labels(20)))
    assert again.data.universe == prepared.data.universe
    assert again.manifest == prepared.manifest


def test_the_manifest_says_how_many_atoms_there_really_are():
    prepared = prepare(embedded.read(1500).entries, Recipe("d", "record", True, SPLIT, Labels(10_000)))
    manifest = prepared.manifest
    assert manifest["requested"] == 10_000
    assert manifest["realised"] == len(prepared.data.universe) < 200
    assert manifest["audience"].startswith("curator only")
    assert list(manifest["support"]) == list(prepared.data.universe.labels)
    support = list(manifest["support"].values())
    assert support == sorted(support, reverse=True)
    assert json.loads(json.dumps(manifest)) == manifest


@pytest.mark.parametrize("rule", ["label", "centroid"])
def test_phrases_as_atoms(rule):
    recipe = Recipe("d", "user", True, SPLIT, Themes(load("amazon-beauty"), Choice(least_support=5)), rule)
    prepared = prepare(reviews(200), recipe)
    data = prepared.data
    assert set(data.universe.labels) >= {"dry skin", "strong smell", "hair loss", "fast shipping", "waste money"}
    for text, label in (("strong smell", "strong smell"), ("fast shipping", "fast shipping")):
        scores = data.weights.scores(text)
        assert scores.index(max(scores)) == data.universe.labels.index(label)
    assert prepared.manifest["least_support"] == 5
    assert prepared.manifest["profile"]["name"] == "amazon-beauty"
    assert prepared.manifest["refinement"] == "support"
    assert prepared.manifest["canonical"]["words"]["wasted"] == "waste"
    assert json.loads(json.dumps(prepared.manifest)) == prepared.manifest


def test_centroids_of_phrases_know_other_forms_of_a_word():
    themes = Themes(load("amazon-beauty"), Choice())
    entries = [Entry(f"r{k}", None, "wasted my money" if k % 2 else "strong smell here", None, None) for k in range(80)]
    data = prepare(entries, Recipe("d", "record", True, SPLIT, themes, "centroid")).data
    scores = data.weights.scores("all wasted")
    assert scores.index(max(scores)) == data.universe.labels.index("waste money")
    assert max(scores) > 0


def test_no_auxiliary_record_is_refused():
    with pytest.raises(UsageError, match="no auxiliary record"):
        prepare([], Recipe("d", "record", True, SPLIT, Labels(5)))


def test_real_complaints(data_dir):
    with gzip.open(data_dir / "cfpb_multi.jsonl.gz") as stream:
        gathered = cfpb.read(stream, "cfpb_multi.jsonl.gz")
    assert gathered.counts["rows"] == 1532  # PROVENANCE.md of that folder
    prepared = prepare(gathered.entries, Recipe("cfpb", "record", False, SPLIT, Labels(200)))
    assert prepared.manifest["realised"] == len(prepared.data.universe)
    records = [entry.record() for entry in prepared.data.halves.auxiliary]
    assert prepared.data.weights == fit.fit(records, ("label",), prepared.data.universe, "centroid")
