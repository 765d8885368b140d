from dpspin_audits.report import case, claim
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def cells(table):
    return [[plain(cell) for cell in row.cells] for row in table.bodies[0].rows]


def test_the_claim_is_a_sentence_with_its_factor(evidence):
    shown = claim.view(opened(evidence()))
    assert (shown.change, shown.factor, shown.apart) == ("adding or removing any one record", "2.72", ())


def test_the_sentence_follows_unit_adjacency_and_delta(evidence):
    tree = evidence()
    tree["claim"] |= {"unit": "user", "adjacency": "replacement", "delta": "1e-6", "epsilon": "2"}
    shown = claim.view(opened(tree))
    assert shown.change == "replacing any one user’s records by those of another"
    assert shown.factor == "7.39"
    assert plain(shown.apart) == ", apart from a probability of at most 10−6"


def test_the_cost_grows_with_the_number_of_units(evidence):
    assert cells(claim.groups(opened(evidence()))) == [
        ["ε for that person, at most", "1", "2", "5", "10"],
        ["likelihood factor, at most", "2.72", "7.39", "149", "22,027"],
    ]


def test_a_delta_grows_too(evidence):
    tree = evidence()
    tree["claim"]["delta"] = "1e-6"
    assert cells(claim.groups(opened(tree)))[2][:3] == ["δ, at most", "10−6", "3.72\u00a0×\u00a010−6"]


def test_parameters_are_listed(evidence):
    rows = {plain(term): plain(words) for term, words in claim.view(opened(evidence())).rows}
    assert rows["Mechanism"] == "laplace: discrete Laplace noise on every theme, then the highest; scale 1 unit of mass"
    assert rows["Parameters"] == "ε = 1, δ = 0, mass bound B = 1, at most 3 themes a record, 10 released of 50"
    assert "margin 13.76 (rule: twice the noise floor)" in rows["Public constants"]
    assert rows["Public fields"] == "none"
    assert rows["Missing ids"] == "a record without an id contributes nothing"


def test_a_bare_claim_names_no_mechanism(evidence):
    tree = evidence()
    tree["claim"] |= {"mechanism": None, "scale": None, "missing_ids": None}
    rows = {plain(term): plain(words) for term, words in claim.view(opened(tree)).rows}
    assert rows["Mechanism"] == "not named; only ε and δ are claimed"
    assert rows["Missing ids"] == "no policy stated"
