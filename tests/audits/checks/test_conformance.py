"""Vectors inside an audit: the reference passes, one wrong step is named, silence is no pass."""

from dpspin_audits.checks import conformance
from dpspin_audits.conformance import steps


class Subject:
    def __init__(self, rule):
        self.vector = rule


def missing(function, given):
    raise NotImplementedError("no such step")


def test_the_reference_conforms(reference):
    check = conformance.check(reference)
    assert (check.status, check.strength, check.figures["failed"]) == ("pass", "exact", 0)
    assert check.figures["passed"] == check.figures["vectors"] >= 1200


def test_rounding_half_up_is_named():
    def wrong(function, given):
        if function == "rounded":
            twice = 2 * int(given["denominator"])
            return (2 * int(given["numerator"]) * given["scale"] + int(given["denominator"])) // twice
        return steps.answer(function, given)

    check = conformance.check(Subject(wrong))
    assert check.status == "fail"
    assert all(name.startswith("rounded/") for name in check.figures["first"])
    assert "rounded/" in check.reason


def test_skipped_steps_are_counted_and_named():
    def some(function, given):
        return steps.answer(function, given) if function == "clip" else missing(function, given)

    check = conformance.check(Subject(some))
    assert check.status == "pass"
    assert "add" in check.figures["steps_skipped"]
    assert "were skipped" in check.summary


def test_a_subject_without_vectors_or_steps_is_not_assessed():
    assert conformance.check(object()).status == "not_run"
    assert conformance.check(Subject(missing)).status == "not_run"
