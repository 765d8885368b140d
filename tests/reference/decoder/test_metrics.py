"""Metrics: shares of what a text mentions and compares, and of what a verifier accepted."""

from fractions import Fraction

import pytest

from dpspin.decoder import loop, metrics, template
from dpspin.decoder.verifier import verify


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("", None),
        ("Nothing is named here.", None),
        ("Dry skin, and again dry skin, beats Fees!", Fraction(0)),
        ("Dry skin beats late fees; late fees, hair gloss and Fees.", Fraction(2, 4)),
        ("dry skin care", Fraction(1)),
    ],
)
def test_atom_rate_counts_each_atom_that_is_mentioned_once(fixed, text, rate):
    assert metrics.unsupported_atom_rate(text, fixed) == rate


@pytest.mark.parametrize(
    ("texts", "rate"),
    [
        (["Dry skin ranks first."], None),
        (["Dry skin has more support than Fees."], Fraction(0)),
        (["Fees has more support than dry skin.", "Dry skin has more support than Fees. Fees ranks above shipping."],
         Fraction(1, 2)),
        (["Fees and account access have similar support, and shipping has less support than shipping."],
         Fraction(1, 2)),
        (["Late fees has more support than Fees. Dry skin has more support than Fees."], Fraction(0)),
    ],
)  # fmt: skip
def test_comparison_rate_counts_what_is_stated_in_the_language(fixed, texts, rate):
    assert metrics.unsupported_comparison_rate([verify(text, fixed) for text in texts], fixed) == rate


def test_acceptance_is_counted_per_attempt_and_per_run(fixed):
    good, bad = "Dry skin ranks first.", "Dry skin ranks second."

    def scripted(*drafts):
        return loop.write(fixed, lambda prompt, _: drafts[prompt.number - 1], len(drafts))

    found = metrics.acceptance([scripted(bad, good), scripted(bad, bad, bad), scripted(good, bad)])
    assert found == (6, 2, 3, 2)
    assert (found.per_attempt, found.per_run) == (Fraction(1, 3), Fraction(2, 3))
    assert (metrics.acceptance([]).per_attempt, metrics.acceptance([]).per_run) == (None, None)


def test_the_templates_rates_are_perfect(fixed):
    outcome = loop.write(fixed, template.decoder, 1)
    assert metrics.unsupported_atom_rate(outcome.summary, fixed) == 0
    assert metrics.unsupported_comparison_rate([outcome.attempts[0].verdict], fixed) == 0
    assert metrics.acceptance([outcome]).per_run == 1
