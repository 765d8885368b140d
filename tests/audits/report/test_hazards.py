"""Hazards: every id leads somewhere, findings show, and nothing is called assessed that no check saw."""

import pytest

from dpspin_audits.checks.explain import explanations
from dpspin_audits.report import case, hazards
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import CHECKS, SECTIONS


def opened(tree):
    return case.opened(Node(tree))


def states(tree):
    return {hazard.id: hazards.covered(opened(tree), hazard) for hazard in hazards.known()}


def test_every_hazard_names_checks_and_sections_that_exist():
    known = hazards.known()
    assert len({hazard.id for hazard in known}) == len({hazard.title for hazard in known}) == len(known) == 29
    assert {name for hazard in known for name in hazard.checks} <= CHECKS.keys() & explanations().keys()
    assert {hazard.section for hazard in known} <= SECTIONS.keys()
    assert {hazard.otherwise for hazard in known} == {"declared", "not assessed"}
    assert [hazard.part for hazard in known] == sorted((h.part for h in known), key=lambda p: "PAD".index(p[0]))


def test_a_hazard_without_a_check_is_never_assessed(evidence):
    found = states(evidence())
    for hazard in hazards.known():
        if not hazard.checks and not hazard.seen_in and hazard.id != "delta":
            assert found[hazard.id].state in ("declared", "not assessed")


def test_a_finding_reaches_the_hazards_that_its_check_is_about(evidence):
    assert states(evidence("fail"))["mixing"].status == "fail"
    assert states(evidence())["mixing"].status == "pass"
    hits = [
        plain(row.cells[0]) for body in hazards.table(opened(evidence("fail"))).bodies for row in body.rows if row.hit
    ]
    assert "Other releases from the same records, without noise" in hits
    assert hazards.worst(opened(evidence("fail"))) == "fail"
    assert hazards.worst(opened(evidence())) == ""


def test_what_checks_cannot_answer_stays_in_part_however_well_they_pass(evidence):
    assert states(evidence())["human"].state == "assessed in part"  # its one check passed
    assert states(evidence())["variants"].state == "assessed"


def test_delta_is_assessed_where_there_is_none(evidence):
    assert states(evidence())["delta"].state == "assessed"
    assert states(evidence("gaussian-user"))["delta"].state == "declared"


def test_bias_needs_the_figures_of_the_evidence(evidence):
    assert states(evidence())["statistical"].state == "assessed in part"
    assert states(evidence() | {"utility": None})["statistical"].state == "not assessed"


@pytest.mark.parametrize("kind", ["pass", "fail", "error"])
def test_the_sum_is_that_of_the_table(evidence, kind):
    words = plain(hazards.counted(opened(evidence(kind))))
    numbers = [int(word) for word in words.split(".")[0].replace(":", " ").split() if word.isdecimal()]
    assert numbers[0] == sum(numbers[1:]) == 29
