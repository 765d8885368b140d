"""Scores are integers, exact, and a function of one text; weights files are read strictly."""

import json
import math
import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import deployment
from dpspin.corpus import embedded, representation, synthetic
from dpspin.corpus.representation import Weights, damped, decode, encode, log2, terms
from dpspin.curator.sketch import contribution, sketch
from dpspin.errors import UsageError

FILES = embedded.files()
DEPLOYMENT = deployment.load(FILES["deployment.yaml"], "deployment.yaml")
WEIGHTS = decode(FILES["weights.json"], "weights.json")
TEXTS = [record["text"] for record in synthetic.records(300)] + ["", "xxxx XX/XX/2021 {$5.00}", "\u212aarte CAFE\u0301"]

Scorer = Callable[[Sequence[str]], list[list[int]]]


def one_by_one(batch: Sequence[str]) -> list[list[int]]:
    return [WEIGHTS.scores(text) for text in batch]


def fitted_on_the_batch(batch: Sequence[str]) -> list[list[int]]:
    """A planted fault: rare words of the batch count for more."""
    found = [terms(text) for text in batch]
    frequency = {term: sum(term in document for document in found) for document in found for term in document}
    return [[score * max(frequency.values(), default=1) for score in WEIGHTS.scores(text)] for text in batch]


def check_locality(scorer: Scorer, batch: Sequence[str]) -> None:
    """A record's contribution is the same alone, in the batch, and in the batch reversed."""
    alone = [scorer([text])[0] for text in batch]
    assert scorer(batch) == alone
    assert scorer(batch[::-1]) == alone[::-1]
    shares = [contribution(scores, DEPLOYMENT) for scores in alone]
    assert [contribution(scores, DEPLOYMENT) for scores in scorer(batch)] == shares


@given(st.lists(st.sampled_from(TEXTS) | st.text(max_size=40), min_size=1, max_size=20))
def test_a_record_scores_the_same_in_every_batch(batch: list[str]) -> None:
    check_locality(one_by_one, batch)


def test_weights_fitted_on_the_batch_would_be_found() -> None:
    with pytest.raises(AssertionError):
        check_locality(fitted_on_the_batch, TEXTS[:20])


@given(st.lists(st.sampled_from(TEXTS), max_size=20), st.randoms())
def test_the_sketch_does_not_depend_on_the_order_of_records(batch: list[str], order: random.Random) -> None:
    shuffled = order.sample(batch, len(batch))
    first, second = (sketch(map(WEIGHTS.scores, texts), DEPLOYMENT, WEIGHTS.atoms) for texts in (batch, shuffled))
    assert first == second


@given(st.lists(st.sampled_from(TEXTS), max_size=10), st.sampled_from(TEXTS))
def test_one_record_more_adds_its_own_contribution_and_nothing_else(batch: list[str], text: str) -> None:
    less, more = (sketch(map(WEIGHTS.scores, texts), DEPLOYMENT, WEIGHTS.atoms) for texts in (batch, [*batch, text]))
    assert [b - a for a, b in zip(less, more, strict=True)] == contribution(WEIGHTS.scores(text), DEPLOYMENT)


def test_scores_follow_the_formula() -> None:
    weights = Weights("label", 3, {"fee": ((0, 5), (2, 7)), "late": ((2, 1),)})
    once, thrice = damped(1), damped(3)
    assert weights.scores("Late FEE; fees, fee (fee)") == [5 * thrice, 0, 7 * thrice + once]
    assert weights.scores(None) == weights.scores("") == weights.scores("loan") == [0, 0, 0]
    assert all(type(score) is int for text in TEXTS for score in WEIGHTS.scores(text))


def test_a_fully_redacted_text_contributes_nothing() -> None:
    assert not any(WEIGHTS.scores("XXXX XX/XX/2021 xx, XXXX XXXX {$100.00}"))


def test_terms_are_folded_runs_of_two_or_more_letters() -> None:
    found = terms("A B2b Fees fees caf\u00e9s STRASSE stra\u00dfe don't \u212aaput")
    assert found == {"fees": 2, "caf": 1, "strasse": 2, "don": 1, "kaput": 1}


def check_log2(numerator: int, denominator: int, found: int) -> None:
    """2^(found / 256) <= numerator / denominator < 2^((found + 1) / 256), in integers."""
    power = Fraction(numerator, denominator) ** 256
    assert 2**found <= power < 2 ** (found + 1)


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_logarithms_are_exact(denominator: int, extra: int) -> None:
    numerator = denominator + extra
    check_log2(numerator, denominator, log2(numerator, denominator))
    with pytest.raises(AssertionError):
        check_log2(numerator, denominator, log2(numerator, denominator) + 1)


def test_damping_follows_the_logarithm_up_to_64() -> None:
    assert [damped(n) for n in (0, 1, 3, 7, 64, 65, 10**9)] == [
        0,
        256,
        512,
        768,
        *[math.floor(256 * math.log2(65))] * 3,
    ]


TREE = {"schema": representation.SCHEMA, "rule": "label", "atoms": 3, "terms": {"fee": [[0, 5], [2, 7]]}}


def test_a_file_is_read_back() -> None:
    weights = decode(json.dumps(TREE).encode(), "weights.json")
    assert weights == Weights("label", 3, {"fee": ((0, 5), (2, 7))})
    assert decode(encode(weights), "weights.json") == weights
    assert encode(WEIGHTS) == FILES["weights.json"]


ROW = "weights.json: terms.fee: not a row of weights; write [[atom, weight], ...] with ascending atoms below 3"
REFUSED = {
    "another schema": (TREE | {"schema": "dpspin-weights/2"}, "weights.json: not a weights file; build one"),
    "another field": (TREE | {"note": ""}, "weights.json: not a weights file; build one"),
    "a list": ([TREE], "weights.json: not a weights file; build one"),
    "rule": (TREE | {"rule": 3}, "weights.json: rule: cannot use 3; write the rule"),
    "no atoms": (TREE | {"atoms": 0}, "weights.json: atoms: cannot use 0; write the number"),
    "true is not a number": (TREE | {"atoms": True}, "weights.json: atoms: cannot use True; write the number"),
    "terms": (TREE | {"terms": []}, "weights.json: terms: cannot use []; write each term"),
    "a term no text holds": (TREE | {"terms": {"Fee": [[0, 1]]}}, "weights.json: terms: 'Fee' can match no text"),
    "an empty row": (TREE | {"terms": {"fee": []}}, ROW),
    "an atom too far": (TREE | {"terms": {"fee": [[3, 1]]}}, ROW),
    "an atom below zero": (TREE | {"terms": {"fee": [[-1, 1]]}}, ROW),
    "an atom twice": (TREE | {"terms": {"fee": [[1, 1], [1, 2]]}}, ROW),
    "weight zero": (TREE | {"terms": {"fee": [[0, 0]]}}, ROW),
    "a fraction": (TREE | {"terms": {"fee": [[0, 1.5]]}}, ROW),
    "a bool for a weight": (TREE | {"terms": {"fee": [[0, True]]}}, ROW),
    "three numbers": (TREE | {"terms": {"fee": [[0, 1, 2]]}}, ROW),
}


@pytest.mark.parametrize(("tree", "message"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_used_is_refused(tree: object, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
        decode(json.dumps(tree).encode(), "weights.json")
