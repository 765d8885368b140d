"""A universe with a charge of its own: both losses and the sum wherever a report says what people are exposed to."""

import pytest

from dpspin.errors import UsageError
from dpspin_audits.report import built, case, model
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node

SUM = "ε 1.5, δ 10−7"


def said(words):
    return plain(words).replace("\u00a0", " ")


def opened(tree):
    return case.opened(Node(tree))


def test_evidence_without_one_has_none(evidence):
    assert opened(evidence()).built is None
    assert opened(evidence()).exposed == (1, 0)


def test_both_losses_and_the_sum_are_read_and_never_computed(evidence):
    tree = evidence("charged")
    tree["accounting"]["total"] = {"epsilon": "7", "delta": "1e-3"}
    found = opened(tree)
    assert (float(found.built.epsilon), found.built.charge, float(found.exposed[0])) == (0.5, "0001", 7)


@pytest.mark.parametrize("fault", ["no cost", "no sum", "called auxiliary", "cost of a public one"])
def test_a_cost_exactly_where_the_provenance_is_charged(evidence, fault):
    tree = evidence("pass" if fault == "cost of a public one" else "charged")
    if fault == "no cost":
        del tree["accounting"]["universe"]
    if fault == "no sum":
        del tree["accounting"]["total"]
    if fault == "called auxiliary":
        tree["deployment"]["provenance"] = "auxiliary"
    if fault == "cost of a public one":
        tree["accounting"]["universe"] = {"epsilon": "1", "delta": "0", "id": None}
    with pytest.raises(UsageError, match=r"accounting: (universe|total)"):
        opened(tree)


def test_words_hold_both_losses_and_the_sum(evidence):
    own = opened(evidence("charged")).built
    assert said(built.whole(own)) == SUM
    assert f"to have cost ε 0.5, δ 10−7, and both together expose people to at most {SUM}." in said(built.remark(own))
    assert said(built.charged(own)).startswith("0001: ε 0.5, δ 10−7, as declared")
    assert said(built.charged(own._replace(charge=None))).startswith("none that this audit saw")


def test_every_section_that_says_what_people_are_exposed_to_shows_the_sum(evidence):
    report = model.view(Node(evidence("charged")), "0" * 64)
    cover, facts = report.cover, {said(pair[0]): said(pair[1]) for pair in report.cover.facts}
    assert f"expose people to at most {SUM}" in said(cover.lead)
    assert f"with it, {SUM}" in said(cover.caption)
    assert "loss up to k × 1.5, larger δ" in facts["Not covered"]
    assert facts["Cost of this release"].startswith(
        "release ε 1; its themes ε 0.5, δ 10−7, charge 0001; together ε 1.5"
    )
    claim = {said(pair[0]): said(pair[1]) for pair in report.claim.rows}
    assert f"expose people to at most {SUM}" in said(report.claim.meaning)
    assert f"with the release {SUM}" in claim["Origin of the themes"]
    assert "with the themes: ε ≤ 3" in claim["Other adjacency"]
    cells = [[said(cell) for cell in row.cells] for body in report.tables.losses.bodies for row in body.rows]
    assert [row[:2] for row in cells[:3]] == [["Claimed", "≤ 1"], ["Themes", "≤ 0.5"], ["Release and themes", "≤ 1.5"]]
    people = [said(cell) for cell in report.tables.groups.bodies[0].rows[0].cells]
    assert people == ["ε for that person, at most", "1.5", "3", "7.5", "15"]
    entries = {said(row.cells[0]): said(row.cells[2]) for row in report.tables.registry.bodies[0].rows}
    assert entries["Parameters of the loss (privacy_parameters)"].startswith("ε = 1.5, δ = 10−7: the release ε 1")
    prepared = next(words for name, words in entries.items() if "preprocessing" in name)
    assert "themes were built from the records" in prepared
    hazards = [said(row.cells[3]) for body in report.tables.hazards.bodies for row in body.rows]
    assert sum(words.startswith("ε = 1.5, themes and release together") for words in hazards) == 1
    assert built.APART in hazards


def test_nothing_says_that_such_themes_were_fixed_before_data(evidence):
    report = model.view(Node(evidence("charged")), "0" * 64)
    words = [said(term.words) for term in report.words.terms]
    assert not [line for line in words if "fixed before the records" in line]
    assert "left it before (charge 0001)" in report.drawings.pipeline[0].description
    table = report.tables.objects.bodies[0].rows
    assert [said(cell) for cell in table[1].cells][1:4] == ["universe.json", "dp", "charge 0001"]
