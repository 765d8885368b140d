"""Right answers pass, each kind of wrong answer is named, and a step that is missing is no failure."""

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.conformance import run, steps, suite
from dpspin_audits.conformance.run import Refused, Skips, answers_of

CLIP = suite.cases("^clip/")


class Subject:
    """Answers by a rule of the test."""

    def __init__(self, rule):
        self.rule = rule

    def vector(self, function, given):
        return self.rule(function, given)


def statuses(rule, cases=CLIP):
    return {outcome.status for outcome in run.run(cases, answers_of(Subject(rule)))}


def test_the_reference_passes():
    assert statuses(steps.answer) == {"pass"}


def test_a_clip_per_half_is_found():
    def wrong(function, given):
        right = steps.answer(function, given)
        return [value + 1 for value in right] if sum(right) == given["bound"] else right

    assert statuses(wrong) == {"pass", "fail"}


def run_out(*_):
    raise SubjectError("the subject", "ended without an answer")


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        (lambda function, given: [float(x) for x in steps.answer(function, given)] + [0.5], "fail"),
        (lambda function, given: {1, 2}, "fail"),
        (lambda function, given: None, "fail"),
        (lambda function, given: 1 / 0, "fail"),
        (run_out, "error"),
    ],
)
def test_other_answers_are_no_pass(rule, status):
    assert statuses(rule) == {status}


def test_a_missing_step_is_skipped():
    def missing(function, given):
        raise NotImplementedError("no clipping here")

    assert statuses(missing) == {"skipped"}


def test_accepting_what_must_be_refused_is_a_failure():
    refused = suite.cases("^Refused$")
    assert statuses(lambda function, given: 0, refused) == {"fail"}


def test_a_refusal_passes_where_it_is_due_and_only_there():
    case = CLIP[0]
    assert run.judged(case, Refused("no")).status == "fail"
    assert run.judged(case._replace(result="invalid"), Refused("no")).status == "pass"
    assert run.judged(case._replace(result="acceptable"), Refused("no")).status == "pass"
    assert run.judged(case, Skips("later")).status == "skipped"


@pytest.mark.parametrize(
    ("found", "wanted", "equal"),
    [(1, 1, True), ("1", 1, True), (True, 1, False), (1, True, False), ([1, "2"], [1, 2], True), ([1], [1, 2], False),
     ({"a": 1}, {"a": 1}, True), ({"a": 1, "b": 2}, {"a": 1}, False), (None, None, True), (0, None, False),
     ("None", None, False), ([1], {"0": 1}, False), (False, False, True), ("1.0", 1, False)],
)  # fmt: skip
def test_equality_is_that_of_canonical_json(found, wanted, equal):
    assert run.same(found, wanted) is equal
