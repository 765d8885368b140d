import json

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.sources.reading import invented, read


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
