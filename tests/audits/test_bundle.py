"""Bundles are read as they are: exposures, sentences and masses."""

import pytest

from dpspin import canonical, pipeline, plan
from dpspin.curator.noise import SeededBits
from dpspin.errors import UsageError
from dpspin_audits import bundle
from dpspin_audits.pairs.corpora import corpus_record


@pytest.fixture(scope="module")
def files(setting, reference, maker):
    records = [corpus_record(record, setting) for record in maker.settled()]
    return pipeline.release(setting, records, SeededBits(b"demonstration"), "0001").bundle


def test_every_object_of_the_transcript_is_exposed_in_order_and_files_beside_it_have_no_role(files):
    rows = bundle.exposures({**files, "metrics.json": b"{}"})
    listed = [row["name"] for row in rows]
    assert listed[:3] == ["deployment.yaml", "universe.json", "plan.json"]
    assert listed[-2:] == ["transcript.jsonl", "metrics.json"]
    assert [row["order"] for row in rows] == [*range(1, len(rows)), None]
    assert rows[-1]["role"] is None
    assert [row["role"] for row in rows[:3]] == ["public", "public", "dp"]
    assert bundle.charge_of(rows) == "0001"
    built = [{"name": "universe.json", "charge": "0000"}, *rows]
    assert (bundle.charge_of(built), bundle.universe_charge_of(built)) == ("0001", "0000")
    assert (bundle.charge_of(built[:1]), bundle.universe_charge_of(rows)) == (None, None)
    assert all(row["sha256"] == canonical.digest(files[row["name"]]) for row in rows if row["name"] in files)
    assert all(len(row["chain"]) == 64 for row in rows[:-2])


def test_a_broken_transcript_lists_nothing_so_that_no_file_has_a_role(files):
    broken = {**files, "transcript.jsonl": files["transcript.jsonl"].replace(b'"order":2', b'"order":7')}
    assert [row["role"] for row in bundle.exposures(broken)] == ["post-processing", None, None, None, None]


def test_sentences_carry_what_the_plan_says_of_them(files):
    rows = bundle.sentences(files)
    assert rows
    assert all(row["supported"] and row["claims"] for row in rows)
    said = bundle.sentences({**files, "summary.txt": files["summary.txt"] + b"Everybody lost a card.\n"})
    assert [row["supported"] for row in said] == [*[True] * len(rows), False]
    assert said[-1]["claims"][0].startswith("step 8")


def test_masses_are_read_even_from_what_is_no_plan(files):
    tree = canonical.loads(files["plan.json"], "plan.json")
    exact = {atom.index: atom.mass for atom in plan.decode(files["plan.json"], "plan.json").atoms}
    masses = bundle.released_masses({"plan.json": canonical.dumps(tree | {"unknown": 1})})
    assert {atom: mass * 2**20 for atom, mass in masses.items()} == exact
    assert bundle.plan_tree(files) == tree
    assert bundle.plan_tree({"plan.json": canonical.dumps(tree | {"unknown": 1})}) is None
    assert bundle.plan_tree({}) is None


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b'{"released":[{"index":0}]}',
        b'{"released":[{"index":0,"noisy_mass":"x"}]}',
        b'{"released":[{"index":0,"noisy_mass":"1e999999999"}]}',
    ],
)
def test_what_holds_no_masses_says_so(data):
    with pytest.raises(UsageError, match="holds no released masses"):
        bundle.released_masses({"plan.json": data})


@pytest.mark.parametrize("missing", ["plan.json", "summary.txt"])
def test_a_bundle_without_plan_or_summary_cannot_be_judged(files, missing):
    with pytest.raises(UsageError, match=f"{missing}: missing"):
        bundle.judged({name: data for name, data in files.items() if name != missing})
    assert bundle.sentences({}) == []
