from dpspin_audits.report import accounting, case
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def rows(tree):
    table = accounting.losses(opened(tree))
    return [[plain(cell) for cell in row.cells] for row in table.bodies[0].rows]


def test_one_row_for_each_kind_of_evidence(evidence):
    assert rows(evidence()) == [
        ["Claimed", "≤ 1", "0", "deployment, declared 2026-06-30"],
        ["Accounted", "≤ 1", "0", "formula for the stated mechanism, exact: laplace_sketch_pure"],
        ["Measured", "≥ 0.941", "", "65,536 runs; smaller is ruled out with 99.9\u00a0% confidence"],
        ["Second opinion", "1", "", "dp-accounting 0.6.0; never the authority"],
    ]


def test_what_is_missing_is_marked_as_not_run(evidence):
    assert [row[1] for row in rows(evidence("error"))] == ["≤ 1", "not_run", "not_run", "not_run"]


def test_charge_and_budget(evidence):
    shown = {plain(term): plain(words) for term, words in accounting.view(opened(evidence())).rows}
    assert shown["Charge of this release"] == "0002: ε 1, δ 0"
    assert shown["Budget of the population"] == "ε 3, δ 10−6"
    uncharged = {plain(term): plain(words) for term, words in accounting.view(opened(evidence("stamped"))).rows}
    assert uncharged["Charge of this release"].startswith("none: an audit")
