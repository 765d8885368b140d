"""Both orders are asked, positions are told from texts, and intervals are exact."""

import pytest
from scipy.stats import binomtest

from dpspin_experiments.baselines.methods import WITHOUT_NOISE
from dpspin_experiments.judging.answers import Preference
from dpspin_experiments.judging.asking import Asked, Attempt
from dpspin_experiments.judging.duels import Pair, play, rate, tally
from dpspin_experiments.judging.exhibit import Exhibit

TEXT, REFERENCE = Exhibit(b'{"entries":[]}\n', "the text"), Exhibit(b'{"plan_id":"p"}\n', "the reference")


def played(prefer, seed=b"s", number=0):
    asked = []

    def _ask(duel, number_):
        asked.append(duel)
        found = prefer(duel)
        return Asked(found and Preference(preferred=found, reason=""), (Attempt("", None),))

    return play("m", TEXT, REFERENCE, (seed, number), _ask), asked


def likes(text):
    return lambda duel: "first" if duel.first == text else "second"


@pytest.mark.parametrize(
    ("prefer", "outcome", "stuck"),
    [
        (likes("the text"), "text", None),
        (likes("the reference"), "reference", None),
        (lambda _: "first", "mixed", "first"),
        (lambda _: "second", "mixed", "second"),
        (lambda _: "same", "same", None),
        (lambda duel: "same" if duel.first == "the text" else "first", "mixed", None),
        (lambda duel: None if duel.first == "the text" else "first", "unread", None),
    ],
)
def test_positions_are_told_from_texts(prefer, outcome, stuck):
    pair, asked = played(prefer)
    assert pair[:3] == ("m", outcome, stuck)
    assert {(duel.first, duel.second) for duel in asked} == {
        ("the text", "the reference"),
        ("the reference", "the text"),
    }
    assert all(duel.reference == REFERENCE.visible for duel in asked)
    assert not any(b"entries" in duel.shown() for duel in asked)  # the text's own object is not shown


def test_notices_that_differ_do_not_tell_which_text_is_the_references(items):
    reference = next(item.exhibit for item in items if item.method == WITHOUT_NOISE)
    asked = []

    def _ask(duel, _):
        asked.append(duel)
        return Asked(None, ())

    noisy = [item.exhibit for item in items if item.noisy]
    for exhibit in noisy:
        play("m", exhibit, reference, (b"s", 0), _ask)
    assert len(asked) == 2 * len(noisy)
    assert not {exhibit.text.split("\n")[0] for exhibit in noisy} & {reference.text.split("\n")[0]}
    assert not [text for duel in asked for text in (duel.first, duel.second) if "NON-PRIVATE" in text]


def test_the_references_own_words_are_the_same_and_nobody_is_asked():
    assert play("m", REFERENCE, REFERENCE, (b"s", 0), pytest.fail) == Pair("m", "same", None, 0)


def test_the_order_of_asking_follows_from_the_seed_and_both_occur():
    first = [played(likes("the text"), b"%d" % seed)[1][0].first for seed in range(64)]
    assert set(first) == {"the text", "the reference"}  # one alone: below 1e-18
    assert first == [played(likes("the text"), b"%d" % seed)[1][0].first for seed in range(64)]


@pytest.mark.parametrize(("part", "whole"), [(0, 5), (3, 7), (10, 10), (48, 100)])
def test_intervals_are_those_of_clopper_and_pearson(part, whole):
    exact = binomtest(part, whole).proportion_ci(0.95, "exact")
    assert rate(part, whole) == (part, whole, pytest.approx(exact.low), pytest.approx(exact.high))


def test_a_tally_counts_pairs_and_a_judge_that_looks_at_positions_is_found():
    pairs = [Pair("m", "mixed", "first", 1)] * 10 + [Pair("m", "text", None, 0)] * 2 + [Pair("m", "unread", None, 6)]
    found = tally(pairs, "m")
    assert found.outcomes == {"text": 2, "reference": 0, "same": 0, "mixed": 10, "unread": 1}
    assert (found.pairs, found.malformed, found.wins.part, found.wins.whole) == (13, 16, 2, 2)
    assert found.first.low > 0.5
    fair = tally([Pair("m", "mixed", side, 0) for side in ("first", "second") * 5], "m")
    assert fair.first.low < 0.5 < fair.first.high
    assert tally([], "m").wins is rate(0, 0) is None
