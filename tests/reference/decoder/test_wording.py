"""Wording: what is written reads back as the same claims, supported or not."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpspin.decoder import claims as c
from dpspin.decoder import language
from dpspin.decoder.page import Marker
from dpspin.decoder.senses import Reading
from dpspin.decoder.wording import listed, row, sentence

FAST = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def any_claim(draw, terms):
    atom, other = (draw(st.integers(0, len(terms.universe) - 1)) for _ in range(2))
    number = draw(st.integers(-(10**7), 10**7))
    digits = draw(st.integers(0, 6))
    bin_ = draw(st.integers(0, len(terms.bins) - 1))
    count = draw(st.integers(0, 5000))
    return draw(
        st.sampled_from(
            [
                c.Mention(atom),
                c.Mass(atom, number, digits),
                c.Support(atom, abs(number), digits),
                c.Bin(atom, bin_),
                c.Comparison(atom, other),
                c.Similarity(atom, other),
                c.Above(atom, other),
                c.Rank(atom, count + 1),
                c.Rank(atom, count % 10 + 1),
                c.Count(count),
                c.Count(count, bin_),
                c.Parameter("epsilon", draw(st.sampled_from(["1", "0.25", "1e-3", "1/3", "12000"]))),
                c.Parameter("delta", "1e-6"),
                c.Parameter("denominator", str(count)),
                c.Parameter("plan size", str(count)),
            ]
        )
    )


def read(text, plan):
    page = Marker(plan).page(text)
    assert [text[slice(*span)] for span in page.sentences] == [text]
    return language.read(page.blotted, page.words((0, len(text))), page.marks)


@FAST
@given(st.data())
def test_a_claim_written_reads_back_as_itself(plain_plans, data):
    plan = data.draw(plain_plans)
    for claim in data.draw(st.lists(any_claim(plan.terms), min_size=10, max_size=10)):
        text = sentence(claim, plan.terms)
        assert read(text, plan).claims == (claim,), text


@FAST
@given(st.data())
def test_a_row_reads_back_as_its_claims(plain_plans, data):
    plan = data.draw(plain_plans)
    atom = data.draw(st.integers(0, len(plan.terms.universe) - 1))
    facts = [c.Mass(atom, -12, 1), c.Support(atom, 5, 3), c.Bin(atom, 0), c.Bin(atom, 1), c.Rank(atom, 1)]
    facts = data.draw(st.lists(st.sampled_from(facts), min_size=1))
    assert read(row(facts, plan.terms), plan) == Reading(tuple(facts), row=(atom,))


@FAST
@given(st.data())
def test_a_list_reads_back_as_its_claims(plain_plans, data):
    plan = data.draw(plain_plans)
    assume(len(plan.terms.universe) > 1)
    atoms = data.draw(st.permutations(range(len(plan.terms.universe))))[: data.draw(st.integers(2, 12))]
    bin_ = data.draw(st.integers(0, len(plan.terms.bins) - 1))
    reading = read(listed(atoms, bin_, plan.terms), plan)
    assert reading == Reading(tuple(c.Bin(atom, bin_) for atom in atoms), (tuple(atoms),))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (c.Mass(8, -3200, 3), "hair loss has noisy mass -3.200."),
        (c.Count(1, 3), "1 released theme is in the very high bin."),
        (c.Count(0, 0), "0 released themes are below the noise floor."),
        (c.Rank(0, 10), "dry skin ranks tenth."),
        (c.Rank(0, 1100), "dry skin has rank 1,100."),
        (c.Parameter("denominator", "2000"), "The public denominator is 2,000."),
        (c.PublicText("count"), "A noisy mass is not a count of reviews."),
    ],
)
def test_sentences_are_plain_english(terms, claim, text):
    assert sentence(claim, terms) == text


def test_the_stamp_is_written_as_it_is(stamped):
    assert sentence(c.PublicText(c.STAMP), stamped.terms) == stamped.terms.stamp
