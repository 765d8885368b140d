"""Releases from new processes differ, and one that dies is the subject's."""

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.bundle import released_masses
from dpspin_audits.processes import Elsewhere, released


def test_two_new_processes_release_different_plans(setting, maker):
    first, second = Elsewhere("ref", setting)(maker.settled()[:10])
    assert set(first) == set(second)
    assert released_masses(first) != released_masses(second)


def test_what_goes_wrong_elsewhere_is_the_subjects(setting):
    with pytest.raises(SubjectError, match="a new process ended with UsageError"):
        Elsewhere("py:no_such_module:x", setting)([])


def test_a_release_there_is_the_subjects_release(setting, maker):
    assert "metrics.json" in released("py:dpspin_audits.zoo.beside_plan:subject", setting, maker.settled()[:3])
