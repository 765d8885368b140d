"""What all tests share: one reproducible way of generating examples, and where real data may lie."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data, which are never part of the repository ($DPSPIN_DATA)."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("DPSPIN_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set DPSPIN_DATA")
    return folder
