"""The typed parts of evidence: numbers keep their spelling, unknown fields do not matter, wrong kinds are named."""

import copy

import pytest

from dpspin.errors import UsageError


def test_numbers_keep_their_spelling(opened, users):
    found = opened(users)
    assert found.accounting.claimed.delta.text == "1e-5"
    assert found.claim.delta.text == "0.00001"
    assert found.claim.delta == found.accounting.claimed.delta


def test_a_field_that_no_statement_rests_on_is_left_alone(opened, tree):
    later = copy.deepcopy(tree)
    later["further"] = later["claim"]["further"] = {"a": 1}
    assert opened(later) == opened(tree)


def test_a_check_is_found_by_its_id(opened, tree):
    found = opened(tree)
    assert found.check("sensitivity").id == "sensitivity"
    assert found.check("sensitivities") is None


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("claim.unit", "person", 'claim.unit: cannot use "person"'),
        ("claim.epsilon", "-1", "claim.epsilon: cannot use"),
        ("claim.epsilon", 1, "claim.epsilon: cannot use 1"),
        ("claim.epsilon", "inf", "claim.epsilon: cannot use"),
        ("deployment.sha256", "AB", "deployment.sha256: cannot use"),
        ("checks", {}, "checks: cannot use"),
        ("verdict", "passed", 'verdict: cannot use "passed"'),
        ("gate", {"verdict": "pass"}, "gate.waivers: missing"),
    ],
)
def test_a_field_of_another_kind_is_named(opened, tree, path, value, said):
    other = copy.deepcopy(tree)
    *way, last = path.split(".")
    place = other
    for step in way:
        place = place[step]
    place[last] = value
    with pytest.raises(UsageError, match=said.replace(".", r"\.")):
        opened(other)


def test_a_waiver_expires_on_a_day_of_the_calendar(opened, tree, change):
    waiver = {"check": "support", "reason": "r", "approver": "a", "expires": "2027-02-30", "state": "in force"}
    other = change(tree, "support", status="fail") | {"gate": {"verdict": "pass", "waivers": [waiver], "known": []}}
    with pytest.raises(UsageError, match=r"gate\.waivers\.0\.expires"):
        opened(other)
