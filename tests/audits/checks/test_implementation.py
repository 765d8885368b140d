"""The first contact bounds what a subject can do; where it fails, everything about the subject is an error."""

import pytest

from dpspin.errors import SubjectError
from dpspin_audits import engine
from dpspin_audits.checks import implementation, independence
from dpspin_audits.checks.check import Check
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.outcomes import Conduct


class Bare:
    """Nothing but a black box."""

    def __init__(self, reference):
        self.claim, self._inner = reference.claim, reference

    def fresh(self):
        return self

    def release(self, records):
        return self._inner.release(records)


def steps(subject, maker, watch=None, contact=None):
    asked = implementation.Asked(subject, maker, b"seed", 1e-6, contact, None, watch)
    return asked.steps(lambda: [{}, {"plan.json": b"the plan"}])


def test_the_first_contact_releases_histories_elsewhere(maker):
    asked = []
    assert implementation.first_contact(None, maker) is None
    answer = Conduct(())
    assert implementation.first_contact(lambda corpora: asked.append(corpora) or answer, maker) is answer
    assert asked == [independence.histories(maker)]


def test_a_gap_of_the_system_is_a_check_of_its_own_that_was_not_run(reference, maker):
    assert "conduct.processes" not in steps(reference, maker, contact=Conduct(()))
    _, step = steps(reference, maker, contact=Conduct((), unseen="needs /proc"))["conduct.processes"]
    assert (step().status, step().reason) == ("not_run", "needs /proc")


def test_a_subject_that_cannot_be_had_elsewhere_gave_no_answer(maker):
    def elsewhere(_):
        raise SubjectError("the subject", "cannot be had in a new process")

    assert implementation.first_contact(elsewhere, maker).ended == "cannot be had in a new process"


def test_who_gave_no_answer_releases_nothing(reference):
    gone = implementation.Gone(reference.claim, "theirs", "no answer within 60 seconds")
    assert (gone.fresh(), gone.name) == (gone, "theirs")
    with pytest.raises(SubjectError, match="no answer within 60 seconds"):
        gone.release([])


def test_without_an_answer_at_the_first_contact_nothing_of_the_subject_is_tried(setting):
    class Never(ReferenceSubject):
        def release(self, records):
            raise AssertionError("released")

        sample = sketch = contribution = release

    asked = engine.Audit(setting, Never(setting), "py:theirs", "dpspin audit", b"seed")
    tree = engine.audit(asked, elsewhere=lambda _: Conduct((), "no answer within 60 seconds"))
    found = {check["id"]: check for check in tree["checks"]}
    assert (tree["verdict"], tree["subject"]["name"]) == ("error", "dpspin")
    for name in ("rng", "canary", "support", "independence", "conduct", "hygiene", "contract"):
        assert found[name]["status"] == "error", name
    assert found["distribution.ideal"]["status"] == "error"
    for name in ("rng", "conduct"):
        assert "no answer within 60 seconds" in found[name]["reason"]


def test_the_tripwire_watches_the_named_writer_with_the_last_plan(setting, maker):
    seen = []
    verdict = Check("tripwire", "pass", "exact_on_hit", "Fine.")
    step = steps(ReferenceSubject(setting), maker, lambda *asked: seen.append(asked) or verdict)["tripwire"]
    assert step[1]() is verdict
    assert seen == [("dpspin.decoder.template:decoder", b"the plan")]


def test_what_a_subject_does_not_offer_is_not_run_and_says_what_is_needed(reference, maker):
    made = {name: step() for name, (_, step) in steps(Bare(reference), maker).items()}
    missing = {name: check.reason for name, check in made.items() if check.status == "not_run"}
    assert set(missing) == {"budget", "conduct", "tripwire", "timing", "sampling"}
    assert all(reason.startswith("needs ") for name, reason in missing.items() if name != "timing")
    assert {check.status for name, check in made.items() if name not in missing} == {"pass"}


def test_the_reference_passes_what_needs_no_process(setting, maker):
    made = {name: step() for name, (_, step) in steps(ReferenceSubject(setting), maker).items()}
    assert {name for name, check in made.items() if check.status == "pass"} == {
        "support", "sampling", "independence", "errors", "budget",
    }  # fmt: skip
    assert all(check.id == name for name, check in made.items())
