import pytest

from dpspin.errors import UsageError
from dpspin_audits.report import case, cover
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node

HEADINGS = {
    "pass": "No violation found in what was assessed. Seven parts were not assessed.",
    "gaussian-user": "No violation found in what was assessed. Five parts were not assessed.",
    "top-l": "One finding. The claim does not cover this release folder as it stands.",
    "fail": "Five findings. The claim does not cover this release folder as it stands.",
    "inconclusive": "No answer yet. The evidence neither contradicts nor supports the claim.",
    "not_run": "No answer yet. One required check did not run.",
    "error": "The implementation stopped answering; the audit is incomplete.",
    "stamped": "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted.",
    "waived": "Waived: one finding was set aside by whoever ordered this audit.",
}


def view(tree):
    return cover.view(case.opened(Node(tree)))


@pytest.mark.parametrize("kind", sorted(HEADINGS))
def test_one_heading_for_each_outcome(evidence, kind):
    assert plain(view(evidence(kind)).heading) == HEADINGS[kind]


def test_one_finding_is_singular(evidence):
    tree = evidence() | {"verdict": "fail"}
    tree["checks"][4]["status"] = "fail"
    assert plain(view(tree).heading).startswith("One finding. The claim")


def test_without_a_folder_the_claim_does_not_cover_the_implementation(evidence):
    tree = evidence("error") | {"verdict": "fail"}
    tree["checks"][0]["status"] = "fail"
    assert "this implementation as it stands" in plain(view(tree).heading)


def test_the_number_of_parts_is_the_number_of_lines(evidence):
    assert len(view(evidence()).unassessed) == 7


def test_the_verdict_follows_a_stamp(evidence):
    shown = view(evidence("stamped"))
    assert shown.stamped
    assert plain(shown.lead).startswith("Apart from that: No violation found")
    assert plain(shown.caption).startswith("The stamp above comes first")


def test_an_unknown_verdict_is_refused(evidence):
    with pytest.raises(UsageError, match="verdict"):
        view(evidence() | {"verdict": "great"})


def test_the_tally_counts_required_checks(evidence):
    shown = view(evidence("fail"))
    assert shown.required == "Nine required checks"
    assert dict(shown.tally) == {"pass": 2, "fail": 4, "inconclusive": 1, "not_run": 1, "error": 1}
    assert view(evidence()).tally == (("pass", 9),)


def test_a_finding_that_the_tally_leaves_out_is_told_beside_it(evidence):
    tree = evidence()
    assert view(tree).beyond == ""
    other = next(row for row in tree["checks"] if not row["required"])
    other |= {"status": "fail", "summary": "It differs.", "reason": "It does."}
    assert view(tree | {"verdict": "fail"}).beyond == "and one finding of other checks"


def test_the_next_step_names_the_place_of_the_first_finding(evidence):
    tree = evidence()
    tree["checks"][0] |= {"status": "fail", "remedy": "Keep it out.", "location": {"file": "metrics.json"}}
    assert "finding F1, metrics.json" in facts(tree | {"verdict": "fail"})["What to do next"]


def facts(tree):
    return {plain(term): plain(words) for term, words in view(tree).facts}


def test_who_is_not_covered_is_said(evidence):
    words = facts(evidence("fail"))["Not covered"]
    assert words.startswith(
        "a person with k records (loss up to k\u00a0×\u00a01); people named in others’ records or in the"
    )
    assert "or in the auxiliary text; whatever stands in run_info.json" in words
    public = evidence()
    public["deployment"]["provenance"] = "public"
    assert "auxiliary" not in facts(public)["Not covered"]


def test_a_user_claim_under_replacement_leaves_more_uncovered(evidence):
    words = facts(evidence("gaussian-user"))["Not covered"]
    assert words.startswith(
        "a person with k user ids (loss up to k\u00a0×\u00a01, larger δ); the number of users; people"
    )
    assert "the number of" not in facts(evidence("top-l"))["Not covered"]


def test_the_cost_stands_against_the_budget(evidence):
    assert facts(evidence())["Cost of this release"] == "ε\u00a01 of a budget of 3; δ\u00a00 of 10−6, charge 0002"
    assert facts(evidence("stamped"))["Cost of this release"].endswith("; this audit charged nothing")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("pass", "decide whether this use can bear it"),
        ("fail", "(finding F1; then four more)"),
        ("inconclusive", "Run --depth deep (checks"),
        ("not_run", "Offer NoiseInjectable (checks"),
        ("error", "Ask why it stopped answering"),
        ("stamped", "Declare your own deployment"),
    ],
)
def test_each_outcome_says_what_to_do(evidence, kind, words):
    assert words in facts(evidence(kind))["What to do next"]


def test_long_lists_are_cut_and_the_rest_is_counted(evidence):
    lines = [plain(line) for _, line in view(evidence("fail")).unassessed]
    assert len(lines) == cover.MOST_LINES - 2
    assert lines[-1] == "and five more in section\u00a08"


def test_a_long_reason_is_left_to_its_section(evidence):
    tree = evidence()
    tree["not_assessed"][0]["why"] = "w" * 80
    assert "Memory, swap and logs" in [plain(line) for _, line in view(tree).unassessed]
    assert "Memory, swap and logs: outside" in " ".join(plain(line) for _, line in view(evidence()).unassessed)


def test_findings_stand_first_then_what_matters_most(evidence):
    lines = [plain(line) for _, line in view(evidence()).assessed]
    assert lines[0].startswith("Every file in the release folder")
    assert lines[1].startswith("The formula behind the claimed ε")
    statuses = [status for status, _ in view(evidence("fail")).assessed]
    assert statuses[:5] == ["fail"] * 5


def test_a_waived_finding_takes_the_place_of_the_verdict(evidence):
    assert view(evidence("waived")).stamped
    tree = evidence("waived")
    tree["gate"]["waivers"][0]["state"] = "expired"
    assert not view(tree).stamped
    tree["gate"]["known"] = ["rng"]
    assert view(tree).stamped
