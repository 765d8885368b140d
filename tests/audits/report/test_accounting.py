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
        ["Claimed", "≤\u00a01", "0", "deployment, declared 2026-06-30"],
        ["Accounted", "≤\u00a01", "0", "formula for the stated mechanism, exact: laplace_sketch_pure"],
        [
            "Measured",
            "≥\u00a00.941",
            "",
            "65,536 runs; smaller is ruled out with 99.9\u00a0% confidence"
            "; as hard to hide as a normal shift of μ ≥\u00a00.930",
        ],
        ["Second opinion", "1", "", "dp-accounting 0.6.0, agrees with ours"],
    ]


def test_what_is_missing_is_marked_as_not_run(evidence):
    assert [row[1] for row in rows(evidence("error"))] == ["≤\u00a01", "not_run", "not_run", "not_run"]


def test_each_loss_has_its_delta(evidence):
    shown = rows(evidence("gaussian-user"))
    assert [row[2] for row in shown] == ["≤\u00a010−6", "≤\u00a010−6", "at\u00a010−6", ""]
    assert shown[3][3] == "dp-accounting 0.6.0 at the accounted δ, agrees with ours"


def test_an_accounted_bound_is_rounded_up(evidence):
    tree = evidence()
    tree["accounting"]["accounted"] |= {"epsilon": "4/3", "delta": "1.0001e-7"}
    assert rows(tree)[1][1:3] == ["≤\u00a01.33334", "≤\u00a01.01\u00a0×\u00a010−7"]


def test_several_bounds_of_one_release_stand_below(evidence):
    table = accounting.losses(opened(evidence("top-l")))
    assert [[plain(cell) for cell in row.cells] for row in table.bodies[1].rows] == [
        ["Paper's claim", "≤\u00a02", "0", "not the least"],
        ["Selection and values composed", "≤\u00a02", "0", "not the least"],
        ["Selection and values together", "≤\u00a01.86667", "0", "accounted"],
    ]
    assert len(accounting.losses(opened(evidence())).bodies) == 1


def test_a_second_opinion_that_was_not_asked_says_why(evidence):
    assert rows(evidence("top-l"))[3][3] == "dp-accounting has no figure for peeling"


def test_charge_and_budget(evidence):
    shown = {plain(term): plain(words) for term, words in accounting.view(opened(evidence())).rows}
    assert (
        shown["Charge of this release"]
        == "0002: ε 1, δ 0 as claimed; a ledger that counts another relation converts it"
    )
    assert shown["Budget of the population"] == "ε 3, δ 10−6"
    uncharged = {plain(term): plain(words) for term, words in accounting.view(opened(evidence("stamped"))).rows}
    assert uncharged["Charge of this release"].startswith("none: an audit")


def test_a_lower_bound_stands_below_the_upper_ones(evidence):
    tree = evidence("top-l")
    tree["accounting"]["lower"] = {"name": "two atoms, enumerated", "epsilon": "0.51239", "delta": "0.000001"}
    table = accounting.losses(opened(tree))
    last = [plain(cell) for cell in table.bodies[-1].rows[-1].cells]
    assert last[:3] == ["Two atoms, enumerated", "≥\u00a00.5123", "at\u00a010−6"]


def test_the_curve_and_its_parameters(evidence):
    found = accounting.view(opened(evidence()))
    assert [plain(words) for _, words in found.native] == ["ε ≤\u00a01", "ρ ≤\u00a00.5", "μ ≤\u00a01.1"]
    assert (
        found.said == "The curve of the deployment’s own noise, exact for its noise: from δ 0.394 at ε 0 to δ 0 at ε 1."
    )
    assert {drawing.form for drawing in found.drawings} == {"wide", "narrow"}


def test_without_a_curve_nothing_is_drawn(evidence):
    tree = evidence()
    tree["accounting"]["curve"] = None
    assert accounting.view(opened(tree)).drawings == ()


def test_a_curve_without_points_is_not_drawn(evidence):
    tree = evidence()
    assert tree["accounting"]["curve"]["points"]
    tree["accounting"]["curve"]["points"] = []
    assert accounting.view(opened(tree)).drawings == ()
