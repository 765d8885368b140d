import csv
import io

from dpspin_experiments.baselines.methods import METHODS, URANIA
from dpspin_experiments.results import methods
from dpspin_experiments.results.store import read
from dpspin_experiments.sweep.groups import Spread


def test_every_method_is_a_row_with_claim_evidence_and_accounting(folder):
    found = {row.standing.name: row for row in methods.rows(read(folder).standings)}
    assert list(found) == list(METHODS)
    assert all(len(row.cells) == len(methods.HEADER) for row in found.values())
    cells = dict(zip(methods.HEADER, found[URANIA].cells, strict=True))
    assert cells["ε"] == "1"
    assert cells["measured ε"].startswith("at least 0.")
    assert found[URANIA].accounting[-2] == "sizes: 1/10 of the budget, ℓ₁ at most 1, laplace of scale 10"
    assert found["clustering"].cells[:4] == ("none", "", "", "")
    assert found["clustering"].accounting == ()


def test_a_refuted_claim_stands_in_its_row(folder):
    plan = read(folder).standings[5]
    assert "claim refuted" not in methods.rows([plan])[0].cells[1]
    assert "claim refuted" in methods.rows([plan._replace(refuted=True)])[0].cells[1]


def test_ranges_are_written_where_there_are_any(folder):
    plan = read(folder).standings[5]._replace(measures={"reach": Spread(2, 0.5, 0.25, 0.75, 0.3)}, delta=1e-6)
    row = methods.rows([plan])[0]
    assert "0.50 (0.25\u00a0to\u00a00.75)" in row.cells
    assert row.cells[0] == "1 (δ 1.0e-06)"
    assert row.cells.count("") == 7


def test_the_table_has_a_line_for_every_measure(folder):
    standings = read(folder).standings
    lines = list(csv.DictReader(io.StringIO(methods.table(standings).decode())))
    assert len(lines) == sum(len(each.measures) for each in standings)
    assert {line["audience"] for line in lines} == {"curator only"}
    assert methods.table(standings) == (folder / "curator_only" / "methods.csv").read_bytes()
