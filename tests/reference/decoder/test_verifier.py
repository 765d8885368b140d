"""The verifier: the contract class by class, its steps one by one, and texts that nearly are true."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.decoder import template
from dpspin.decoder.claims import Mass, PublicText, Rank
from dpspin.decoder.verifier import Verifier, check_terms, verify
from dpspin.errors import UsageError
from dpspin.plan import SEEDED
from dpspin.universe import Universe

PAGE = (Path(__file__).parents[3] / "docs" / "decoder.md").read_text("utf-8")
RULINGS = re.findall(r"^    (\+|\d+) +(.*)$", PAGE, re.MULTILINE)
FAST = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="session")
def verifier(fixed):
    return Verifier(fixed)


@pytest.mark.parametrize(("ruling", "written"), RULINGS)
def test_sentences_of_the_page_are_ruled_as_it_says(verifier, ruling, written):
    text = written.replace("⏎", "\n").encode("raw_unicode_escape").decode("raw_unicode_escape")
    verdict = verifier.verify(text)
    assert verdict.accepted == (ruling == "+"), verdict.violations
    assert ruling == "+" or int(ruling) in {violation.step for violation in verdict.violations}


def test_the_page_has_sentences_for_every_step_but_length_and_stamp():
    assert {ruling for ruling, _ in RULINGS} == {"+", "2", "4", "5", "6", "8", "9", "10"}
    assert len(RULINGS) > 60


@pytest.mark.parametrize(
    ("step", "good", "bad", "found"),
    [
        (2, "Crème", "Cre\u0300me", "e"),
        (4, "Fees ranks third.", "Fees ranks third. Late\nfees ranks third.", "Late\nfees"),
        (4, "The released themes include dry skin.", "The released themes include dry skin care.", "dry skin care"),
        (5, "Fees ranks third.", "Fees ranks\u202e third.", "\u202e"),
        (6, "Fees ranks third.", "Fees ranks third. .", "."),
        (7, "A noisy mass is not a count of reviews.", "A noisy mass is not any count of reviews.", "A"),
        (8, "Fees ranks third.", "ßß fees ranks third.", "ß"),
        (8, "Fees ranks third.", "Fees ranks third.\nFees ranks third by far.", "by"),
        (9, "dry skin and Fees are below the noise floor.", "Fees and dry skin are below the noise floor.", None),
        (10, "Fees ranks third. Fees has rank 3.", "Fees ranks third. Fees has rank 4.", "Fees has rank 4."),
    ],
)
def test_each_step_finds_its_fault_and_points_at_it(verifier, step, good, bad, found):
    assert step not in {violation.step for violation in verifier.verify(good).violations}
    steps = {violation.step: bad[slice(*violation.span)] for violation in verifier.verify(bad).violations}
    expected = 8 if step == 7 else step  # what is no public text has to be language
    assert steps[expected] == (bad if found is None else found)


def test_step_1_refuses_one_character_more_than_the_cap(verifier):
    text = "Fees ranks third.\n"
    full = text * (verifier.longest // len(text)) + " " * (verifier.longest % len(text))
    assert verifier.verify(full).accepted
    (violation,) = verifier.verify(full + " ").violations
    assert (violation.step, violation.span) == (1, (verifier.longest, verifier.longest + 1))


@pytest.mark.parametrize(
    "text",
    [
        "Fees ranks third.",
        f"Fees ranks third. {SEEDED}",
        SEEDED[:-1] + "!\nFees ranks third.",
        SEEDED.lower() + "\nFees ranks third.",
        SEEDED + "Fees ranks third.",
        f" {SEEDED} Fees ranks third.",
        "",
    ],
)
def test_step_3_wants_the_stamp_first(fixed, stamped, text):
    assert 3 in {violation.step for violation in verify(text, stamped).violations}
    assert 3 not in {violation.step for violation in verify(text, fixed).violations}


@pytest.mark.parametrize("text", [SEEDED, f"{SEEDED}\n\nFees ranks third.", f"{SEEDED} Fees ranks third."])
def test_a_stamp_that_comes_first_is_public_text(stamped, fixed, text):
    verdict = verify(text, stamped)
    assert verdict.accepted
    assert verdict.sentences[0] == (SEEDED, (PublicText("stamp"),))
    assert not verify(text, fixed).accepted


def test_the_stamp_stands_even_if_a_word_of_it_is_a_label(stamped):
    labels = ("seed", *stamped.terms.universe.labels[1:])
    odd = replace(stamped, terms=replace(stamped.terms, universe=replace(stamped.terms.universe, labels=labels)))
    unreleased = replace(odd, atoms=odd.atoms[1:])
    assert verify(SEEDED, unreleased).accepted


def test_sentences_come_with_their_claims(verifier):
    verdict = verifier.verify(
        "Fees ranks third; dry skin has noisy mass 256.40.\nA noisy mass is not a count of reviews."
    )
    assert verdict.accepted
    assert [(text, claims) for text, claims in verdict.sentences] == [
        ("Fees ranks third; dry skin has noisy mass 256.40.", (Rank(4, 3), Mass(0, 25640, 2))),
        ("A noisy mass is not a count of reviews.", (PublicText("count"),)),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Late fees are excluded.", "label that is not released"),
        ("No stop", "whole sentences"),
        ("One line.\nTwo lines.", "whole sentences"),
        ("", "whole sentences"),
        ("Well. .", "empty sentence"),
        ("Fees ranks third.", "reads as a claim"),
        ("Beware. Epsilon is 0.1.", "reads as a claim"),
        ("Re\u0301sume\u0301.", "normal form"),
        ("Wait\u200b.", "forbidden character"),
    ],
)
def test_unusable_public_texts_are_refused_when_the_verifier_is_built(fixed, text, problem):
    with pytest.raises(UsageError, match=f"public_text.mine: .*{problem}"):
        Verifier(replace(fixed, terms=replace(fixed.terms, public_text={"mine": text})))


def test_the_longest_public_text_wins(fixed):
    texts = {"a": "One.", "ab": "One. Two.", "b": "Two. Three."}
    plan = replace(fixed, terms=replace(fixed.terms, public_text=texts))
    assert [claims[0].id for _, claims in verify("One. Two. One. Two. Three.", plan).sentences] == ["ab", "ab"]
    assert [claims[0].id for _, claims in verify("One. One. Two.", plan).sentences] == ["a", "ab"]


def test_the_stamps_id_is_reserved(fixed):
    with pytest.raises(UsageError, match="stamp"):
        Verifier(replace(fixed, terms=replace(fixed.terms, public_text={"stamp": "All is well."})))


def test_terms_can_be_checked_before_anything_is_released(terms):
    check_terms(terms)
    with pytest.raises(UsageError, match="not released"):
        check_terms(replace(terms, public_text={"count": "Fees are not counted."}))


def test_a_report_of_violations_is_bounded(verifier):
    for text in ("x\n" * 3000, "\u202e\n" * 3000, "late fees\n" * 700, ". \n" * 2500):
        verdict = verifier.verify(text)
        assert not verdict.accepted
        assert len(verdict.violations) <= 100


WORDS = """fees|dry skin|late fees|U.S. mail|has|is|in the|VERY  HIGH bin|low bin|very h\u0130gh bin|ranks|third|rank|3
|-2|1/3|1e5|1.5|noisy mass|a|of|and|,|, and|;|:|(|)|. |.|-|the plan|releases|themes|7|epsilon|below the noise floor|
|\u0301|\ue000|have similar support|has more support than|normalised support|0.116
|A noisy mass is not a count of reviews.""".split("|")


@FAST
@given(
    st.text(max_size=80)
    | st.text("dry skinFEes.,:;()-0123456789 \nßİ\u0301\ud800", max_size=80)
    | st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
)
def test_no_text_makes_the_verifier_raise(verifier, text):
    verdict = verifier.verify(text)
    assert verdict.accepted == (not verdict.violations)
    for violation in verdict.violations:
        start, end = violation.span
        assert 0 <= start <= end <= len(text)


def claims_of(verdict):
    return [claim for statement in verdict.sentences for claim in statement.claims]


def test_no_single_changed_character_is_accepted_as_another_claim(fixed):
    """Every deletion, and seeded replacements at every position: refused, or the same claims in other clothes."""
    verifier, rng = Verifier(fixed), random.Random(20)
    for line in template.summary(fixed).splitlines():
        original = claims_of(verifier.verify(line))
        for position in range(len(line)):
            for new in ("", rng.choice("0123456789"), rng.choice("abcdefghijklmnopqrstuvwxyz .,-\n")):
                verdict = verifier.verify(line[:position] + new + line[position + 1 :])
                assert not verdict.accepted or claims_of(verdict) == original, (line, position, new)


def swapped(text, left, right):
    return text.replace(left, "\0").replace(right, left).replace("\0", right)


SWAPS = [
    ("very high bin", "moderate bin"),
    ("moderate bin", "low bin"),
    ("more", "less"),
    ("rank 2", "rank 3"),
    ("dry skin", "shipping"),
    ("U.S. mail", "hair loss"),
    ("account access", "Fees"),
    ("epsilon 1.0", "epsilon 0.1"),
    ("noisy mass 2", "noisy mass -2"),
    ("noisy mass", "normalised support"),
    ("- account access: noisy mass 231.4", "- Fees: noisy mass 231.4"),
    ("0.116, moderate bin, rank 2", "0.116, moderate bin, rank 3"),
    ("is below", "is not below"),
    ("delta 1e-5", "delta 1e-6"),
    ("7 themes", "6 themes"),
    ("Fees", "Late fees"),
    ("account access", "account access denied"),
    ("2,000", "20,000"),
]


@pytest.mark.parametrize("pair", SWAPS, ids=str)
def test_a_summary_with_two_parts_exchanged_is_refused(verifier, fixed, pair):
    text = template.summary(fixed)
    assert verifier.verify(text).accepted
    changed = swapped(text, *pair)
    assert changed == text or not verifier.verify(changed).accepted


@settings(FAST, max_examples=30)
@given(st.data())
def test_changed_digits_are_refused_in_any_plan(plain_plans, data):
    released = data.draw(plain_plans)
    text = template.summary(released)
    verifier = Verifier(released)
    original = claims_of(verifier.verify(text))
    places = [position for position, character in enumerate(text) if character in "0123456789"]
    for position in data.draw(st.lists(st.sampled_from(places), min_size=5, max_size=5)):
        digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[position]]))
        verdict = verifier.verify(text[:position] + digit + text[position + 1 :])
        assert not verdict.accepted or claims_of(verdict) == original


def test_exchanged_rows_are_refused(verifier):
    rows = ["- Fees: noisy mass 231.4", "- shipping: noisy mass 20.0"]
    assert verifier.verify("\n".join(rows)).accepted
    (violation,) = verifier.verify("\n".join(rows[::-1])).violations
    assert (violation.step, violation.found) == (9, "rank 5, rank 3")
    assert verifier.verify("\nThe plan releases 7 themes.\n".join(rows[::-1])).accepted


def test_planted_faults_are_refused_by_exactly_the_reason_given(verifier):
    """The words of a violation are readable and name objects of the plan only."""
    (violation,) = verifier.verify("shipping has more support than U.S. mail.").violations
    assert violation == (
        10,
        "unsupported claim",
        (0, 41),
        "shipping has more support than U.S. mail.",
        "differ by 7.6, margin 25.0",
    )


def test_labels_are_compared_whole_in_public_texts(fixed):
    other = replace(fixed.terms, public_text={"mail": "Fees are not counted here."})
    plan = replace(fixed, terms=other)
    assert verify("Fees are not counted here.", plan).accepted
    assert not verify("dry skin are not counted here.", plan).accepted


def test_universe_with_labels_alike_is_refused(fixed):
    twins = Universe(("Fees", "FEES", *fixed.terms.universe.labels[2:]), fixed.terms.universe.descriptions)
    with pytest.raises(UsageError, match="reads like"):
        Verifier(replace(fixed, terms=replace(fixed.terms, universe=twins)))
