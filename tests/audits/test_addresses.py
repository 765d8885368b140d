"""A subject is found by its address, or the address is named in the error; a command is ended."""

import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from dpspin.errors import SubjectError, UsageError
from dpspin_audits import addresses
from dpspin_audits.addresses import resolve
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import Claim

FAULTY = Path(__file__).parent / "protocol" / "faulty.py"


class Minimal:
    def __init__(self):
        self.claim = Claim("record", "add_drop", Fraction(1), Fraction(1), Fraction(0))

    def fresh(self):
        return Minimal()

    def release(self, records):
        return {}


class Claimless(Minimal):
    def __init__(self):
        self.claim = "epsilon 1"


def with_setting(setting):
    return ReferenceSubject(setting)


def optional(setting=None):
    return Minimal()


def broken():
    raise RuntimeError("no")


@pytest.fixture
def module(monkeypatch):
    made = ModuleType("stranger")
    made.__dict__.update(globals(), instance=Minimal(), number=3)
    monkeypatch.setitem(sys.modules, "stranger", made)


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize("attribute", ["instance", "Minimal", "optional"])
def test_an_instance_and_factories_without_arguments_are_subjects(setting, attribute):
    assert isinstance(resolve(f"py:stranger:{attribute}", setting, ReferenceSubject), Minimal)


@pytest.mark.usefixtures("module")
def test_a_factory_that_takes_an_argument_is_given_the_setting(setting):
    assert resolve("py:stranger:with_setting", setting, ReferenceSubject).setting.deployment is setting.deployment
    assert resolve("ref", setting, ReferenceSubject).setting.deployment is setting.deployment


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("spec", "problem"),
    [("ftp:x:y", "not the address"), ("py:stranger", "not the address"), ("cmd:", "names no command"),
     ("cmd:'x", "close every quote"), ("cmd:/nowhere/at/all", "cannot be started"),
     ("py:no_such_module:x", "cannot be imported"),
     ("py:stranger:nothing", "has no nothing"), ("py:stranger:number", "is not a subject"),
     ("py:stranger:Claimless", "is not a subject"), ("py:stranger:broken", r"made no subject \(RuntimeError: no\)")],
)  # fmt: skip
def test_a_wrong_address_is_the_callers_mistake(setting, spec, problem):
    with pytest.raises(UsageError, match=problem) as caught:
        resolve(spec, setting, ReferenceSubject)
    assert caught.value.exit_code == 2
    assert spec in str(caught.value)


def command(fault="none"):
    return f"cmd:{sys.executable} '{FAULTY}' '{fault}'"


def test_a_command_is_started_and_ended_with_its_context(setting):
    with addresses.closing(resolve(command(), setting, ReferenceSubject)) as subject:
        assert subject.name == "faulty"
        folder = subject._session.child.folder
        assert folder.exists()
    assert not folder.exists()
    assert subject._session.child.closed


def test_a_command_is_ended_when_something_else_breaks_off(setting):
    subject = resolve(command(), setting, ReferenceSubject)
    with pytest.raises(KeyError), addresses.closing(subject):
        raise KeyError
    assert subject._session.child.closed


def test_words_that_name_a_file_here_are_found_from_the_commands_own_folder(monkeypatch):
    monkeypatch.chdir(FAULTY.parent)
    here = str(FAULTY)
    assert addresses.command("cmd:", "python3 -u faulty.py 'two words' none") == [
        "python3",
        "-u",
        here,
        "two words",
        "none",
    ]
    assert addresses.command("cmd:", "./faulty.py")[0] == str(FAULTY.parent / "faulty.py")
    assert addresses.command("cmd:", "faulty.py") == ["faulty.py"], "a bare first word is looked for on the PATH"


def test_the_time_for_an_answer_can_be_bounded(setting):
    with pytest.raises(SubjectError, match=r"within 0\.5 s"):
        resolve(command("slow start"), setting, ReferenceSubject, 0.5)


def test_what_nobody_started_need_not_be_ended():
    addresses.close(Minimal())
