"""Run the command line in this process, as the console script would."""

import shutil
import sys
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from dpspin.corpus import embedded
from dpspin_audits import depths
from dpspin_audits.cli import audit_options, main
from dpspin_audits.distribution.trials import Effort


class Run(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def state(tmp_path, monkeypatch):
    """An empty state folder for ledgers."""
    folder = tmp_path / "state"
    monkeypatch.setenv("DPSPIN_STATE", str(folder))
    return folder


@pytest.fixture
def dpspin(capfd, monkeypatch, state):
    """Call `dpspin ARGS` and get its exit code and streams."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["dpspin", *map(str, arguments)])
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setattr(main.signal, "signal", lambda *_: None)
        capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main.main()
        return Run(end.value.code or 0, *capfd.readouterr())

    return call


@pytest.fixture
def folder(tmp_path):
    """A folder with the embedded deployment as a user's own."""
    place = tmp_path / "mine"
    place.mkdir()
    for name, data in embedded.files().items():
        (place / name).write_bytes(data)
    yield place
    shutil.rmtree(place)


@pytest.fixture
def brief(monkeypatch):
    """Fewer runs than a smoke audit, and a fixed seed where none is given, so that no false alarm comes by chance."""
    monkeypatch.setattr(audit_options, "secrets", SimpleNamespace(token_bytes=bytes))
    effort = Effort(pilot=512, training=4000, testing=8000, searched=100)
    monkeypatch.setitem(depths.DEPTHS, "smoke", depths.DEPTHS["smoke"]._replace(sampled=effort))
