"""A stranger's attempts: every leaf is accounted for, and every planted fault is named."""

import json

import pytest

from dpspin_audits.verify import foreign_attempts

CONFIG = {"prompt_template": "Write a summary. Say nothing of loans."}
TREE = {
    "plan_id": "p1",
    "universe": [
        {"index": at, "label": label} for at, label in enumerate(["Late fee", "Fee", "Loans", "Théft", "Rent"])
    ],
    "released": [{"index": 0, "label": "Late fee", "noisy_mass": "12.5"}],
}
PROMPT = "Write a summary. Late fee: 12.5"


def found(*attempts, raw=None):
    """(rule, path and words) of each finding."""
    data = json.dumps(attempts).encode() if raw is None else raw
    part = foreign_attempts.part({foreign_attempts.NAME: data}, TREE, CONFIG)
    assert bool(part.findings) == any(cover == "nothing" for _, _, cover in part.objects)
    return [(one.rule, one.found) for one in part.findings]


def test_what_follows_from_plan_settings_and_drafts_is_no_finding():
    said = {"span": [0, 12], "step": 8, "feedback": "Rent is not released; 17.25 is no mass"}
    first = {"attempt": 1, "prompt": PROMPT, "text": "Rent is up by 17.25.", "accepted": False, "plan_id": "p1",
             "errors": [said]}  # fmt: skip
    second = {"attempt": 2, "prompt": PROMPT + "\nrent is not released; 17.25 is no mass", "text": "Late fee."}
    assert found(first, second) == []


def test_without_attempts_there_is_nothing_to_account_for():
    assert foreign_attempts.part({}, TREE, CONFIG) == ([], [])


@pytest.mark.parametrize(("more", "label"), [
    ("\nfee", "fee"), ("\nRent, late fee", "rent"), ("\nFEE rent", "fee"), ("\n" + json.dumps("Théft"), "théft"),
])  # fmt: skip
def test_a_label_that_was_picked_is_named(more, label):
    assert found({"prompt": PROMPT + more}) == [("unreleased label", f"0.prompt: {label!a}")]


@pytest.mark.parametrize("more", ["", "\nloans", "\n" + json.dumps(["Fee", "Loans", "Théft", "Rent"])],
                         ids=["none", "of the settings", "the whole universe"])  # fmt: skip
def test_labels_that_follow_are_no_finding(more):
    assert found({"prompt": PROMPT + more}) == []


@pytest.mark.parametrize(("fields", "rule"), [
    ({"scores": [0.25, 0.5]}, "score of records"), ({"score": 3}, "score of records"), ({"seed": 3}, "seed"),
    ({"attempt": 812}, "unknown"), ({"index": "812"}, "unknown"), ({"plan_id": "p2"}, "not as declared"),
    ({"model": "seen 812 records"}, "record count"),
    ({"feedback": "the mass is 81.25"}, "a number that neither plan nor settings have"),
    ({"feedback": "the mass is 812"}, "a number that neither plan nor settings have"),
    ({"prompt": "Gertrud waited"}, "excerpt of records, or undeclared text"),
    ({"prompt": "late fee 81.25"}, "excerpt of records, or undeclared text"),
])  # fmt: skip
def test_what_nothing_accounts_for_is_named(fields, rule):
    assert {one for one, _ in found({"text": "Late fee.", **fields})} == {rule}


@pytest.mark.parametrize(("raw", "words"), [
    (b'[{"attempt": 1, "attempt": 812}]', "a key stands twice"), (b'[{"attempt": NaN}]', "NaN"),
    (b"nothing", "not strict JSON"), (b"\xff", "UTF-8"),
])  # fmt: skip
def test_what_is_no_strict_json_is_named(raw, words):
    ((rule, what),) = found(raw=raw)
    assert rule == "encoding"
    assert words in what
