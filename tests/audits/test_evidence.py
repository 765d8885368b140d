"""Evidence keeps its schema, and its verdict is the worst of what is required."""

import itertools
from dataclasses import replace
from fractions import Fraction

import jsonschema
import pytest

from dpspin import canonical
from dpspin.accounting.cost import accounted
from dpspin_audits import evidence, losses, utility
from dpspin_audits.checks.check import WORST_FIRST, Check
from dpspin_audits.reference_subject import claim_of


def check(name, status):
    return Check(name, status, "exact", "Something was found.")


@pytest.mark.parametrize("statuses", list(itertools.product(WORST_FIRST, repeat=2)))
def test_the_verdict_is_the_worst_required_status(statuses):
    for other in ("pass", "not_run", "inconclusive", "error"):
        checks = [check("a", statuses[0]), check("b", statuses[1]), check("optional", other)]
        assert evidence.verdict(checks, ("a", "b")) == min(statuses, key=WORST_FIRST.index)


def test_a_finding_counts_whichever_check_made_it():
    for others in ("pass", "error", "not_run", "inconclusive"):
        assert evidence.verdict([check("a", others), check("optional", "fail")], ("a",)) == "fail"


def test_a_required_check_that_is_missing_was_not_run():
    assert evidence.verdict([check("a", "pass")], ("a", "b")) == "not_run"
    assert evidence.verdict([], evidence.SMOKE) == "not_run"


def test_exit_codes_are_those_documented():
    assert evidence.EXIT == {"pass": 0, "fail": 1, "inconclusive": 3, "not_run": 3, "error": 4}


def test_evidence_keeps_its_schema_in_the_bytes_that_are_written(audited):
    tree = canonical.loads(canonical.dumps(audited("ref")), "evidence.json")
    validator = jsonschema.Draft202012Validator(evidence.schema())
    validator.check_schema(evidence.schema())
    validator.validate(tree)
    assert tree["plan"] is None  # no bundle was given
    assert all(found["reason"] for found in tree["checks"] if found["status"] == "not_run")


@pytest.mark.parametrize(
    "fault",
    [{"verdict": "passed"}, {"extra": 1}, {"stamp": 3}, {"seeds": {"audit": "xyz"}}, {"claim": {}},
     {"checks": [{"id": "x"}]}, {"accounting": None}, {"schema": "dpspin-evidence/2"}],
)  # fmt: skip
def test_the_schema_refuses_what_is_not_evidence(audited, fault):
    tree = canonical.loads(canonical.dumps(audited("ref")), "evidence.json")
    assert not jsonschema.Draft202012Validator(evidence.schema()).is_valid({**tree, **fault})


def test_checks_are_counted_by_strength_and_status(audited):
    checks = [check("a", "pass"), check("b", "fail"), check("c", "pass"), Check("d", "not_run", "declared", "Nothing.")]
    assert evidence.strengths_tree(checks) == {"declared": {"not_run": 1}, "exact": {"fail": 1, "pass": 2}}
    tree = audited("ref")
    assert sum(count for row in tree["strengths"].values() for count in row.values()) == len(tree["checks"])


def test_a_location_is_a_file_and_perhaps_a_line():
    tree = evidence.check_tree(check("a", "pass"), ("a",), "dpspin audit")
    assert (tree["location"], tree["required"], tree["reproduce"]) == (None, True, "dpspin audit")


def test_numbers_of_the_deployment_stand_as_they_were_written(setting_at):
    tree = evidence.deployment_tree(setting_at("0.250"))
    assert (tree["scale"], tree["mass_bound"], tree["noise_beta"]) == ("4", "1", "0.05")
    assert Fraction(tree["margin"]) == 2 * Fraction(tree["noise_floor"])
    assert tree["margin_rule"]


def test_a_scoring_function_of_ones_own_is_named(setting):
    assert "scored_by" not in evidence.deployment_tree(setting)
    own = setting.deployment.assignment.model_copy(update={"rule": "maps:shared"})
    scored = replace(setting, deployment=setting.deployment.model_copy(update={"assignment": own}))
    assert evidence.deployment_tree(scored)["scored_by"] == "maps:shared"


def test_a_subject_may_name_itself(reference):
    class Named:
        name = "their release service"

    assert evidence.name_of(Named()) == "their release service"
    assert evidence.name_of(reference) == "dpspin"
    assert evidence.name_of(object()) == "object"


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({}, {"values": None, "exponent": None, "on_missing_user": None, "calibration": None, "em_mode": None}),
        ({"mechanism": "gaussian", "rate": "1/2"}, {"calibration": "analytic", "sampling_rate": "1/2"}),
        ({"mechanism": "top_l", "share": "3/4"}, {"values": "laplace", "em_mode": "tight", "selection_share": "3/4"}),
        ({"unit": "user", "missing": "own_unit"}, {"on_missing_user": "own_unit", "unit": "user", "mass_bound": "2"}),
    ],
)
def test_what_only_some_deployments_have_is_null_elsewhere(setting_of, terms, expected):
    tree = evidence.deployment_tree(setting_of(**terms))
    assert {name: tree[name] for name in expected} == expected


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "top_l", "top_l_gaussian"])
def test_the_trees_of_every_mechanism_keep_the_schema(audited, setting_of, mechanism):
    """The whole evidence of the default deployment, with the trees of another one in their places."""
    setting = setting_of(mechanism=mechanism, unit="user", adjacency="replacement")
    cost = accounted(setting.deployment, 12)
    accounting = losses.tree(setting, cost, None, None) | {"measured": None}
    trees = {
        "deployment": evidence.deployment_tree(setting),
        "claim": evidence.claim_tree(claim_of(setting)),
        "accounting": accounting,
        "utility": utility.tree(setting),
    }
    jsonschema.Draft202012Validator(evidence.schema()).validate(audited("ref") | trees)
    assert bool(accounting["alternatives"]) == mechanism.startswith("top_l")


def test_a_charged_universe_keeps_the_schema_and_others_have_no_such_field(audited, setting_of):
    setting = setting_of(built=("1/2", "1e-7"))
    cost = accounted(setting.deployment, 12)
    whole = losses.whole(setting, claim_of(setting), cost, None, []) | {"measured": None}
    check = jsonschema.Draft202012Validator(evidence.schema())
    tree = audited("ref") | {"deployment": evidence.deployment_tree(setting), "accounting": whole}
    check.validate(tree)
    assert tree["deployment"]["provenance"] == "charged"
    assert not {"universe", "total"} & audited("ref")["accounting"].keys()
    for name in ("universe", "total"):
        broken = whole | {name: {key: value for key, value in whole[name].items() if key != "delta"}}
        assert not check.is_valid(tree | {"accounting": broken})
