from dpspin_audits.report import case, closing
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_missing_proofs_are_said_plainly(evidence):
    words = plain(closing.proofs(opened(evidence())))
    assert words == "not_run This report cites no machine-checked proof. The proofs are about the reference’s kernel."
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


def test_each_command_is_listed_once(evidence):
    tree = evidence()
    tree["checks"][1]["reproduce"] = tree["checks"][0]["reproduce"]
    shown = closing.reproduction(opened(tree), "d" * 64)
    assert len(shown.commands) == len(set(shown.commands)) == 13
    assert "d" * 64 in [plain(words) for _, words in shown.rows]
