"""Instructions are versioned data, and a question is an instruction and an exhibit."""

import hashlib
from importlib.resources import files

import pytest

from dpspin_experiments.judging import prompts
from dpspin_experiments.judging.exhibit import Duel, Exhibit

PINNED = {
    "scores": "d5df24a1cfe223c12ae40fe8def513b51603b90f0686848d00c627adc605677e",
    "comparison": "09b427a83d1eadf993ebe8b244c3540f3477dd0e939b08dc2381260498ab16a0",
    "summary": "6f803fd4e3f87dbaf81ffee9591be24e0cc97e6510898ca78f434ed93eaefeaa",
}
"""Digest of the words of each version: whoever changes the words raises the number in the first line."""


@pytest.mark.parametrize("name", PINNED)
def test_words_do_not_change_under_a_version(name):
    found = prompts.load(name)
    data = (files("dpspin_experiments.judging") / "prompts" / f"{name}.txt").read_bytes()
    assert found.version == f"dpspin-judge-{name}/1"
    assert found.sha256 == hashlib.sha256(data).hexdigest() == PINNED[name]
    assert "no standing" in " ".join(found.text.split())
    assert found.version not in found.text


def test_a_question_is_the_instruction_and_the_exhibit():
    exhibit, duel = Exhibit(b'{"entries":[]}\n', "a text"), Duel(b"{}\n", "one", "two")
    for asked, name, shown in (
        (prompts.of_scores(exhibit), "scores", exhibit.shown()),
        (prompts.of_comparison(duel), "comparison", duel.shown()),
        (prompts.of_summary(b"{}\n"), "summary", b"{}\n"),
    ):
        assert asked == (
            {"role": "system", "content": prompts.load(name).text},
            {"role": "user", "content": shown.decode()},
        )
