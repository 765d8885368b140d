import io
import json

from dpspin_experiments.sources import yelp


def lines(rows):
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def business(name, categories):
    return {"business_id": name, "name": "A place", "city": "X", "categories": categories, "hours": None}


def review(name, place, **fields):
    return {
        "review_id": name, "user_id": "u1", "business_id": place, "stars": 3.0, "useful": 0, "funny": 0, "cool": 0,
        "text": "Long wait", "date": "2018-07-07 22:09:11", **fields,
    }  # fmt: skip


JOINED = yelp.businesses(
    lines(
        [
            business("b1", "Restaurants, Italian"),
            business("b2", "Hair Salons"),
            business("b3", None),
            business("b4", ["Pop-Up Restaurants", "Food", 4, None]),  # a list, as in older files
            business("b5", "Restaurants | Nightlife"),
            business(None, "Restaurants"),
            business(6, "Restaurants"),
        ]
    ),
    "business.json",
)


def test_categories_of_every_form():
    assert JOINED == {
        "b1": ("Restaurants", "Italian"), "b2": ("Hair Salons",), "b3": (), "b4": ("Pop-Up Restaurants", "Food"),
        "b5": ("Restaurants", "Nightlife"), "6": ("Restaurants",),
    }  # fmt: skip


def test_only_reviews_of_restaurants_are_kept():
    rows = [review(f"r{number}", f"b{number}") for number in range(1, 7)]
    rows += [review("r7", "6"), review("r8", None), review(None, "b1"), review("r9", "b1", text=[]), review("r1", "b1")]
    found = yelp.read(lines(rows), "review.json", JOINED)
    assert [entry.id for entry in found.entries] == ["r1", "r4", "r5", "r7"]
    assert found.entries[0] == ("r1", "u1", "Long wait", None, "2018-07-07")
    assert found.counts == {
        "rows": 11, "kept": 4, "other_business": 2, "without_business": 2, "without_id": 1, "without_text": 1,
        "duplicate": 1,
    }  # fmt: skip
    assert found.categories["Restaurants"] == 3
