"""Run the command line in this process, as the console script would."""

import shutil
import sys
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from dpspin.corpus import embedded, representation
from dpspin_audits import depths, engine
from dpspin_audits.checks import distribution, implementation
from dpspin_audits.checks.check import Check
from dpspin_audits.cli import audit, audit_options, main
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


@pytest.fixture
def small_folder(setting, tmp_path):
    """The deployment of twelve atoms as files, for tests where any deployment does; gives the path of its first."""
    place = tmp_path / "small"
    place.mkdir()
    (place / "universe.json").write_bytes(setting.universe_bytes)
    (place / "weights.json").write_bytes(representation.encode(setting.weights))
    path = place / "deployment.yaml"
    path.write_bytes(setting.deployment_bytes)
    return path


@pytest.fixture
def only(monkeypatch):
    """Makes the named checks of an audit alone, the others pass unmade: for tests of what the command does with them.

    `distribution.ideal` stands for both checks of the distribution.  Whole audits are in test_audit.
    """
    guarded, drawn, concluded = engine._Inquiry._guarded, engine._Inquiry.tried, engine._distributions

    def use(*names):
        def some(self, name, strength, step):
            return guarded(self, name, strength, step) if name in names else Check(name, "pass", strength, "Unmade.")

        def both(*_):
            return [Check(name, "pass", "statistical", "Unmade.") for name in (distribution.IDEAL, distribution.BITS)]

        sampled = distribution.IDEAL in names
        monkeypatch.setattr(engine._Inquiry, "_guarded", some)
        monkeypatch.setattr(engine._Inquiry, "tried", drawn if sampled else lambda *_: ([], None))
        monkeypatch.setattr(engine, "_distributions", concluded if sampled else both)
        monkeypatch.setattr(implementation, "first_contact", lambda *_: None)
        monkeypatch.setattr(audit, "timed", lambda *_: {})

    return use
