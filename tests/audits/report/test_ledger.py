from dpspin_audits.report import case, ledger
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def cells(tree):
    return [[plain(cell) for cell in row.cells] for row in ledger.objects(opened(tree)).bodies[0].rows]


def test_each_object_names_what_covers_it(evidence):
    assert [row[3] for row in cells(evidence())] == [
        "fixed before data", "fixed before data", "charge 0002", *["objects above, charge 0002"] * 7,
    ]  # fmt: skip


def test_an_uncovered_object_is_marked_and_leads_to_its_finding(evidence):
    table = ledger.objects(opened(evidence("fail")))
    assert [row.hit for row in table.bodies[0].rows] == [False] * 10 + [True] * 2
    assert cells(evidence("fail"))[10][:4] == ["·", "run_info.json", "fail", "nothing; see F2"]


def test_a_demonstration_needs_no_charge(evidence):
    assert cells(evidence("stamped"))[2][3] == "no charge: generated records"


def test_without_exposures_there_is_no_table(evidence):
    assert ledger.objects(opened(evidence("error"))) is None
    assert len(ledger.digests(opened(evidence()))) == 10
