from dpspin_audits.report import case, measurements
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_every_test_of_every_statistical_check_is_listed(evidence):
    rows = measurements.tests(opened(evidence())).bodies[0].rows
    assert [plain(row.cells[0]) for row in rows] == ["distribution.ideal"] * 2 + ["distribution.bits"]
    assert [plain(cell) for cell in rows[0].cells][3:9] == [
        "65,536", "53,512", "38,864", "1.25\u00a0×\u00a010−4", "0.941", "1.07",
    ]  # fmt: skip


def test_a_failing_check_is_marked(evidence):
    rows = measurements.tests(opened(evidence("fail"))).bodies[0].rows
    assert [row.hit for row in rows] == [True, True, False]


def test_without_tests_there_is_no_table(evidence):
    found = opened(evidence("error"))
    assert measurements.tests(found) is None
    assert {measurements.runs_of(check) for check in found.checks} == {0}


def test_an_unknown_power_is_a_dash(evidence):
    tree = evidence()
    tree["checks"][0]["figures"]["tests"][0]["detectable"] = None
    assert plain(measurements.tests(opened(tree)).bodies[0].rows[0].cells[8]) == "–"
