from dpspin_audits.report import case, checks
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def test_required_checks_and_others_stand_apart(evidence):
    table = checks.table(opened(evidence("fail")))
    assert [len(body.rows) for body in table.bodies] == [9, 5]
    assert table.bodies[1].title == "Others; a finding counts, a missing answer does not"
    assert plain(table.caption) == "The nine required checks, problems first; then five others."
    assert [row.hit for row in table.bodies[0].rows] == [True] * 4 + [False] * 5


def test_a_check_that_did_not_run_shows_its_reason_and_no_strength(evidence):
    rows = {plain(row.cells[1]): row for body in checks.table(opened(evidence("fail"))).bodies for row in body.rows}
    assert plain(rows["rng"].cells[3]) == "not assessed"
    assert plain(rows["rng"].cells[2]).startswith("Needs NoiseInjectable")
    assert plain(rows["sensitivity"].cells[2]).startswith("No answer within 60 s")


def test_a_finding_says_what_why_where_and_what_to_do(evidence):
    hygiene = checks.view(opened(evidence("fail"))).findings[1]
    rows = {plain(term): plain(words) for term, words in hygiene.rows}
    assert (hygiene.id, hygiene.number) == ("f2", "F2")
    assert plain(hygiene.title) == "Two files in the release folder have no covering charge"
    assert list(rows) == ["Check", "Seen", "Why it matters", "Where", "What to do", "Reproduce"]
    assert rows["Where"] == "release/run_info.json:4"
    assert rows["Reproduce"].endswith("--only hygiene")


def test_another_law_than_the_stated_one_is_a_finding_of_its_own_kind(evidence):
    tree = evidence("top-l")
    (finding,) = checks.view(opened(tree)).findings
    rows = {plain(term): plain(words) for term, words in finding.rows}
    assert plain(finding.title) == "The released masses do not follow the stated law"
    assert rows["Why it matters"].startswith("The accounted loss was computed for the stated law")
    assert plain(checks.table(opened(tree)).bodies[0].rows[0].cells[2]) == f"{plain(finding.title)}."
    tree["checks"][0]["reason"] = "epsilon is at least 2.5, but at most 2 is claimed"
    (finding,) = checks.view(opened(tree)).findings
    assert plain(finding.title) == "The claim is not contradicted"


def test_no_findings_give_no_blocks(evidence):
    shown = checks.view(opened(evidence()))
    assert shown.findings == ()
    assert shown.unanswered == ()


def test_checks_without_an_answer_carry_reason_and_remedy(evidence):
    lines = [plain(line) for line in checks.view(opened(evidence("fail"))).unanswered]
    assert lines == [
        "error Influence of one unit on the sums. No answer within 60 s, pair 31 of 2,000.",
        "inconclusive Low-order bits of the noise. Too few runs. Run --depth deep.",
        "not_run Random generator. Needs NoiseInjectable; this subject does not offer it.",
    ]


def test_strengths_are_counted(evidence):
    found = {name: ended for name, _, ended in checks.strengths(opened(evidence()))}
    assert found == {
        "proved": "no check", "exact": "3 passed", "exact on hit": "1 not run, 4 passed", "statistical": "2 passed",
        "declared": "no check",
    }  # fmt: skip


def test_waivers_and_known_findings_are_shown_and_change_no_verdict(evidence):
    tree = evidence("fail")
    assert checks.view(case.opened(Node(tree))).accepted == ()
    row = {"check": "hygiene", "reason": "read by nobody", "approver": "A. R.", "expires": "2026-12-31"}
    waivers = [row | {"state": "in force"}, row | {"check": "rng", "state": "expired"}]
    tree["gate"] = {"verdict": "fail", "waivers": waivers, "known": ["canary"]}
    said = [plain(line) for line in checks.view(case.opened(Node(tree))).accepted]
    assert said == [
        "Waiver of hygiene, in force: Read by nobody. Approved by A. R., until 2026-12-31.",
        "Waiver of rng, expired: Read by nobody. Approved by A. R., until 2026-12-31.",
        "Known finding of the baseline: canary.",
        "With these set aside, the gate failed. The verdict of the audit stands as above.",
    ]
    assert case.opened(Node(tree)).root.text("verdict") == "fail"


def test_each_section_has_the_checks_that_are_about_it(evidence):
    found = checks.bearing(opened(evidence("fail")))
    assert plain(found["ledger"][0][0]) == "Every file in the release folder"
    words = {plain(title): plain(said) for title, said in found["claim"]}
    assert words == {
        "Influence of one unit on the sums": "error (exact on hit): No answer within 60 s, pair 31 of 2,000."
    }
    assert sum(map(len, found.values())) == len(evidence("fail")["checks"])
