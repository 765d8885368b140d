import pytest

from dpspin.errors import UsageError
from dpspin.universe import decode, encode
from dpspin_experiments.atoms.phrases import Choice, build, candidates, held, is_kept, word_orders
from dpspin_experiments.atoms.profile import load, parsed

AMAZON = load("amazon-beauty")
RULES = b"""
stop = "of my"
generic = "product"
sentiment = "good nice"
foreign = "phone"
domain = "skin hair waste smell good nice dry"
[words]
wasted = "waste"
[phrases]
"skin dry" = "dry skin"
"""
MINE = parsed(RULES, "mine")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Wasted my money", [("waste", "money")]),
        ("a waste of money!", [("waste", "money")]),
        ("dry. Skin", []),  # no phrase crosses a sentence
        ("dry, skin 5 hair", []),
        ("DRY SKIN hair", [("dry", "skin"), ("skin", "hair")]),
        ("skin skin", []),
        ("the skin's dry", [("skins", "dry")]),
        ("it is on", []),
        ("", []),
    ],
)
def test_candidates(text, phrases):
    assert list(candidates(text, MINE)) == phrases


@pytest.mark.parametrize(
    ("phrase", "kept"),
    [
        (("dry", "skin"), True),
        (("good", "nice"), False),  # sentiment alone
        (("good", "smell"), True),
        (("skin", "product"), False),  # generic
        (("phone", "smell"), False),  # another domain's word
        (("blue", "sky"), False),  # no word of the domain
    ],
)
def test_the_filter(phrase, kept):
    assert is_kept(phrase, MINE) is kept


def test_canonical_forms_and_orders_count_documents_once():
    texts = ["dry skin, skin dry", "skin dry", "hair smell", "smell hair", "smell hair", "dry skin. dry skin"]
    built = build(texts, MINE, Choice())
    assert built.support == {"dry skin": 3, "smell hair": 3}
    assert built.universe.labels == ("dry skin", "smell hair")
    assert built.counts == {
        "extracted": 4, "filtered": 4, "canonicalised": 3, "merged": 2, "supported": 2, "chosen": 2,
    }  # fmt: skip


def test_the_threshold_and_the_size():
    texts = ["dry skin"] * 25 + ["hair smell"] * 24 + ["waste hair"] * 25 + ["nice hair"] * 30
    assert build(texts, MINE, Choice(least_support=25)).universe.labels == ("nice hair", "dry skin", "waste hair")
    assert build(texts, MINE, Choice(size=2)).universe.labels == ("nice hair", "dry skin")
    assert len(build(texts, MINE, Choice(size=50)).universe) == 4  # fewer than asked for: all of them
    with pytest.raises(UsageError, match="no phrase"):
        build(texts, MINE, Choice(least_support=31))


def test_distinct_concerns_stay_apart():
    texts = ["dry skin", "sensitive skin", "skin irritation", "hair loss", "dry hair", "hair growth"]
    assert len(build(texts, AMAZON, Choice()).universe) == 6


def test_the_order_of_documents_does_not_matter():
    texts = ["dry skin", "hair smell", "smell hair", "waste hair"]
    assert build(texts, MINE, Choice()) == build(texts[::-1], MINE, Choice())


def test_labels_that_no_universe_may_hold_are_skipped():
    profile = parsed(RULES.replace(b'domain = "', b'domain = "noise floor ignore '), "mine")
    built = build(["noise floor", "noise floor", "dry skin"], profile, Choice())
    assert built.universe.labels == ("dry skin",)
    assert [each.label for each in built.skipped] == ["noise floor"]
    assert decode(encode(built.universe), "universe.json") == built.universe


def test_held_phrases():
    assert held("My skin dry and hair smell", MINE, ["dry skin", "smell hair", "waste hair"]) == [
        "dry skin", "smell hair",
    ]  # fmt: skip


def test_word_orders_break_ties_by_the_alphabet():
    orders = word_orders({("b", "a"): 2, ("a", "b"): 2, ("d", "c"): 3, ("c", "d"): 1})
    assert orders == {("b", "a"): ("a", "b"), ("a", "b"): ("a", "b"), ("d", "c"): ("d", "c"), ("c", "d"): ("d", "c")}
