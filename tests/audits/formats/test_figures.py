"""The table of figures: RFC 4180, every number once, with unit, strength and confidence; no cell is a formula."""

import csv
import io
from fractions import Fraction

from dpspin_audits.formats import figures


def rows(evidence):
    text = figures.encode(evidence).decode()
    assert text.count("\n") == text.count("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def find(table, check, figure):
    (row,) = (row for row in table if (row["check"], row["figure"]) == (check, figure))
    return row


def test_names_and_order(any_kind):
    table = rows(any_kind)
    assert list(table[0]) == ["check", "figure", "value", "unit", "strength", "confidence"]
    assert len({(row["check"], row["figure"]) for row in table}) == len(table)
    assert {row["strength"] for row in table} <= {"declared", "exact", "exact_on_hit", "statistical", "proved"}


def test_every_value_is_an_exact_number_of_the_evidence(any_kind):
    for row in rows(any_kind):
        Fraction(row["value"])
    claimed = find(rows(any_kind), "accounting", "claimed.epsilon")
    assert Fraction(claimed["value"]) == any_kind.case.losses.claimed


def test_units_strengths_and_confidence(invented):
    table = rows(invented())
    test = find(table, "distribution.ideal", "tests.0.epsilon_at_least")
    assert (test["value"], test["unit"], test["strength"]) == ("0.9412", "nat", "statistical")
    assert Fraction(test["confidence"]) == 1 - Fraction("0.000125")
    measured = find(table, "accounting", "measured.epsilon_at_least")
    assert Fraction(measured["confidence"]) == 1 - Fraction(invented().tree["accounting"]["measured"]["alpha"])
    assert find(table, "claim", "epsilon")["confidence"] == ""
    assert find(table, "distribution.ideal", "tests.0.runs")["unit"] == "run"


def test_digests_and_versions_are_no_figures(invented):
    evidence = invented()
    evidence.tree["checks"][0]["figures"] |= {"seal": "123", "kernel_sha256": "77", "version": "0.6", "kept": 5}
    kept = [row["figure"] for row in rows(evidence) if row["check"] == evidence.tree["checks"][0]["id"]]
    assert "kept" in kept
    assert not {"seal", "kernel_sha256", "version"} & set(kept)


def test_real_evidence_has_its_curve_and_witness(tree_of):
    from dpspin_audits.formats.opened import of_tree

    table = rows(of_tree(tree_of()))
    assert find(table, "accounting", "curve.points.0.delta")["unit"] == "probability"
    assert any(row["check"] == "sensitivity" for row in table)


def test_quotes_commas_and_formulas_come_back_as_text():
    data = figures.table(("a", "b"), [('say "x", y', "=1+1"), ("line\nend", "-2")])
    found = list(csv.reader(io.StringIO(data.decode(), newline="")))
    assert found == [["a", "b"], ['say "x", y', "'=1+1"], ["line\\nend", "-2"]]


def test_a_hostile_name_of_a_check_is_no_formula(invented):
    evidence = invented()
    evidence.tree["checks"][0]["id"] = "=HYPERLINK(1)"
    assert any(row["check"] == "'=HYPERLINK(1)" for row in rows(evidence))


def test_a_charged_universe_has_its_figures_and_the_sum(invented):
    table = rows(invented("charged"))
    for figure, value in (("universe.epsilon", "0.5"), ("total.epsilon", "1.5")):
        row = find(table, "accounting", figure)
        assert (row["value"], row["unit"], row["strength"]) == (value, "nat", "declared")
    assert not [row for row in figures.figures(invented("pass")) if row.figure.startswith(("universe.", "total."))]
