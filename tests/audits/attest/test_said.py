"""What three statements say together: missing fields and contradictions are refused."""

import copy
from fractions import Fraction

import pytest

from dpspin.errors import IntegrityError
from dpspin_audits.attest import said, statement


@pytest.fixture
def three(read, tree):
    found = read(tree)
    return [copy.deepcopy(one) for one in (found.guarantee, found.test_result, found.summary)]


def test_what_is_signed_is_read(three, tree):
    found = said.read(*three, "file")
    assert found.guarantee.protects.unit == "record"
    assert found.guarantee.loss.epsilon.exact == 1
    assert [check.id for check in found.tests.details.checks] == [row["id"] for row in tree["checks"]]
    assert [gap.id for gap in found.guarantee.not_assessed] == [row["id"] for row in tree["not_assessed"]]


def _change(three, at, way, value):
    *steps, last = way
    place = three[at].predicate
    for step in steps:
        place = place[step]
    place[last] = value


@pytest.mark.parametrize(
    ("at", "way", "value", "field"),
    [
        (0, ["loss", "epsilon", "exact"], "1/2", r"loss\.epsilon"),
        (0, ["loss", "delta", "given"], "1e-6", r"loss\.delta"),
        (0, ["protects", "unit"], "person", r"guarantee\.protects\.unit"),
        (0, ["notAssessed"], None, r"guarantee\.notAssessed"),
        (1, ["result"], "FAILED", "result"),
        (1, [statement.EXTENSION, "checks"], [{}], r"checks\.0\.id"),
        (2, ["verificationResult"], "FAILED", "result"),
        (0, ["stamp"], "NON-PRIVATE", "stamp"),
        (1, [statement.EXTENSION, "stamp"], "NON-PRIVATE", "stamp"),
        (1, [statement.EXTENSION, "notAssessed"], [], "notAssessed"),
        (2, [statement.EXTENSION, "notAssessed"], [], "notAssessed"),
        (2, [statement.EXTENSION, "known"], ["support"], "known"),
        (2, [statement.EXTENSION], None, "stamp"),
    ],
)
def test_a_contradiction_is_named(three, at, way, value, field):
    _change(three, at, way, value)
    with pytest.raises(IntegrityError, match=f"^file: .*{field}"):
        said.read(*three, "file")


def _all(three, name, value):
    for at, way in ((0, []), (1, [statement.EXTENSION]), (2, [statement.EXTENSION])):
        _change(three, at, [*way, name], value)


def test_a_charged_universe_is_read_with_its_parts_and_the_sum(read, charged):
    loss = read(charged).said.guarantee.loss
    assert (loss.epsilon.exact, loss.delta.exact) == (Fraction(3, 2), Fraction(1, 10**7))
    assert (loss.parts.release.epsilon.exact, loss.parts.universe.epsilon.given.text) == (1, "0.50")


def number(value):
    return {"given": value, "exact": value}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"loss": {"epsilon": number("1"), "delta": number("0")}}, r"loss\.parts: expected parts where"),
        ({"loss.epsilon": number("1")}, r"loss\.epsilon: expected the sum of its parts, found 1"),
        ({"loss.delta": number("0")}, r"loss\.delta: expected the sum of its parts, found 0"),
        ({"loss.epsilon": number("1"), "loss.parts.universe.epsilon": number("0")}, r"loss\.parts\.universe\.epsilon"),
        ({"loss.parts.universe.delta": number("0"), "loss.delta": number("0")}, r"loss\.parts\.universe\.delta"),
        ({"loss.parts.release.epsilon": {"given": "1", "exact": "1/2"}}, r"loss\.parts\.release\.epsilon"),
    ],
)
def test_a_loss_without_the_universe_is_refused_whoever_signed_it(read, charged, changes, field):
    found = read(charged)
    three = [copy.deepcopy(one) for one in (found.guarantee, found.test_result, found.summary)]
    assert said.read(*three, "file").guarantee.loss.parts
    for path, value in changes.items():
        _change(three, 0, path.split("."), value)
    with pytest.raises(IntegrityError, match=f"^file: {field}"):
        said.read(*three, "file")


def test_parts_of_a_universe_that_nobody_charged_are_refused(three):
    share = {"epsilon": number("1"), "delta": number("0")}
    _change(three, 0, ["loss", "parts"], {"release": share, "universe": share})
    with pytest.raises(IntegrityError, match=r"^file: loss\.parts"):
        said.read(*three, "file")


WAIVER = {"check": "rng", "reason": "r", "approver": "a", "expires": "2027-01-01", "state": "in force"}


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (lambda three: _all(three, "stamp", "NON-PRIVATE"), "a stamp"),
        (lambda three: _all(three, "waivers", [WAIVER]), "a waiver in force"),
        (
            lambda three: three[1].predicate[statement.EXTENSION]["checks"][0].update(status="fail"),
            "distribution.ideal",
        ),
        (lambda three: three[1].predicate[statement.EXTENSION]["checks"][0].update(status="not_run"), "distribution"),
    ],
)
def test_a_pass_beside_what_denies_it_is_refused_whoever_signed_it(three, edit, what):
    edit(three)
    with pytest.raises(IntegrityError, match=f"^file: result: expected no PASSED beside {what}"):
        said.read(*three, "file")
