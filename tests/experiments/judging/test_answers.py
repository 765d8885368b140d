"""Answers are read strictly, and nothing that is almost in the form is mended."""

import json

import jsonschema
import pytest
import strict_schema

from dpspin_experiments.judging.answers import DIMENSIONS, LONGEST, Malformed, Preference, Scores, form, grades, read


def test_an_answer_in_the_form_is_read(graded):
    found = read(graded(3, clarity=5), Scores)
    assert grades(found) == dict.fromkeys(DIMENSIONS, 3.0) | {"clarity": 5.0}
    assert read('{"preferred": "same", "reason": ""}', Preference).preferred == "same"


def changed(**members):
    whole = {name: {"score": 4, "reason": "r"} for name in DIMENSIONS} | members
    return json.dumps({name: value for name, value in whole.items() if value is not None})


MALFORMED = {
    "```json\n" + changed() + "\n```": "not JSON",
    changed() + " I hope this helps.": "not JSON",
    "5": "not in the form",
    "": "not JSON",
    "[" * 5000: "not JSON",
    "a" * (LONGEST + 1): "too long",
    "\ud800": "not JSON",
    changed(clarity={"score": 6, "reason": "r"}): "not in the form",
    changed(clarity={"score": 0, "reason": "r"}): "not in the form",
    changed(clarity={"score": "4", "reason": "r"}): "not in the form",
    changed(clarity={"score": 4.0, "reason": "r"}): "not in the form",
    changed(clarity={"score": 4.5, "reason": "r"}): "not in the form",
    changed(clarity={"score": True, "reason": "r"}): "not in the form",
    changed(clarity=4): "not in the form",
    changed(clarity=None): "not in the form",
    changed(clarity={"score": 4}): "not in the form",
    changed(clarity={"score": 4, "reason": "r" * 1001}): "not in the form",
    changed(privacy={"score": 5, "reason": "r"}): "not in the form",
    changed()[:-1] + ',"clarity":{"score":5,"reason":"r"}}': "not JSON",
}


@pytest.mark.parametrize("answer", MALFORMED, ids=lambda text: f"{text[:30]}…{len(text)}")
def test_what_is_not_in_the_form_is_malformed(answer):
    found = read(answer, Scores)
    assert isinstance(found, Malformed)
    assert found.kind == MALFORMED[answer]
    assert found.detail.isprintable()


@pytest.mark.parametrize("answer", ['{"preferred": "First", "reason": ""}', '{"preferred": "first"}', '"first"'])
def test_a_preference_is_one_of_three_words(answer):
    assert read(answer, Preference).kind == "not in the form"


def test_the_schema_of_an_answer_is_one_that_strict_modes_take(graded):
    assert strict_schema.faults(Scores.model_json_schema()), "nothing is found, so nothing is tested"
    assert (strict_schema.faults(form(Scores)), strict_schema.faults(form(Preference))) == ([], [])
    jsonschema.validate(json.loads(graded(5)), form(Scores))
    jsonschema.validate({"preferred": "same", "reason": ""}, form(Preference))
    for wrong in (graded(6), graded(0), graded(4.5), graded("4"), changed(clarity=None), '{"preferred": "third"}'):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(wrong), form(Scores))
