"""An outcome that what stands beside it contradicts was edited: each such edit by itself is found."""

import copy

import pytest

from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import grounds


def check_of(tree, name):
    return next(row for row in tree["checks"] if row["id"] == name)


def figures(tree, name):
    return check_of(tree, name)["figures"]


def object_of(tree, name):
    return next(row for row in tree["exposures"] if row["name"] == name)


def without(tree, name):
    """A check taken out with everything that would show it."""
    tree["strengths"][check_of(tree, name)["strength"]][check_of(tree, name)["status"]] -= 1
    tree["checks"] = [row for row in tree["checks"] if row["id"] != name]
    tree["strengths"] = {key: {one: n for one, n in row.items() if n} for key, row in tree["strengths"].items()}


EDITS = {
    "an optional check taken out": ("checks: expected support", lambda t: without(t, "support")),
    "a pass with a finding": (
        "checks: canary", lambda t: check_of(t, "canary").update(location={"file": "plan.json", "line": 1}),
    ),
    "a pass with a reason": ("checks: canary", lambda t: check_of(t, "canary").update(reason="a token was found")),
    "a test that refutes": (
        "checks: distribution.ideal",
        lambda t: figures(t, "distribution.ideal")["tests"][0].update(epsilon_at_least="1.9418"),
    ),
    "a bet that was won": (
        "checks: distribution.bits",
        lambda t: figures(t, "distribution.bits")["tests"][0].update(bets={"reached": 7}),
    ),
    "another measured bound": (
        "accounting: measured", lambda t: t["accounting"]["measured"].update(epsilon_at_least="0.0001"),
    ),
    "a judgement of another claim": ("claim: expected", lambda t: figures(t, "accounting.claim").update(claimed="2")),
    "more noise than was judged": ("claim: scale", lambda t: t["claim"].update(scale="100")),
    "a cost above the claim": (
        "checks: accounting.claim", lambda t: figures(t, "accounting.claim").update(epsilon="1.5"),
    ),
    "a sentence without support": ("summary", lambda t: t["summary"][0].update(supported=False)),
    "an object without a role": ("exposures", lambda t: object_of(t, "universe.json").update(role=None)),
    "a text of the transcript": ("exposures", lambda t: object_of(t, "draft-1").update(text="Another.\n")),
    "a charge of the transcript": ("exposures", lambda t: object_of(t, "plan.json").update(charge="0007")),
    "a size": ("exposures", lambda t: object_of(t, "transcript.jsonl").update(bytes=1)),
    "an order": ("exposures", lambda t: object_of(t, "transcript.jsonl").update(order=99)),
    "its last line taken out": ("exposures", lambda t: t["exposures"].remove(object_of(t, "summary.txt"))),
    "its first line taken out": ("exposures", lambda t: t["exposures"].pop(0)),
    "its own line taken out": ("exposures", lambda t: t["exposures"].remove(object_of(t, "transcript.jsonl"))),
    "all but its own line": ("exposures", lambda t: t.update(exposures=t["exposures"][2:3])),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_found(opened, tree, what):
    part, edit = EDITS[what]
    other = copy.deepcopy(tree)
    edit(other)
    with pytest.raises(IntegrityError, match=rf"^evidence\.json: {part}"):
        opened(other)


def test_what_audits_write_has_its_grounds(opened, tree, users, judged):
    """Laplace and Gaussian noise, private top-L with both values, users; their files are signed."""
    for each in (tree, users, judged(mechanism="top_l")[1], judged(mechanism="top_l_gaussian", unit="user")[1]):
        assert list(grounds.contradictions(opened(each))) == []


def test_evidence_of_another_version_may_have_other_checks(opened, tree):
    other = copy.deepcopy(tree) | {"tool": {"name": "dpspin", "version": "99"}}
    without(other, "support")
    assert opened(other).verdict == "pass"


def test_figures_of_another_layout_are_no_traceback(opened, tree):
    other = copy.deepcopy(tree)
    figures(other, "distribution.ideal")["tests"][0]["epsilon_at_least"] = "much"
    with pytest.raises(UsageError, match=r"checks: distribution\.ideal: tests\.0\.epsilon_at_least: cannot use"):
        opened(other)
