"""The embedded setting with few records, its exhibits, and judges that are functions."""

import json

import pytest

from dpspin.corpus import embedded
from dpspin_audits.cli.inputs import setting_of
from dpspin_experiments.judging import methods
from dpspin_experiments.judging.answers import DIMENSIONS


@pytest.fixture(scope="session")
def setting():
    return setting_of(None)


@pytest.fixture(scope="session")
def records(setting):
    return list(embedded.corpus(setting.deployment))[:600]


@pytest.fixture(scope="session")
def items(setting, records):
    return list(methods.items(setting, records, b"j", 2))


@pytest.fixture(scope="session")
def graded():
    """Makes an answer in the form, all scores alike or by dimension."""

    def _make(score=4, **others):
        scores = dict.fromkeys(DIMENSIONS, score) | others
        return json.dumps({name: {"score": value, "reason": "because"} for name, value in scores.items()})

    return _make


@pytest.fixture
def shelf():
    """A store in memory: (kept, keep, what is there)."""
    there = {}
    return there.get, there.__setitem__, there
