"""Every flag that a draft may carry has a note that says what it means."""

from dpspin_audits.conformance import suite
from dpspin_audits.conformance.draft import NOTES


def test_every_flag_in_use_has_a_note_and_every_note_is_used():
    assert {flag for case in suite.cases() for flag in case.flags} == set(NOTES)
