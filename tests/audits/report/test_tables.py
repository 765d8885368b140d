from dpspin_audits.report.prose import text
from dpspin_audits.report.tables import Column, Row, table


def test_a_table_without_rows_is_none():
    columns = (Column("Name", names_row=True),)
    assert table("Nothing.", columns, []) is None
    made = table("One.", columns, [Row((text("a"),))])
    assert made
    assert made.number == 0
    assert len(made.bodies[0].rows) == 1
