import pytest

from dpspin.errors import UsageError
from dpspin_audits.report import case, plan
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_a_subject_without_bundle_has_no_plan(evidence):
    found = opened(evidence("error"))
    assert plan.view(found) is None
    assert plan.themes(found) is None


def test_sentences_carry_their_claims(evidence):
    shown = plan.view(opened(evidence()))
    assert [item.supported for item in shown.sentences] == [True] * 5
    assert plain(shown.sentences[1].claims) == "rank 1; mass 118.42"
    assert shown.unsupported == ""
    assert plan.view(opened(evidence("fail"))).unsupported == "One sentence is"


def test_the_mark_of_a_list_item_is_left_out(evidence):
    tree = evidence()
    tree["summary"][0]["sentence"] = "- The plan releases 10 themes."
    assert plain(plan.view(opened(tree)).sentences[0].words) == "The plan releases 10 themes."


def test_floor_and_margin_are_rounded_up(evidence):
    shown = plan.view(opened(evidence()))
    assert (shown.floor, shown.margin, shown.shown) == ("6.88", "13.76", "The ten released themes")


def test_themes_are_listed_in_rank_order(evidence):
    tree = evidence()
    tree["plan"]["released"].reverse()
    rows = plan.themes(opened(tree)).bodies[0].rows
    assert [plain(row.cells[0]) for row in rows] == [str(rank) for rank in range(1, 11)]
    assert [plain(cell) for cell in rows[0].cells][2:] == ["118.42", "0.237", "high"]


def test_the_band_of_a_sparse_release_is_about_the_admitted_themes(evidence):
    assert "admitted themes alone" in plan.view(opened(evidence("top-l"))).noise
    assert plan.view(opened(evidence())).noise == ""


def test_an_empty_plan_has_no_figure(evidence):
    tree = evidence()
    tree["plan"]["released"] = []
    assert plan.view(opened(tree)).drawings == ()
    assert plan.themes(opened(tree)) is None


def test_an_unknown_mode_of_the_contract_is_refused_by_name(evidence):
    tree = evidence()
    tree["deployment"]["contract_mode"] = "odd"
    with pytest.raises(UsageError, match="contract_mode"):
        plan.view(opened(tree))
