"""Redaction by rules: what it finds, what it leaves, and what it cannot know."""

import pytest

from dpspin_experiments.baselines.redaction import redacted


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Write to ann.o@mail.example today", "Write to [address] today"),
        ("see https://a.example/x?y=1 now", "see [address] now"),
        ("I paid {$104.00} and $1,250.50", "I paid [amount] and [amount]"),
        ("on 12/31/2024 or XX/XX/2023", "on [date] or [date]"),
        ("call (212) 555-0100 about 44551234", "call [number] about [number]"),
        ("Dr. Mary Stone and Mr Hill", "[name] and [name]"),
        ("a letter from XXXX", "a letter from [masked]"),
        ("the 2 of us, in 30 days", "the 2 of us, in 30 days"),
    ],
)
def test_a_rule_finds_what_it_was_written_for(text, left):
    assert redacted(text) == left


def test_a_story_still_identifies():
    assert redacted("I keep the lighthouse and wear a glass eye") == "I keep the lighthouse and wear a glass eye"
