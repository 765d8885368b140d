"""Weights come from auxiliary text alone, the same bytes in every order, and they find the right atoms."""

import os
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from dpspin import canonical, deployment, kernel, plan, universe
from dpspin.corpus import embedded, split, synthetic
from dpspin.corpus.fit import Fitted, build, inverse_document_frequency, words
from dpspin.corpus.jsonl import Record, fields_of, records, validate
from dpspin.corpus.representation import encode, log2
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin.curator.sketch import sketch
from dpspin.errors import UsageError

ROOT = Path(__file__).parents[3]
COMPLAINTS = Path(os.environ.get("DPSPIN_DATA", ROOT.parent / "shared" / "data")) / "cfpb_multi.jsonl.gz"
FIELDS = synthetic.LABEL_FIELDS
AUXILIARY = list(embedded.corpus())[:600]


def labelled(label: str, text: str | None) -> Record:
    return Record("i", text, None, {"product": label})


SMALL = [
    labelled("Card", "the late fee, the late fee"),
    labelled("Card", "a late fee of XXXX"),
    labelled("Loan", "rate of the loan"),
    labelled("Loan", "late loan rate"),
    labelled("Loan", None),
]


@pytest.mark.parametrize("rule", ["label", "centroid"])
def test_the_same_records_give_the_same_bytes_in_every_order(rule: str) -> None:
    shuffled = random.Random(1).sample(AUXILIARY, len(AUXILIARY))
    first, second = (build(found, FIELDS, 30, rule) for found in (AUXILIARY, shuffled))
    assert first.universe == second.universe
    assert encode(first.weights) == encode(second.weights)


def check_finds(fitted: Fitted, share: float) -> None:
    """The highest score belongs to the record's own label in at least this share of 400 unseen records."""
    labels = fitted.universe.labels
    unseen = list(embedded.corpus())[600:1000]
    right = 0
    for record in unseen:
        scores = fitted.weights.scores(record.text)
        own = " / ".join(part for name in FIELDS if (part := record.labels[name]))
        right += own in labels and kernel.highest(scores, 1) == [labels.index(own)]
    assert right >= share * len(unseen)


def test_centroids_find_the_right_atom_and_labels_less_often() -> None:
    check_finds(build(AUXILIARY, FIELDS, 60, "centroid"), 0.8)
    check_finds(build(AUXILIARY, FIELDS, 60, "label"), 0.3)


def test_labels_of_other_texts_would_be_found() -> None:
    moved = [record._replace(text=other.text) for record, other in pairwise(AUXILIARY)]
    with pytest.raises(AssertionError):
        check_finds(build(moved, FIELDS, 60, "centroid"), 0.3)


def test_centroid_rows_hold_the_words_of_each_labels_records() -> None:
    rows = build(SMALL, FIELDS, 2, "centroid").weights.rows
    assert {term: [atom for atom, _ in row] for term, row in rows.items()} == {
        "fee": [1], "late": [0, 1], "loan": [0], "rate": [0],
    }  # fmt: skip  # Loan is atom 0: three records against two
    assert dict(rows["late"])[1] > dict(rows["late"])[0]


def test_label_rows_hold_the_words_of_the_labels() -> None:
    assert build(SMALL, FIELDS, 2, "label").weights.rows.keys() == {"loan"}  # "card" stands in no text


def test_an_atom_keeps_its_heaviest_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build(AUXILIARY, FIELDS, 60, "centroid").weights
    monkeypatch.setattr("dpspin.corpus.fit.TERMS_PER_ATOM", 5)
    few = build(AUXILIARY, FIELDS, 60, "centroid").weights

    def of_atom(rows: dict[str, tuple[tuple[int, int], ...]]) -> list[int]:
        return sorted((weight for row in rows.values() for atom, weight in row if atom == 0), reverse=True)

    assert of_atom(dict(few.rows)) == of_atom(dict(whole.rows))[:5]


def test_stop_words_and_redaction_marks_are_no_terms() -> None:
    assert words("The XXXX was xx LATE and the exxon late") == {"late": 2, "exxon": 1}


def test_rarity_counts_records_and_leaves_out_words_of_one_record() -> None:
    found = inverse_document_frequency([words(record.text or "") for record in SMALL])
    assert found == {
        "late": 256 + log2(6, 4), "fee": 256 + log2(6, 3), "loan": 256 + log2(6, 3), "rate": 256 + log2(6, 3),
    }  # fmt: skip


def test_another_rule_is_refused() -> None:
    with pytest.raises(UsageError, match=r"assignment.rule: cannot fit 'module:attr'; use"):
        build(SMALL, FIELDS, 2, "module:attr")


def deployed() -> tuple[deployment.Deployment, Fitted, list[Record]]:
    """The example over real complaints: its parameters, its public files built anew, and its protected half."""
    place = ROOT / "docs" / "examples" / "cfpb" / "laplace.yaml"
    terms = deployment.load(place.read_bytes(), place.name)
    with COMPLAINTS.open("rb") as stream:
        validate(stream, COMPLAINTS.name)
        found = list(records(stream, COMPLAINTS.name, fields_of(terms)))
    fitted = build(split.auxiliary(found, terms.corpus.split), FIELDS, 50, terms.assignment.rule)
    return terms, fitted, list(split.protected(found, terms.corpus.split))


def overlap(scorer: Callable[[str | None], list[int]]) -> int:
    """How many of the ten released atoms are among the ten of the exact sketch under the declared weights."""
    terms, fitted, protected = deployed()
    true = sketch((fitted.weights.scores(record.text) for record in protected), terms, 50)
    exact = sketch((scorer(record.text) for record in protected), terms, 50)
    samples = release(exact, terms, SeededBits(b"overlap"))
    pairs = [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]
    released = plan.build(pairs, plan.terms_of(terms, fitted.universe, 7 * 2**20, plan.SEEDED))
    return len({atom.index for atom in released.atoms} & set(kernel.highest(true, 10)))


@pytest.mark.skipif(not COMPLAINTS.exists(), reason="the folder of real data is absent")
def test_real_complaints_give_the_declared_files() -> None:
    terms, fitted, _ = deployed()
    assert fitted.skipped == ()
    assert canonical.digest(universe.encode(fitted.universe)) == terms.universe.sha256
    assert canonical.digest(encode(fitted.weights)) == terms.assignment.weights.sha256


@pytest.mark.skipif(not COMPLAINTS.exists(), reason="the folder of real data is absent")
def test_a_release_of_real_complaints_names_at_least_eight_of_the_true_ten() -> None:
    _, fitted, _ = deployed()
    assert overlap(fitted.weights.scores) >= 8
    assert overlap(lambda text: fitted.weights.scores(text)[::-1]) < 8
