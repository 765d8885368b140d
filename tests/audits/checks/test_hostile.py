"""Unusual records are of one unit each, and the reference gives every one a plan."""

import pytest

from dpspin_audits.checks import hostile
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.outcomes import released


@pytest.mark.parametrize("terms", [{}, {"unit": "user"}, {"unit": "user", "missing": "own_unit"}])
def test_the_reference_gives_a_plan_for_each(maker_of, terms):
    maker = maker_of(**terms)
    few = maker.settled()[:2]
    for name, record in hostile.records(maker, few[0]).items():
        outcome = released(ReferenceSubject(maker.setting), [*few, record])
        assert outcome.error == "", (name, outcome)
        assert outcome.printed == b"", name


def test_the_token_stands_wherever_there_is_room_for_it(maker):
    made = hostile.records(maker, {"key": "other", "body": ""}, "qtoken")
    assert [name for name, record in made.items() if "qtoken" not in str(record)] == ["no field"]
    assert {"body", "key"} == set().union(*(record.keys() for record in made.values())) - {"unknown"}


def test_one_record_has_the_id_of_another(maker):
    made = hostile.records(maker, {"key": "other", "body": ""})
    assert made["the id of another record"]["key"] == "other"


def test_at_user_level_ids_of_users_are_unusual_too(maker_of):
    made = hostile.records(maker_of(unit="user"), {"key": "other", "body": "", "who": "x"})
    assert made["half a character in an id of a user"]["who"] == "\udfff"
    assert "who" not in made["without who"]
