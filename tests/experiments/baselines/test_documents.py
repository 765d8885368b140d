"""Units as documents: the same units as the reference reads."""

from collections import Counter

from dpspin.corpus.jsonl import Record
from dpspin.corpus.split import unit_of
from dpspin.curator.intake import COUNTED, protected_scores
from dpspin_experiments.baselines.documents import category, documents


def test_the_units_are_those_of_a_release(setting, corpus):
    counts = Counter(dict.fromkeys(COUNTED, 0))
    list(protected_scores(corpus, setting.deployment, setting.weights, counts))
    found = documents(corpus, setting.deployment)
    assert len(found) == counts["protected"] > 300
    assert sum(not document.texts for document in found) == counts["protected_without_text"]


def test_all_records_of_a_user_are_one_document(of_users, corpus):
    d = of_users.deployment
    named = [record._replace(user=record.labels.get("user")) for record in corpus]
    units = [unit for unit, _ in protected_scores(named, d, of_users.weights, Counter())]
    found = documents(named, d)
    assert len(found) == len(set(units)) < len(units)
    assert sum(len(document.texts) for document in found) == len(units)
    assert {unit_of(record, d.user) for record in named} >= set(units)


def test_a_record_without_id_or_text_adds_nothing(setting):
    record = next(
        Record(f"r{n}", "late fee", None, {})
        for n in range(99)
        if documents([Record(f"r{n}", "", None, {})], setting.deployment)
    )
    assert documents([record._replace(id=None)], setting.deployment) == []
    assert documents([record._replace(text=None)], setting.deployment)[0].texts == ()


def test_a_category_is_the_first_part_of_what_the_source_says():
    assert category(Record("1", "", None, {"product": "Mortgage", "label": "Loan / Fees"})) == "Mortgage"
    assert category(Record("1", "", None, {"label": "Loan / Fees"})) == "Loan"
    assert category(Record("1", "", None, {"product": ""})) is None
