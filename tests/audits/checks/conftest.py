"""What all tests of checks share."""

import pytest

from dpspin import pipeline
from dpspin_audits.checks import frozen


@pytest.fixture(autouse=True)
def cheaper(published, monkeypatch):
    """Texts are written once for each plan, and a crowd is small: `fixed_size` of the zoo meets a real one."""
    monkeypatch.setattr(pipeline, "publish", published)
    monkeypatch.setattr(frozen, "DISPLACEMENT_BASE", 60)
