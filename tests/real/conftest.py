"""Audits of other people's libraries; `make real` installs them and runs these tests, nothing else collects them."""

import os
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore_glob = [] if os.environ.get("DPSPIN_REAL") else ["*"]


def _load(name, path):
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


library = _load("real_library", HERE / "library.py")


def _opened(name):
    @pytest.fixture(scope="session")
    def opened():
        found = library.Library(name)
        yield found
        found.close()

    return opened


opendp, diffprivlib, python_dp, tmlt, accounting = (
    _opened(name) for name in ("opendp", "diffprivlib", "python-dp", "tmlt", "accounting")
)


@pytest.fixture(scope="session")
def scalar():
    return _load("real_scalar", HERE / "scalar.py")


@pytest.fixture(scope="session")
def pipeline():
    return _load("real_pipeline", HERE / "pipeline.py")


@pytest.fixture(scope="session")
def setting_of():
    """The small deployments of the other audits: three of twelve atoms are released."""
    return _small().small


@pytest.fixture(scope="session")
def released_whole():
    """The same where all twelve are released."""
    found = _small()
    found.TEXT = found.TEXT.replace("size: 3", "size: 12")
    return found.small()


def _small():
    return _load("small_deployments", HERE.parent / "audits" / "conftest.py")


FIGURES = pytest.StashKey()


@pytest.fixture
def figure(request):
    """Keep a line for the end of the run: what was measured."""
    kept = request.config.stash.setdefault(FIGURES, [])
    return lambda text: kept.append(f"{request.node.name.removeprefix('test_')}: {text}")


def pytest_terminal_summary(terminalreporter, config):
    """What was measured, a line each."""
    for line in config.stash.get(FIGURES, []):
        terminalreporter.write_line(line)
