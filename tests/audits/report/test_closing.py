import pytest

from dpspin_audits.report import case, closing
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_missing_proofs_are_said_plainly(evidence):
    words = plain(closing.proofs(opened(evidence())))
    assert words == "not_run This report cites no machine-checked proof. Not part of this version."
    tree = evidence()
    tree["checks"][10]["reason"] = "comes later"
    assert plain(closing.proofs(opened(tree))).endswith("proof. Comes later.")
    tree["checks"] = [check for check in tree["checks"] if check["id"] != "proofs"]
    assert "cites no machine-checked proof" in plain(closing.proofs(opened(tree)))


def test_proofs_that_ran_are_reported(evidence):
    tree = evidence()
    tree["checks"][10] |= {"status": "pass", "strength": "proved", "summary": "Seven theorems hold."}
    assert plain(closing.proofs(opened(tree))) == "pass Seven theorems hold."


def test_gaps_are_counted_in_the_caption(evidence):
    table = closing.gaps(opened(evidence()))
    assert plain(table.caption).startswith("Seven parts that this audit did not assess")
    assert len(table.bodies[0].rows) == 7


@pytest.mark.parametrize(
    ("provenance", "words"),
    [
        ("public", "are public knowledge"),
        ("auxiliary", "have no guarantee"),
        ("charged", "under a charge of their own"),
    ],
)
def test_assumptions_name_the_origin_of_the_themes(evidence, provenance, words):
    tree = evidence()
    tree["deployment"]["provenance"] = provenance
    assert words in plain(closing.assumptions(opened(tree))[1])


def test_generated_records_are_declared_first(evidence):
    assert plain(closing.assumptions(opened(evidence("stamped")))[0]).startswith("No record describes a person")
    assert len(closing.assumptions(opened(evidence()))) == 4


def test_each_command_is_listed_once(evidence):
    tree = evidence()
    tree["checks"][1]["reproduce"] = tree["checks"][0]["reproduce"]
    shown = closing.reproduction(opened(tree), "d" * 64)
    assert len(shown.commands) == len(set(shown.commands)) == 13
    assert "d" * 64 in [plain(words) for _, words in shown.rows]
