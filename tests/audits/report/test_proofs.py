"""What is proved, and what is not: statements, gaps and vectors as evidence has them."""

from dpspin_audits.report import case, proofs
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def rows(table):
    return [[plain(cell) for cell in row.cells] for row in table.bodies[0].rows]


def test_statements_name_theorems_sources_and_gaps(evidence):
    found = rows(proofs.statements(opened(evidence("gaussian-user"))))
    assert found[0][1:] == ["Proposition 5.1 (5)", "record_l1", "nothing besides"]
    assert found[1][2:] == ["a_1, a_2 and 1 more", "sampler"]
    assert found[2][2:] == ["no theorem; a rule of the deployment file", "assumptions"]


def test_gaps_that_stay_open_everywhere_come_first(evidence):
    table = proofs.gaps(opened(evidence("gaussian-user")))
    assert [row[0] for row in rows(table)] == ["sampler", "assumptions"]
    assert "The first stays open" in plain(table.caption)


def test_without_proofs_there_are_no_tables(evidence):
    assert proofs.statements(opened(evidence())) is None
    assert proofs.gaps(opened(evidence())) is None


def test_vectors_are_counted_and_skipped_steps_named(evidence):
    words = plain(proofs.conformance(opened(evidence("gaussian-user"))))
    assert words == (
        "400 of 412 vectors are answered as the reference answers them. "
        "12 were skipped, because the implementation does not offer the step: parse. "
    )


def test_differing_vectors_are_named(evidence):
    tree = evidence("gaussian-user")
    check = next(row for row in tree["checks"] if row["id"] == "conformance")
    check["figures"] |= {"failed": 2, "passed": 398, "first": ["clip-7", "clip-9"]}
    assert "Two vectors are answered otherwise: clip-7 and clip-9." in plain(proofs.conformance(opened(tree)))


def test_nothing_compared_is_said(evidence):
    assert proofs.conformance(opened(evidence())) == ()
    assert plain(proofs.unanswered(opened(evidence()))) == "not_assessed. The implementation does not offer this step."
    tree = evidence()
    tree["checks"] = [check for check in tree["checks"] if check["id"] != "conformance"]
    assert plain(proofs.unanswered(opened(tree))) == "not_assessed. No vectors were run."
