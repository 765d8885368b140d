import pytest

from dpspin.errors import UsageError
from dpspin_audits.report import case
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_problems_come_first_and_findings_are_numbered(evidence):
    found = opened(evidence("fail"))
    assert [check.status for check in found.checks][:7] == ["fail"] * 5 + ["error", "inconclusive"]
    assert [check.finding for check in found.findings] == [1, 2, 3, 4, 5]
    assert [check.required for check in found.findings] == [True] * 4 + [False]


def test_what_was_not_assessed_is_listed_once_required_checks_first(evidence):
    whats = [gap.what for gap in opened(evidence("fail")).gaps]
    assert whats[:3] == ["Influence of one unit on the sums", "Low-order bits of the noise", "Random generator"]
    assert whats.count("Machine-checked proofs") == 1
    assert whats[3:5] == ["Machine-checked proofs", "Paths past the plan"]
    assert whats[-1] == "Memory, swap and logs"
    assert len(whats) == len(set(whats))


def test_a_declared_pass_is_a_gap_and_not_a_result(evidence):
    found = opened(evidence())
    assert ("declared", "Origin of the themes") in [(gap.status, gap.what) for gap in found.gaps]
    assert not next(check for check in found.checks if check.id == "universe.provenance").answered


@pytest.mark.parametrize(
    ("role", "charge", "synthetic", "covered"),
    [
        ("public", None, False, True),
        ("dp", "0001", False, True),
        ("dp", None, False, False),
        ("dp", None, True, True),
        ("post-processing", None, False, True),
        (None, None, True, False),
        (None, "0001", False, False),
        ("secret", "0001", False, False),
    ],
)
def test_an_object_is_covered_by_publicity_or_charge_or_generated_records(role, charge, synthetic, covered):
    assert case.is_covered(Node({"role": role, "charge": charge}), synthetic=synthetic) is covered


def test_links_lead_to_findings_answers_and_sections(evidence):
    places = {check.id: plain(case.where(check)) for check in opened(evidence("fail")).checks}
    assert places["hygiene"] == "F2"
    assert places["rng"] == "below"
    assert places["accounting.claim"] == "section\u00a03"
    assert places["proofs"] == "section\u00a08"


def test_an_unknown_status_is_refused(evidence):
    tree = evidence()
    tree["checks"][0]["status"] = "fine"
    with pytest.raises(UsageError, match="status"):
        opened(tree)


@pytest.mark.parametrize(("section", "field", "wrong"), [("claim", "unit", "record\u202e"), (None, "not_assessed", -1)])
def test_what_is_not_of_its_kind_is_refused_by_name(evidence, section, field, wrong):
    tree = evidence()
    (tree[section] if section else tree)[field] = wrong
    del tree["utility"]
    with pytest.raises(UsageError, match=field):
        opened(tree)


def test_names_beyond_two_are_counted():
    assert [plain(name) for name in case.objects(("a", "b", "c", "d"))] == ["a", "b", "2 more"]
