"""Who is not covered: by unit, relation, ids, provenance and files."""

import copy

from dpspin_audits.attest import unprotected


def test_records_that_come_and_go(opened, tree):
    assert unprotected.sentences(opened(tree)) == [
        "A person with k records: the loss of all of them together is up to k times epsilon.",
        "People named in the records of others.",
    ]


def test_users_that_are_replaced_and_may_lack_ids(opened, users):
    assert unprotected.sentences(opened(users)) == [
        "A person with k user ids: the loss of all of them together is up to k times epsilon, and a larger delta.",
        "A person with one user id and k records without one: up to 1 + k times epsilon, and a larger delta.",
        "People named in the records of others.",
        "The number of users, which replacement leaves as it is.",
    ]


def test_whatever_a_charged_universe_cost_beyond_its_declaration(opened, charged):
    said = "Anybody, from a cost of building the atoms beyond the declared one, which was not checked."
    assert said in unprotected.sentences(opened(charged))


def test_auxiliary_people_and_files_that_nothing_covers(opened, tree, change):
    other = copy.deepcopy(change(tree, "hygiene", status="fail"))
    other["deployment"]["provenance"] = "auxiliary"
    judged = next(row for row in other["checks"] if row["id"] == "universe.provenance")
    judged["figures"] = judged["figures"] | {"provenance": "auxiliary"}
    other["exposures"].append({"order": None, "name": "metrics.json", "role": None, "sha256": "0" * 64})
    assert unprotected.sentences(opened(other))[2:] == [
        "People in the auxiliary text from which the atoms were taken.",
        "Whatever stands in metrics.json, which no charge covers.",
    ]
