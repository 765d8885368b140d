"""The synthetic corpus is the same everywhere, skewed, varied, and made of usable labels."""

import hashlib
import json
import re
from collections import Counter
from itertools import islice

from dpspin.corpus.synthetic import LABEL_FIELDS, leaves, records
from dpspin.universe import fold, label_problem

CORPUS = list(records(5000))
LABELS = [" / ".join(part for part in leaf[:3] if part) for leaf in leaves()]
PINNED = "2e7a494a09deafd216de053c41fd69cc09b956ac622acd9c22baa4b7984bba5c"


def digest(corpus: list[dict[str, str]]) -> str:
    return hashlib.sha256(json.dumps(corpus, sort_keys=True).encode()).hexdigest()


def test_the_first_200_records_are_the_pinned_ones() -> None:
    assert digest(CORPUS[:200]) == PINNED
    assert digest([*CORPUS[:199], CORPUS[200]]) != PINNED


def test_a_record_does_not_depend_on_how_many_follow() -> None:
    assert list(records(20)) == CORPUS[:20] == list(islice(records(10**9), 20))


def test_another_seed_gives_other_people() -> None:
    assert not {r["id"] for r in records(200, "another")} & {r["id"] for r in CORPUS}


def test_every_field_is_ascii_text_and_ids_are_unique() -> None:
    assert {tuple(sorted(record)) for record in CORPUS} == {tuple(sorted(("id", "user", "text", *LABEL_FIELDS)))}
    assert all(value.isascii() for record in CORPUS for value in record.values())
    assert len({record["id"] for record in CORPUS}) == len(CORPUS)


def test_labels_may_stand_in_a_universe_and_some_are_hard_to_read() -> None:
    assert len(LABELS) >= 60
    assert len(set(map(fold, LABELS))) == len(LABELS)
    assert not any(map(label_problem, LABELS))
    assert any("," in label for label in LABELS)
    assert any(other.startswith(f"{label} / ") for label in LABELS for other in LABELS)


def test_atoms_and_users_are_skewed() -> None:
    atoms = Counter(tuple(record[name] for name in LABEL_FIELDS) for record in CORPUS).most_common()
    users = Counter(record["user"] for record in CORPUS).most_common()
    assert len(atoms) == len(LABELS)
    assert atoms[0][1] > 5 * atoms[20][1] > 5 * atoms[-1][1]
    assert users[0][1] > 100
    assert sum(count == 1 for _, count in users) > 300


def test_texts_are_filled_redacted_and_mostly_40_to_150_words() -> None:
    lengths = sorted(len(record["text"].split()) for record in CORPUS)
    assert lengths[500] >= 40
    assert lengths[4750] <= 150
    assert lengths[0] < 20
    whole = " ".join(record["text"] for record in CORPUS)
    assert all(mark in whole for mark in ("XXXX", "XX/XX/2021", "{$"))
    assert not re.search(r"\{(?!\$\d+\.00\})|\bNone\b|  ", whole)


def test_sentences_begin_with_a_capital_and_end_with_a_full_stop() -> None:
    for record in CORPUS:
        assert re.fullmatch(r"([A-Z0-9].*?\.)( [A-Z0-9].*?\.)*", record["text"])


def test_few_texts_are_alike() -> None:
    assert len({record["text"] for record in CORPUS}) > 0.99 * len(CORPUS)
    assert len({sentence for record in CORPUS for sentence in record["text"].split(". ")}) > 2000
