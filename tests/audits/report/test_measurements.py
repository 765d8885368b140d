import pytest

from dpspin.errors import UsageError
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


def test_a_row_that_bets_alone_refute_is_marked(evidence):
    tree = evidence("fail")
    tests = tree["checks"][0]["figures"]["tests"]
    tests[1]["bets"] = {"reached": 900}
    assert [row.hit for row in measurements.tests(opened(tree)).bodies[0].rows] == [True, True]
    tests[1]["bets"] = {"reached": None}
    assert [row.hit for row in measurements.tests(opened(tree)).bodies[0].rows] == [True, False]


def test_in_words_it_says_what_was_tried_what_would_have_been_found_and_what_not(evidence):
    words = plain(measurements.view(opened(evidence())).said)
    assert "two pairs of corpora that differ in one record were tried, up to 65,536 runs each" in words
    assert "on the pair ‘one record on the first theme’" in words
    assert "right in 72.6" in words  # 38,864 / 53,512
    assert "73.1" in words  # e / (1 + e)
    assert "With 90 % probability this audit would have found a loss of 1.02 or more" in words
    assert words.endswith("a loss on a pair that was not tried, and what is not in the plan.")


def test_runs_that_could_find_nothing_are_said_to_be_too_few(evidence):
    tree = evidence()
    for check in tree["checks"][:2]:
        for test in check["figures"]["tests"]:
            test["detectable"] = None
    assert "too few to find any loss" in plain(measurements.view(opened(tree)).said)
    assert measurements.view(opened(evidence("error"))).said == ()


def test_a_rate_above_the_allowed_one_is_called_chance_where_the_bound_says_so(evidence):
    """53,228 of 72,585 are 73.3 %, more than the 73.1 % of epsilon 1; the bound of that test stays below 1."""
    tree = evidence()
    first = tree["checks"][0]["figures"]["tests"][0]
    assert "chance alone" not in plain(measurements.view(opened(tree)).said)
    first |= {"guessed": 72585, "right": 53228, "epsilon_at_least": "0.9767"}
    assert "was right in 73.3\u00a0% of its guesses" in plain(measurements.view(opened(tree)).said)
    assert "allows, and chance alone can make up the difference." in plain(measurements.view(opened(tree)).said)
    first |= {"epsilon_at_least": "1.01"}
    assert "chance alone" not in plain(measurements.view(opened(tree)).said)


def test_a_group_of_rows_has_no_hidden_characters_in_its_name(evidence):
    tree = evidence()
    tree["checks"][0]["id"] = "distribution\u202e.ideal"
    assert measurements.tests(opened(tree)).bodies[0].title == "distribution[U+202E].ideal"


def test_bettors_without_looks_are_not_drawn_and_a_level_of_zero_is_refused(evidence):
    tree = evidence()
    bets = tree["accounting"]["measured"]["bets"]
    assert bets
    for row in bets:
        row["path"] = []
    assert measurements.view(opened(tree)).capital == ()
    other = evidence()
    other["accounting"]["measured"]["bets"][0]["alpha"] = "0"
    with pytest.raises(UsageError, match="a probability above 0"):
        measurements.view(opened(other))
