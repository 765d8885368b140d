"""Evidence that was altered: every part that follows from another one, changed by itself, is found."""

import copy

import pytest

from dpspin.errors import IntegrityError
from dpspin_audits.attest import coherence


def set_(tree, path, value):
    tree = copy.deepcopy(tree)
    *way, last = path
    place = tree
    for step in way:
        place = place[step]
    place[last] = value
    return tree


def check_of(tree, name):
    return next(at for at, row in enumerate(tree["checks"]) if row["id"] == name)


def test_what_audits_write_is_coherent(opened, tree, users):
    for each in (tree, users):
        assert list(coherence.contradictions(opened(each))) == []


ALTERED = {
    "a finding made a pass": lambda t: ("verdict", set_(t, ["checks", check_of(t, "support"), "status"], "fail")),
    "a verdict made a pass": lambda t: ("verdict", t | {"verdict": "fail"}),
    "a strength raised": lambda t: ("strengths", set_(t, ["checks", check_of(t, "canary"), "strength"], "proved")),
    "a count raised": lambda t: ("strengths", set_(t, ["strengths", "exact", "pass"], 99)),
    "a required check taken out": lambda t: (
        "checks", t | {"checks": [row for row in t["checks"] if row["id"] != "canary"]},
    ),
    "a required check made optional": lambda t: (
        "checks", set_(t, ["checks", check_of(t, "canary"), "required"], False),
    ),
    "a check twice": lambda t: ("checks", t | {"checks": [*t["checks"], t["checks"][0]]}),
    "a gap taken out": lambda t: ("not_assessed", t | {"not_assessed": t["not_assessed"][1:]}),
    "a certificate with more noise": lambda t: ("certificates", set_(t, ["certificates", 0, "scale"], "2")),
    "a certificate taken out": lambda t: ("certificates", t | {"certificates": []}),
    "a smaller claim beside its certificate": lambda t: ("certificates", set_(t, ["claim", "epsilon"], "0.5")),
    "another relation beside it": lambda t: ("certificates", set_(t, ["claim", "adjacency"], "replacement")),
    "a stamp taken out": lambda t: ("stamp", set_(t, ["plan", "stamp"], "NON-PRIVATE")),
    "a stamp put in": lambda t: ("stamp", t | {"stamp": "NON-PRIVATE"}),
    "a mass of the plan": lambda t: ("exposures", set_(t, ["plan", "released", 0, "noisy_mass"], "7")),
    "the digest of the plan": lambda t: ("exposures", set_(t, ["exposures", 2, "sha256"], "0" * 64)),
    "the digest of the deployment": lambda t: ("exposures", set_(t, ["deployment", "sha256"], "0" * 64)),
    "the plan taken out of the list": lambda t: (
        "exposures", t | {"exposures": [row for row in t["exposures"] if row["name"] != "plan.json"]},
    ),
    "a waiver of nothing": lambda t: ("gate", t | {"gate": {"verdict": "pass", "waivers": [], "known": ["rng"]}}),
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED)
def test_an_alteration_is_found(opened, tree, what):
    part, other = ALTERED[what](tree)
    with pytest.raises(IntegrityError, match=rf"^evidence\.json: {part}.*audit again") as caught:
        opened(other)
    assert caught.value.exit_code == 5


OF_THE_UNIVERSE = {
    "a sum that leaves the universe out": ("total", ["accounting", "total", "epsilon"], "1"),
    "a sum with a smaller delta": ("total", ["accounting", "total", "delta"], "0"),
    "a sum above the parts": ("total", ["accounting", "total", "epsilon"], "2"),
    "no sum": ("universe", ["accounting", "total"], None),
    "no cost": ("universe", ["accounting", "universe"], None),
    "a smaller cost": ("universe", ["accounting", "universe", "epsilon"], "0.25"),
    "a charge that no object has": ("universe: id", ["accounting", "universe", "id"], "0001"),
    "a universe called public": ("universe", ["deployment", "provenance"], "public"),
}


@pytest.mark.parametrize("what", OF_THE_UNIVERSE)
def test_an_alteration_of_a_charged_universe_is_found(opened, charged, what):
    assert list(coherence.contradictions(opened(charged))) == []
    part, path, value = OF_THE_UNIVERSE[what]
    with pytest.raises(IntegrityError, match=rf"^evidence\.json: accounting: {part}.*audit again"):
        opened(set_(charged, path, value))


def test_a_charged_universe_cannot_be_made_public_by_leaving_out_its_cost(opened, charged, tree):
    other = copy.deepcopy(charged)
    other["deployment"]["provenance"] = "public"
    del other["accounting"]["universe"], other["accounting"]["total"]
    with pytest.raises(IntegrityError, match=r"deployment: provenance: expected what universe\.provenance says"):
        opened(other)
    with pytest.raises(IntegrityError, match="accounting: universe: expected as provenance public has it"):
        opened(set_(tree, ["accounting", "universe"], charged["accounting"]["universe"]))


def test_the_third_object_is_the_plan(tree):
    assert tree["exposures"][2]["name"] == "plan.json"


def test_a_stranger_whose_files_differ_is_not_accused_of_altering_evidence(opened, tree, change, chain):
    """Hygiene has said it already: the transcript of such a bundle lists other bytes."""
    other = change(chain(set_(tree, ["exposures", 2, "sha256"], "0" * 64)), "hygiene", status="fail")
    assert opened(other).verdict == "fail"
