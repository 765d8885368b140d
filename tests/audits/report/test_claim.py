import pytest

from dpspin.errors import UsageError
from dpspin_audits.report import case, claim
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def cells(table):
    return [[plain(cell) for cell in row.cells] for row in table.bodies[0].rows]


def test_the_claim_is_a_sentence_with_its_factor(evidence):
    shown = claim.view(opened(evidence()))
    assert plain(shown.sentence) == (
        "Adding or removing any one record makes no outcome of the release more than 2.72 times likelier or rarer."
    )
    assert plain(shown.meaning) == "The factor is eε, rounded up."
    assert shown.not_a_person.startswith("A record is not a person")


def test_the_sentence_follows_unit_adjacency_and_delta(evidence):
    shown = claim.view(opened(evidence("gaussian-user")))
    assert plain(shown.sentence) == (
        "Replacing all records of any one user by those of another makes no set of outcomes of the release more than "
        "2.72 times likelier or rarer, except for a probability of at most 10−6."
    )
    assert "nobody’s chance of exposure" in plain(shown.meaning)
    assert shown.not_a_person == "A user id is not a person: someone with several user ids is covered less"


@pytest.mark.parametrize(
    ("unit", "adjacency", "words"),
    [
        ("record", "add_drop", "Adding or removing any one record makes"),
        ("user", "add_drop", "Adding or removing all records of any one user makes"),
        ("record", "replacement", "Replacing any one record by another record makes"),
        ("user", "replacement", "Replacing all records of any one user by those of another makes"),
    ],
)
def test_each_unit_and_adjacency_has_its_words(evidence, unit, adjacency, words):
    tree = evidence()
    tree["claim"] |= {"unit": unit, "adjacency": adjacency}
    assert plain(claim.view(opened(tree)).sentence).startswith(words)


def rows_of(tree):
    return {plain(term): plain(words) for term, words in claim.view(opened(tree)).rows}


def test_the_other_adjacency_follows_in_one_direction(evidence):
    assert (
        rows_of(evidence())["Other adjacency"]
        == "a record replaced by another counts as one removed and one added: ε ≤ 2"
    )
    kept = rows_of(evidence("gaussian-user"))["Other adjacency"]
    assert kept == "a user added or removed is not covered: the number of users is taken as known"
    tree = evidence()
    tree["claim"]["delta"] = "1e-6"
    assert rows_of(tree)["Other adjacency"].endswith("ε ≤ 2, δ ≤ 3.72\u00a0×\u00a010−6")


def test_the_definition_is_written_out(evidence):
    assert rows_of(evidence())["Exactly"].startswith("P(S) ≤ eε\u00a0P′(S) for every set S")
    assert rows_of(evidence("gaussian-user"))["Exactly"].startswith("P(S) ≤ eε\u00a0P′(S) + δ for every set S")


def test_sampling_earns_no_credit(evidence):
    assert rows_of(evidence())["Sampling"] == "none: every record is used"
    words = rows_of(evidence("gaussian-user"))["Sampling"]
    assert words.endswith("75\u00a0% of them on average; the claim takes no credit for that")


def test_records_without_an_id_are_explained_where_users_are_protected(evidence):
    assert "Missing ids" not in rows_of(evidence())
    assert rows_of(evidence("top-l"))["Missing ids"] == "a record without an id contributes nothing"
    own = rows_of(evidence("gaussian-user"))["Missing ids"]
    assert own.endswith("someone with one id and k records without one is covered at (1\u00a0+\u00a0k)\u00a0ε")


def test_a_policy_that_is_not_the_declared_one_stands_beside_it(evidence):
    tree = evidence("gaussian-user")
    tree["claim"]["missing_ids"] = "drop"
    words = rows_of(tree)["Missing ids"]
    assert words == "a record without an id contributes nothing; the deployment declares own_unit"


def test_the_cost_grows_with_the_number_of_units(evidence):
    assert cells(claim.groups(opened(evidence()))) == [
        ["ε for that person, at most", "1", "2", "5", "10"],
        ["likelihood factor, at most", "2.72", "7.39", "149", "22,027"],
    ]


def test_a_delta_grows_too(evidence):
    tree = evidence()
    tree["claim"]["delta"] = "1e-6"
    table = claim.groups(opened(tree))
    assert cells(table)[2] == ["δ, at most", "10−6", "3.72\u00a0×\u00a010−6", "8.58\u00a0×\u00a010−5", "0.0128184"]
    tree["claim"]["epsilon"] = "2"
    assert cells(claim.groups(opened(tree)))[2][3:] == ["0.00344738", "no limit"]
    assert "δ is multiplied by (ekε − 1)/(eε − 1)" in plain(table.caption)
    assert "multiplied" not in plain(claim.groups(opened(evidence())).caption)


def test_parameters_are_listed(evidence):
    rows = rows_of(evidence())
    assert rows["Parameters"] == "ε = 1, δ = 0, mass bound B = 1, at most 3 themes a record, 10 released of 50"
    assert "margin 13.76 (rule: twice the noise floor)" in rows["Public constants"]
    assert rows["Public fields"] == "none"


def test_a_claim_without_a_policy_says_so(evidence):
    tree = evidence("gaussian-user")
    tree["claim"]["missing_ids"] = tree["deployment"]["on_missing_user"] = None
    assert rows_of(tree)["Missing ids"] == "no policy stated"


@pytest.mark.parametrize("rate", ["-1", "0", "2"])
def test_a_share_that_is_none_is_refused(evidence, rate):
    tree = evidence()
    tree["deployment"]["sampling_rate"] = rate
    with pytest.raises(UsageError, match="sampling_rate"):
        claim.view(opened(tree))
