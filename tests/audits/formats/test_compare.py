"""Comparisons: what counts as worse, what is shown only, and what is on no common scale."""

import copy
import json

import pytest

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits.formats.compare import compare, markdown, text, tree
from dpspin_audits.formats.opened import of_tree


@pytest.fixture
def changed(invented):
    """The comparison of evidence with a copy that a function has changed."""

    def run(change, kind="pass"):
        first = invented(kind)
        other = copy.deepcopy(first.tree)
        change(other)
        return compare(first, of_tree(other))

    return run


def check(tree_, id_):
    return next(row for row in tree_["checks"] if row["id"] == id_)


def test_evidence_is_not_worse_than_itself(invented):
    found = compare(invented("fail"), invented("fail"))
    assert not found.worse
    assert all(row.first == row.second for row in found.differences)
    assert "the second is not worse" in text(found)


def test_a_charged_universe_and_a_changed_cost_are_noted(changed, invented):
    found = compare(invented("pass"), invented("charged"))
    moved = {row.what: (row.first, row.second) for row in found.differences if row.worse}
    assert moved["universe epsilon"] == ("0", "0.5")
    assert moved["total epsilon"] == ("1", "1.5")

    def raised(t):
        t["accounting"]["universe"]["epsilon"] = "0.75"
        t["accounting"]["total"]["epsilon"] = "1.75"

    found = changed(raised, "charged")
    assert {row.what for row in found.differences if row.worse} == {"universe epsilon", "total epsilon"}
    assert not [row for row in compare(invented("pass"), invented("pass")).differences if "universe " in row.what]


WORSE = {
    "verdict": lambda t: t.update(verdict="inconclusive"),
    "claimed epsilon": lambda t: t["claim"].update(epsilon="1.5"),
    "accounted epsilon": lambda t: t["accounting"]["accounted"].update(epsilon="1.01"),
    "accounted delta": lambda t: t["accounting"].update(accounted=None),
    "measured epsilon, at least": lambda t: t["accounting"].update(measured=None),
    "stamp": lambda t: t.update(stamp="NON-PRIVATE: seeded."),
    "plan.json": lambda t: t["exposures"][2].update(role=None),
    "rng": lambda t: check(t, "rng").update(status="fail"),
    "canary": lambda t: check(t, "canary").update(status="not_run"),
    "contract": lambda t: check(t, "contract").update(strength="declared"),
}


@pytest.mark.parametrize("what", WORSE)
def test_each_loss_is_found_and_named(changed, what):
    found = changed(WORSE[what])
    named = {row.what for row in found.differences if row.worse}
    assert what in named or (what == "plan.json" and len(named) == 1)
    assert found.worse
    assert "!" in text(found)


SHOWN = {
    "measured epsilon, at least": lambda t: t["accounting"]["measured"].update(epsilon_at_least="0.99"),
    "deployment declared at": lambda t: t["deployment"].update(declared_at="2026-07-01"),
    "timing": lambda t: check(t, "timing").update(status="pass"),
    "mechanism": lambda t: t["claim"].update(mechanism="gaussian"),
    "claimed epsilon": lambda t: t["claim"].update(epsilon="0.5"),
}


@pytest.mark.parametrize("what", SHOWN)
def test_what_is_no_loss_is_shown_only(changed, what):
    found = changed(SHOWN[what])
    assert any(row.what == what and row.first != row.second for row in found.differences)
    assert not found.worse


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [("unit", "user", "units"), ("adjacency", "replacement", "relations"), ("delta", "0.00001", "deltas")],
)
def test_other_scales_are_refused_with_the_reason(changed, field, value, named):
    with pytest.raises(UsageError, match=f"different {named}") as found:
        changed(lambda t: t["claim"].update({field: value}))
    assert found.value.exit_code == 2


def test_real_audits_of_sound_and_faulty_noise(tree_of, faulty):
    found = compare(of_tree(tree_of()), of_tree(faulty()))
    worse = {row.what for row in found.differences if row.worse}
    assert {"verdict", "distribution.ideal", "sensitivity"} <= worse
    back = compare(of_tree(faulty()), of_tree(tree_of()))
    assert not back.worse


def test_all_forms_say_the_same(changed, hostile):
    found = changed(WORSE["rng"])
    read = json.loads(canonical.dumps(tree(found)))
    assert read["worse"] is True
    assert [row["what"] for row in read["differences"] if row["worse"]] == ["rng"]
    assert "| checks | rng | pass, exact\\_on\\_hit | fail, exact\\_on\\_hit | worse |" in markdown(found)
    attacked = compare(hostile, of_tree(hostile.tree | {"exposures": []}))
    assert "<script" not in markdown(attacked).replace("\\<script", "")
    assert all(words.replace("\n", "").isprintable() for words in (markdown(attacked), text(attacked)))
