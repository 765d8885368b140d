"""Repeats: what both texts have is named, and the new text can always be had again."""

import random

import pytest

from dpspin_audits.report.repeats import BLOCK, LEAST, Copy, parts, whole

PROSE = "".join(f"sentence {at} says something of its own. " for at in range(40))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""), ("", PROSE), (PROSE, ""), (PROSE, PROSE), (PROSE, PROSE[200:] + PROSE[:200]),
        (PROSE, PROSE[:500] + "new words" + PROSE[500:900] + "more" + PROSE[900:]), ("a" * 500, "a" * 700),
        (PROSE, PROSE * 2),
        (PROSE[: LEAST - 1], PROSE[: LEAST - 1] + "x"), ("é\u202e" * 200, "x" + "é\u202e" * 150),
    ],
)  # fmt: skip
def test_nothing_is_lost(old, new):
    assert whole(old, parts(old, new)) == new


def test_random_edits_are_lossless():
    draw = random.Random(3)
    for _ in range(200):
        old = "".join(draw.choice("ab ") for _ in range(draw.randrange(600)))
        cut, end = sorted(draw.randrange(len(old) + 1) for _ in range(2))
        new = old[:cut] + "".join(draw.choice("abc") for _ in range(draw.randrange(50))) + old[end:] + old[cut:end]
        assert whole(old, parts(old, new)) == new


def test_two_edits_leave_three_copies():
    found = parts(PROSE, PROSE[:400] + "ONE" + PROSE[400:800] + "TWO" + PROSE[800:])
    assert [part for part in found if isinstance(part, str)] == ["ONE", "TWO"]
    assert sum(isinstance(part, Copy) for part in found) == 3


def test_short_parts_are_shown_again():
    assert parts(PROSE, "x" + PROSE[: LEAST - 2] + "y") == ["x" + PROSE[: LEAST - 2] + "y"]
    assert BLOCK < LEAST
