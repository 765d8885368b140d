"""Whatever leaves a release is seen: files, exceptions, prints."""

import os
import subprocess
import sys
from threading import Event

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.running import outcomes
from dpspin_audits.running.outcomes import Outcome


def raising(error):
    def work():
        raise error

    return work


def test_a_bundle_is_an_outcome_without_error():
    found = outcomes.observe(lambda: {"plan.json": b"{}"})
    assert (found.bundle, found.error, found.files) == ({"plan.json": b"{}"}, "", {"plan.json": b"{}"})


@pytest.mark.parametrize(
    ("error", "name", "text"),
    [(ValueError("n = 7"), "ValueError", "n = 7"), (SystemExit(3), "SystemExit 3", "3"),
     (SystemExit, "SystemExit None", "")],
)  # fmt: skip
def test_what_is_raised_is_an_outcome_and_ends_no_audit(error, name, text):
    found = outcomes.observe(raising(error))
    assert (found.bundle, found.error, found.message) == (None, name, text)


def test_messages_of_earlier_exceptions_are_part_of_the_outcome():
    def work():
        try:
            raising(KeyError("the cause"))()
        except KeyError as error:
            raise RuntimeError("the effect") from error

    assert outcomes.observe(work).message == "the effect\n'the cause'"


def test_a_release_that_hangs_is_the_subjects_error(monkeypatch, reference):
    class Waits:
        claim = reference.claim

        def fresh(self):
            return self

        def release(self, records):
            Event().wait(5)
            return {}

    monkeypatch.setattr(outcomes, "SECONDS", 0.05)
    for attempt in (outcomes.release, outcomes.released):
        with pytest.raises(SubjectError, match=r"no answer within 0\.05 seconds"):
            attempt(Waits(), [])


def test_an_interruption_by_the_user_passes_through():
    with pytest.raises(KeyboardInterrupt):
        outcomes.observe(raising(KeyboardInterrupt))


@pytest.mark.parametrize(
    "say",
    [lambda: print("said"), lambda: print("said", file=sys.stderr), lambda: os.write(1, b"said\n"),
     lambda: os.write(2, b"said\n"), lambda: subprocess.run(["echo", "said"], check=True)],
    ids=["print", "stderr", "descriptor 1", "descriptor 2", "child"],
)  # fmt: skip
def test_prints_are_taken_and_never_shown(say, capfd):
    def work():
        say()
        return {}

    found = outcomes.observe(work)
    assert (found.printed, found.files) == (b"said\n", {outcomes.PRINTED: b"said\n"})
    assert capfd.readouterr() == ("", "")


def test_streams_are_as_they_were_afterwards(capfd):
    outcomes.observe(raising(ValueError("x")))
    print("after")
    os.write(2, b"too")
    assert capfd.readouterr() == ("after\n", "too")


def test_text_that_utf8_does_not_know_is_kept():
    found = outcomes.observe(lambda: print("\udc80") or {})
    assert found.printed == b"\\udc80\n"
    assert Outcome(None, "ValueError", "\udc80").files == {outcomes.RAISED: b"\\udc80"}


@pytest.mark.parametrize("bundle", [None, 3, {"plan.json": "text"}, {1: b""}, ["plan.json"]])
def test_what_is_no_bundle_breaks_the_protocol(bundle, reference):
    class Odd:
        claim = reference.claim

        def fresh(self):
            return self

        def release(self, records):
            return bundle

    with pytest.raises(SubjectError):
        outcomes.release(Odd(), [])
    assert outcomes.released(Odd(), []).bundle is None


def test_a_release_that_asks_the_process_to_end_broke_off(reference):
    class Ends:
        claim = reference.claim

        def fresh(self):
            return self

        def release(self, records):
            sys.exit(0)

    with pytest.raises(SubjectError, match="release raised SystemExit"):
        outcomes.release(Ends(), [])
