import json

import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.split import belongs, unit_of
from dpspin.errors import UsageError
from dpspin_experiments.assignment.batch import Assigner, by_unit, sketch
from dpspin_experiments.atoms.phrases import Choice
from dpspin_experiments.atoms.profile import load
from dpspin_experiments.atoms.recipe import Labels, Recipe, Themes, prepare
from dpspin_experiments.dataset import Entry, split_of, user_of
from dpspin_experiments.sources.reading import invented, read
from dpspin_experiments.sources.statistics import statistics


def test_each_kind_reads_its_own_layout(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps([{"id": "1", "text": "A complaint", "product": "Loan"}]))
    (tmp_path / "a.jsonl").write_text(json.dumps({"user_id": "u", "text": "A review", "asin": "B"}) + "\n")
    (tmp_path / "r.jsonl").write_text(json.dumps({"review_id": "r", "business_id": "b", "text": "A meal"}) + "\n")
    (tmp_path / "b.jsonl").write_text(json.dumps({"business_id": "b", "categories": "Restaurants"}) + "\n")
    assert read("cfpb", tmp_path, "c.json").entries[0].label == "Loan"
    assert read("amazon", tmp_path, "a.jsonl").entries[0].user == "u"
    assert read("yelp", tmp_path, "r.jsonl", "b.jsonl").entries[0].text == "A meal"
    assert len(invented(3).entries) == 3


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"none\.json"):
        read("cfpb", tmp_path, "none.json")


HEAVY = 200
WORDS = ("dry skin on my face", "the pump dispenser broke", "long wait for a table", "friendly staff and cold food")


def amazon_2023(number, user):
    return {"user_id": user, "text": f"{WORDS[number % 2]} {number}", "asin": f"B{number}", "timestamp": 1588687728923}


def amazon_2018(number, user):
    return {
        "reviewerID": user, "reviewText": f"{WORDS[number % 2]} {number}", "asin": f"B{number}",
        "unixReviewTime": 1424304000, "reviewTime": "02 19, 2015",
    }  # fmt: skip


def of_yelp(number, user):
    text = f"{WORDS[2 + number % 2]} {number}"
    return {"review_id": f"r{number}", "user_id": user, "business_id": "b", "text": text, "date": "2018-07-07 22:09:11"}


def users(others):
    """One with far too many reviews, one under two types, some without a name."""
    return ["heavy"] * HEAVY + [17, "17"] + [None] * 5 + [f"u{n}" for n in range(others)]


@pytest.mark.parametrize(
    ("kind", "row", "profile"),
    [
        ("amazon", amazon_2023, "amazon-beauty"),
        ("amazon", amazon_2018, "amazon-beauty"),
        ("yelp", of_yelp, "yelp-restaurants"),
    ],
)
def test_a_heavy_user_is_one_unit_of_bounded_weight(tmp_path, kind, row, profile):
    rows = [row(number, user) for number, user in enumerate(users(200))]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(each) + "\n" for each in [*rows, rows[0]]))
    (tmp_path / "b.jsonl").write_text(json.dumps({"business_id": "b", "categories": "Restaurants"}) + "\n")
    found = read(kind, tmp_path, *(("r.jsonl", "b.jsonl") if kind == "yelp" else ("r.jsonl",)))
    assert found.counts["duplicate"] == 1
    assert statistics(found.entries)["users_with_several_records"] == 2  # heavy, and 17 under both types
    assert statistics(found.entries)["records_of_a_user"]["p100"] == HEAVY
    recipe = Recipe("d", "user", True, _split(), Themes(load(profile), Choice()), "centroid")
    data = prepare(found.entries, recipe).data
    halves = [{entry.user for entry in half} for half in (data.halves.auxiliary, data.halves.protected)]
    assert halves[0].isdisjoint(halves[1])
    assert None not in halves[0] | halves[1]
    assert "heavy" in halves[1]
    _moves_at_most(data, "heavy", 1)


def _split():
    """A key under which the heavy user is protected."""
    unit = unit_of(Entry("r", "heavy", "", None, None).record(), user_of("user"))
    found = (split_of(f"auxiliary-{n}") for n in range(99))
    return next(each for each in found if not belongs(each.key, each.auxiliary_share, unit))


def _moves_at_most(data, user, bound):
    """The sketch with and without a user; without clipping it moves by far more, which is the fault."""
    entries = data.halves.protected
    shares = Assigner(data.weights, 3).shares(entry.text for entry in entries)
    rest = [row for row, entry in enumerate(entries) if entry.user != user]
    unbounded = HEAVY * MASS_UNIT
    for limit, moved in ((bound * MASS_UNIT, bound), (unbounded, HEAVY)):
        every, others = (
            sum(sketch(by_unit(shares[rows], [data.units()[row] for row in rows]), limit))
            for rows in (list(range(len(entries))), rest)
        )
        assert moved * 0.9 < (every - others) / MASS_UNIT <= moved


def test_the_real_complaints(data_dir):
    found = read("cfpb", data_dir, "cfpb_multi.jsonl.gz")
    assert sum(count for fate, count in found.counts.items() if fate != "rows") == found.counts["rows"]
    assert found.counts["kept"] > 1000
    kept = statistics(found.entries)
    assert kept["users"] == 0  # complaints name nobody: records alone can be protected
    assert kept["records_with_label"] == kept["records"]
    assert kept["records_with_date"] / kept["records"] > 0.99
    prepared = prepare(found.entries, Recipe("d", "record", False, split_of("auxiliary-2026"), Labels(200)))
    assert prepared.manifest["realised"] < prepared.manifest["requested"] == 200
    assert set(found.categories) >= {label.split(" / ")[0] for label in prepared.data.universe.labels}
