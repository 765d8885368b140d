import math

import pytest

from dpspin_experiments.lexical import embedding_similarity, jaccard, keyphrases, rarity, similarity, tokens

WEIGHTS = rarity(["dry skin", "dry hair", "the smell"])


def test_tokens_and_keyphrases():
    assert tokens("Dry-skin: 1,234.5 and 7!") == ["dry", "skin", "1,234.5", "and", "7"]
    assert keyphrases("The very dry skin of a face, and cold hair loss treatment plan price") == {
        ("very", "dry", "skin"), ("face",), ("cold", "hair", "loss", "treatment"),
    }  # fmt: skip


def test_jaccard():
    assert jaccard({1, 2, 3}, {2, 3, 4}) == 0.5
    assert jaccard(set(), set()) == 1.0
    assert jaccard({1}, set()) == 0.0


def test_rarity_by_hand():
    assert WEIGHTS.known["dry"] == 1 + math.log(4 / 3)
    assert WEIGHTS.known["smell"] == 1 + math.log(4 / 2)
    assert WEIGHTS.unknown == 1 + math.log(4)


def test_similarity_by_hand():
    found = similarity("dry skin", "dry hair", WEIGHTS)
    dry, rare = WEIGHTS.known["dry"], WEIGHTS.known["skin"]
    assert found.token == 1 / 3
    assert found.bigram == 0.0
    assert found.keyphrase == 0.0
    assert found.tfidf == pytest.approx(dry**2 / (dry**2 + rare**2))


@pytest.mark.parametrize(
    ("one", "other", "value"), [("a dry skin", "a dry skin", 1.0), ("", "", 1.0), ("dry", "", 0.0)]
)
def test_ends_of_the_scale(one, other, value):
    assert similarity(one, other, WEIGHTS) == pytest.approx((value,) * 4 if one != "dry" else (0.0, 1.0, 0.0, 0.0))


def test_similarity_is_symmetric_and_forgets_order_only_by_words():
    one, other = "dry skin and smell", "smell and dry skin"
    assert similarity(one, other, WEIGHTS) == pytest.approx(similarity(other, one, WEIGHTS))
    found = similarity(one, other, WEIGHTS)
    assert found.token == 1.0
    assert found.bigram == 1 / 5  # dry skin alone, of five


def test_an_embedding_of_the_users_own():
    lengths = {"a": [3, 4], "b": [4, 3], "z": [0, 0]}
    assert embedding_similarity("a", "b", lengths.__getitem__) == pytest.approx(24 / 25)
    assert embedding_similarity("a", "z", lengths.__getitem__) == 0.0
