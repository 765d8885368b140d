"""Every check that there is can be explained."""

import pytest

from dpspin.errors import UsageError
from dpspin_audits.checks import conduct
from dpspin_audits.checks.explain import explanation, explanations
from dpspin_audits.report.vocabulary import CHECKS

PINNED = (
    "distribution.ideal", "distribution.bits", "sensitivity", "noninterference", "locality", "grouping", "support",
    "sampling", "independence", "rng", "errors", "budget", "canary", "hygiene", "tripwire", "timing",
    "accounting.claim", "accounting.certificate", "accounting.second_opinion", "universe.provenance", "contract",
    "conformance", "proofs",
)  # fmt: skip


def test_every_id_has_an_explanation_and_nothing_else_has_one(audited):
    ran = {check["id"] for check in audited("ref")["checks"]}
    assert set(PINNED) | set(CHECKS) - {conduct.PROCESSES} | ran == set(explanations())


def test_a_variant_is_explained_by_its_check():
    assert explanation(conduct.PROCESSES) == explanation(conduct.ID)
    assert explanation("distribution.bits") != explanation("distribution.ideal")


@pytest.mark.parametrize("id_", PINNED)
def test_it_says_everything_in_sentences(id_):
    found = explanation(id_)
    assert found.question.endswith("?")
    for text in (found.argument, found.false_alarms, found.on_failure):
        assert text.endswith(".")
        assert text[0].isupper() or text[0] == "`"
    assert found.sees
    assert found.references
    assert all(reference[-5] == " " and reference[-4:].isdecimal() for reference in found.references)


def test_another_id_is_the_callers_mistake_and_the_known_ones_are_named():
    with pytest.raises(UsageError, match="sensitivity"):
        explanation("sensitivty")
