"""What all tests share: one reproducible way of generating examples, what is made once, and where real data may lie."""

import os
import shutil
from fcntl import LOCK_EX, flock
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


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Makes a folder once for all processes of a run: whoever asks first makes it, and the others wait for it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own

    def folder(name, make):
        """The folder, complete.

        Args:
            name: of what is made.
            make: fills the new folder that it is given; the folder is moved when it is complete.
        """
        made, begun = shared / f"once-{name}", shared / f"begun-{name}"
        with (shared / f"once-{name}.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not made.is_dir():
                shutil.rmtree(begun, ignore_errors=True)  # of a process that failed
                begun.mkdir()
                make(begun)
                begun.rename(made)
        return made

    return folder
