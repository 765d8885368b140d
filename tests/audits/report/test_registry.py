"""The entry for the registry: every field of the template, values from evidence alone, states from checks."""

from dpspin_audits.report import case, registry
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import CHECKS

TEMPLATE = {
    "basic": (
        "name data_curators description intended_use data_product_type data_product_region data_product_sector "
        "publication_date"
    ),
    "dp_variant": "variant_name data_domain unprotected_quantities",
    "privacy_loss": (
        "privacy_unit privacy_unit_details number_of_privacy_units privacy_parameters privacy_parameters_details"
    ),
    "deployment_model": "model_name trust_assumptions actors release_type data_source_type access_type",
    "implementation": (
        "preprocessing_and_hyperparameter_tuning mechanisms composition post_processing justification utility"
    ),
    "administrative": "evidence_sources registry_authors",
}
"""Fields of the public template; those that only explain another one further are left out there."""


def entries(tree):
    return {entry.field.name: entry for entry in registry.entries(case.opened(Node(tree)))}


def shown(tree, name):
    return plain(entries(tree)[name].value)


def test_every_field_of_the_template_is_there():
    paths = [f"deployment.{part}.{name}" for part, names in TEMPLATE.items() for name in names.split()]
    assert sorted(field.path for field in registry.fields()) == sorted(paths)
    assert {name for field in registry.fields() for name in field.checks} <= CHECKS.keys()
    assert {field.tier for field in registry.fields()} == {1, 2, 3}
    assert registry.VALUES.keys() <= {field.name for field in registry.fields()}


def test_values_follow_the_claim(evidence):
    assert (shown(evidence(), "variant_name"), shown(evidence("gaussian-user"), "variant_name")) == (
        "Pure DP", "Approximate DP",
    )  # fmt: skip
    assert shown(evidence(), "privacy_unit") == "record"
    assert shown(evidence("gaussian-user"), "privacy_unit").startswith("user")
    assert "the number of users" in shown(evidence("gaussian-user"), "unprotected_quantities")
    assert "the number" not in shown(evidence(), "unprotected_quantities")
    assert "run_info.json" in shown(evidence("fail"), "unprotected_quantities")


def test_what_the_evidence_cannot_say_is_left_to_the_deployer(evidence):
    found = entries(evidence())
    for name in ("data_curators", "intended_use", "publication_date", "registry_authors", "justification"):
        assert found[name].value == ()
        assert found[name].coverage.state == "not assessed"
    tree = evidence()
    tree["accounting"]["curve"] = None
    assert entries(tree)["privacy_parameters_details"].coverage.state == "not assessed"


def test_states_follow_the_checks(evidence):
    assert entries(evidence())["privacy_parameters"].coverage.state == "assessed in part"  # no certificate was checked
    assert entries(evidence("fail"))["unprotected_quantities"].coverage.status == "fail"
    assert entries(evidence())["model_name"].coverage.state == "declared"


def test_the_table_says_who_has_to_fill_in_the_rest(evidence):
    rows = registry.table(case.opened(Node(evidence()))).bodies[0].rows
    assert len(rows) == len(registry.fields())
    assert sum("filled in by the deployer" in plain(row.cells[2]) for row in rows) == 8


def test_no_cell_of_the_table_is_empty(evidence):
    rows = registry.table(case.opened(Node(evidence()))).bodies[0].rows
    assert [row for row in rows if not all(map(plain, row.cells))] == []
    assert plain(rows[0].cells[-1]) == "no check"
