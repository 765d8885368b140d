import sys
from pathlib import Path

import pytest

from dpspin_audits.protocol import subject
from dpspin_audits.protocol.child import Limits

SCRIPT = str(Path(__file__).with_name("faulty.py"))


@pytest.fixture
def connect(setting):
    made = []

    def start(fault="none", **limits):
        bounds = Limits(**{"seconds": 20, "starting": 20, "farewell": 0.2, "flood": 1 << 22} | limits)
        made.append(subject.connect([sys.executable, SCRIPT, fault], setting, bounds))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def records():
    return [{"id": "1", "text": "a"}, {"id": "2", "text": "a"}, {"id": "3", "text": "\ud800"}]
