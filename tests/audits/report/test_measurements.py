from dpspin_audits.report import case, measurements
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_every_test_of_every_statistical_check_is_listed(evidence):
    bodies = measurements.tests(opened(evidence())).bodies
    assert [(body.title, len(body.rows)) for body in bodies] == [("distribution.ideal", 2), ("distribution.bits", 1)]
    assert [plain(cell) for cell in bodies[0].rows[0].cells][2:9] == [
        "65,536", "53,512", "38,864", "1.25\u00a0×\u00a010−4", "ε\u00a01", "0.941", "1.07",
    ]  # fmt: skip


def test_a_rule_stands_beside_the_promise_that_it_was_held_to(evidence):
    rows = measurements.tests(opened(evidence("gaussian-user"))).bodies[0].rows
    assert [plain(row.cells[6]) for row in rows] == [
        "ε\u00a01, δ\u00a010−6", "ε\u00a01, δ\u00a010−6", "ε\u00a00.35, δ\u00a04.1\u00a0×\u00a010−5",
    ]  # fmt: skip


def test_what_exceeds_its_promise_is_marked_and_no_other(evidence):
    first, second = measurements.tests(opened(evidence("fail"))).bodies[0].rows
    assert (first.hit, plain(first.cells[9])) == (True, "fail")
    assert (second.hit, plain(second.cells[9])) == (False, "not exceeded")


def test_without_tests_there_is_no_table(evidence):
    found = opened(evidence("error"))
    assert measurements.tests(found) is None
    assert {measurements.runs_of(check) for check in found.checks} == {0}


def test_an_unknown_power_is_a_dash(evidence):
    tree = evidence()
    tree["checks"][0]["figures"]["tests"][0]["detectable"] = None
    assert plain(measurements.tests(opened(tree)).bodies[0].rows[0].cells[8]) == "–"
