"""A subject is found by its address, or the address is named in the error."""

import sys
from fractions import Fraction
from types import ModuleType

import pytest

from dpspin.errors import UsageError
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import Batched, BlackBox, Claim, Reproducible, Staged, resolve


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
    assert resolve("py:stranger:with_setting", setting, ReferenceSubject).setting is setting
    assert resolve("ref", setting, ReferenceSubject).setting is setting


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("spec", "problem"),
    [("ftp:x:y", "not the address"), ("py:stranger", "not the address"), ("py:no_such_module:x", "cannot be imported"),
     ("py:stranger:nothing", "has no nothing"), ("py:stranger:number", "is not a subject"),
     ("py:stranger:Claimless", "is not a subject"), ("py:stranger:broken", r"made no subject \(RuntimeError: no\)")],
)  # fmt: skip
def test_a_wrong_address_is_the_callers_mistake(setting, spec, problem):
    with pytest.raises(UsageError, match=problem) as caught:
        resolve(spec, setting, ReferenceSubject)
    assert caught.value.exit_code == 2
    assert spec in str(caught.value)


def test_the_protocols_tell_what_a_subject_offers(reference):
    assert all(isinstance(reference, kind) for kind in (BlackBox, Batched, Reproducible, Staged))
    assert [isinstance(Minimal(), kind) for kind in (BlackBox, Batched, Reproducible, Staged)] == [True] + [False] * 3
