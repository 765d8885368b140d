import csv
import io

from dpspin_experiments.results.claims import CLAIMS
from dpspin_experiments.results.page import judged, page, table
from dpspin_experiments.results.store import read


def test_the_page_says_whose_it_is_and_loads_nothing(folder):
    text = page([read(folder)])
    assert "NON-PRIVATE, curator only" in text
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert text.count("<svg") == 3 + 3 + 2 + 4
    for row in judged(read(folder)):
        assert row.claim.text in text
    assert page([read(folder)]) == text


def test_a_label_cannot_break_the_page(folder):
    seen = read(folder)
    hostile = seen._replace(sweep=seen.sweep.model_copy(update={"name": "<b>"}), groups=[])
    assert "<b>" not in page([hostile])


def test_the_table_holds_every_claim_of_every_sweep(folder):
    seen = read(folder)
    rows = list(csv.DictReader(io.StringIO(table([seen, seen]).decode())))
    assert len(rows) == 2 * len(CLAIMS)
    assert {row["audience"] for row in rows} == {"curator only"}
    assert {row["verdict"] for row in rows} <= {"agrees", "differs", "not measured"}


def test_no_sweep_at_all():
    assert "Where this project does otherwise" in page([])
