"""What checks say together: the worst result counts, silence is named, and a declaration is no answer."""

from dpspin_audits.report import case, coverage
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def of(tree, *ids, otherwise="not assessed", figures=False):
    return coverage.of(case.opened(Node(tree)), list(ids), otherwise, figures=figures)


def test_all_answers_make_it_assessed_by_the_worst(evidence):
    found = of(evidence(), "sensitivity", "hygiene")
    assert (found.state, found.status, found.silent) == ("assessed", "pass", ())
    assert plain(found.shown) == "assessed: pass"
    worse = of(evidence("fail"), "accounting.claim", "hygiene", "distribution.bits")
    assert worse.status == "fail"
    assert plain(worse.by) == "accounting.claim, hygiene, distribution.bits"


def test_a_check_without_an_answer_is_named(evidence):
    found = of(evidence(), "sensitivity", "timing", "unheard.of")
    assert found.state == "assessed in part"
    assert plain(found.by) == "sensitivity; no answer: timing, unheard.of"


def test_without_an_answer_the_state_is_what_was_declared_or_nothing(evidence):
    assert of(evidence(), "timing").state == "not assessed"
    assert of(evidence(), "timing", otherwise="declared").state == "declared"
    assert plain(of(evidence(), "timing").shown) == "not_assessed"
    assert of(evidence("fail"), "sensitivity").state == "not assessed"  # it broke off


def test_a_sum_with_a_declared_cost_is_assessed_in_part_at_most(evidence):
    ids = "sensitivity", "hygiene"
    for kind, state in (("pass", "assessed"), ("charged", "assessed in part")):
        opened = case.opened(Node(evidence(kind)))
        found = coverage.with_universe(opened, coverage.of(opened, list(ids), "not assessed"))
        assert (found.state, "(a declaration)" in plain(found.by)) == (state, kind == "charged")


def test_a_declaration_that_agrees_with_itself_is_no_answer(evidence):
    found = of(evidence(), "universe.provenance", otherwise="declared")
    assert (found.state, found.said) == ("declared", ("universe.provenance",))
    assert plain(found.by) == "universe.provenance (a declaration)"
    tree = evidence()
    next(row for row in tree["checks"] if row["id"] == "universe.provenance")["status"] = "fail"
    assert of(tree, "universe.provenance", otherwise="declared").status == "fail"


def test_figures_alone_answer_in_part(evidence):
    found = of(evidence(), figures=True)
    assert (found.state, plain(found.shown), plain(found.by)) == ("assessed in part", "assessed in part", "")
