"""Assumptions: what no check can see is said, by what the deployment declares; and what was accepted."""

import pytest

from dpspin_audits.report import assumptions, case
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def shown(tree):
    return [plain(line) for line in assumptions.view(opened(tree))]


def said(words):
    return words.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("provenance", "words"),
    [
        ("public", "are public knowledge"),
        ("auxiliary", "disjoint from the records"),
        ("charged", "under a charge of their own"),
    ],
)
def test_assumptions_name_the_origin_of_the_themes(evidence, provenance, words):
    tree = evidence("charged" if provenance == "charged" else "pass")
    tree["deployment"]["provenance"] = provenance
    assert words in shown(tree)[1]
    assert any("cost no more than ε 0.5, δ 10−7" in said(line) for line in shown(tree)) == (provenance == "charged")
    assert any("have no guarantee" in line for line in shown(tree)) == (provenance == "auxiliary")


def test_a_scoring_function_of_ones_own_is_named_with_what_is_not_pinned(evidence):
    assert not any("function of the deployer" in line for line in shown(evidence()))
    tree = evidence()
    tree["deployment"]["scored_by"] = "maps:shared"
    (said,) = (line for line in shown(tree) if "function of the deployer" in line)
    assert "maps:shared" in said
    assert "what it imports and reads is not" in said


def test_generated_records_are_declared_first(evidence):
    assert shown(evidence("stamped"))[0].startswith("No record describes a person")
    assert len(shown(evidence("stamped"))) == len(shown(evidence())) + 1


def test_a_small_delta_is_the_deployers_business(evidence):
    assert not any("far below" in line for line in shown(evidence()))
    assert any(
        line.startswith("δ = 10−6 is far below")
        for line in (s.replace("\u00a0", " ") for s in shown(evidence("gaussian-user")))
    )


@pytest.mark.parametrize(
    "words", ["before anyone saw", "is a constant", "trained on the records", "named in others’ records",
              "generated records and charged nothing", "random generator", "Running time"],
)  # fmt: skip
def test_each_assumption_is_said(evidence, words):
    assert sum(words in line for line in shown(evidence())) == 1


def test_waivers_are_listed_and_their_absence_is_said(evidence):
    assert plain(assumptions.waivers(opened(evidence()))[0]).startswith("None:")
    row = {"check": "rng", "reason": "no hook", "approver": "A. Person", "expires": "2027-01-01", "state": "in force"}
    tree = evidence() | {"gate": {"known": ["canary"], "verdict": "pass", "waivers": [row]}}
    words = " ".join(plain(line) for line in assumptions.waivers(opened(tree)))
    assert "Waiver of rng, in force: No hook. Approved by A. Person, until 2027-01-01." in words
    assert "Known finding of the baseline: canary." in words


def test_a_note_that_is_a_sentence_ends_once(evidence):
    tree = evidence()
    tree["deployment"]["provenance_note"] = "By frequency in last year's text."
    assert "(By frequency in last year's text). Declared." in " ".join(shown(tree))
