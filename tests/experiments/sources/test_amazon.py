import gzip
import io
import json

from dpspin_experiments.sources import amazon


def lines(*rows):
    return io.BytesIO(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


def of_2023(**fields):
    return {
        "rating": 5.0, "title": "Nice", "text": "Dry skin is gone", "images": [], "asin": "B1", "parent_asin": "B0",
        "user_id": "AG1", "timestamp": 1588687728923, "helpful_vote": 0, "verified_purchase": True, **fields,
    }  # fmt: skip


def of_2018(**fields):
    return {
        "overall": 1.0, "verified": True, "reviewTime": "02 19, 2015", "reviewerID": "A1V", "asin": "014",
        "reviewerName": "someone", "reviewText": "great", "summary": "One Star", "unixReviewTime": 1424304000, **fields,
    }  # fmt: skip


def test_the_layout_of_2023():
    found = amazon.read(lines(of_2023(), of_2023(text=None), of_2023(text="  ")), "All_Beauty.jsonl.gz")
    [entry] = found.entries
    assert entry[1:] == ("AG1", "Dry skin is gone", None, "2020-05-05")
    assert found.counts == {"rows": 3, "kept": 1, "without_text": 2}


def test_the_layout_of_2018_with_either_time():
    stamped, spelt = of_2018(), of_2018(asin="015", unixReviewTime=None)
    found = amazon.read(lines(stamped, spelt), "All_Beauty.json.gz")
    assert [entry.date for entry in found.entries] == ["2015-02-19"] * 2
    assert {entry.user for entry in found.entries} == {"A1V"}


def test_what_makes_two_reviews_one():
    rows = [
        of_2023(),
        of_2023(rating=1.0, images=["x"]),  # the same review again
        of_2023(timestamp="1588687728923"),  # and with its time as text
        of_2023(parent_asin="B9"),
        of_2023(timestamp=1588687728924),
        of_2023(user_id="AG2"),
    ]
    found = amazon.read(lines(*rows), "reviews")
    assert found.counts == {"rows": 6, "kept": 4, "duplicate": 2}


def test_users_of_any_type_are_told_apart_by_their_own_value():
    users = ["17", 17, None, "", ["17"], "Ag1", "ag1"]
    rows = [of_2023(user_id=user, asin=str(number), parent_asin=str(number)) for number, user in enumerate(users)]
    found = amazon.read(lines(*rows), "reviews")
    assert [entry.user for entry in found.entries] == ["17", "17", None, None, None, "Ag1", "ag1"]


def test_a_row_reads_the_same_whatever_stands_beside_it():
    rows = [of_2023(user_id="1"), of_2023(user_id=2), of_2023(user_id=None), of_2018()]
    alone = [amazon.read(lines(row), "one").entries[0] for row in rows]
    assert list(amazon.read(lines(*rows), "all").entries) == alone
    assert list(amazon.read(lines(*rows[::-1]), "all").entries) == alone[::-1]
