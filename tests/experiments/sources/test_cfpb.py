import csv
import gzip
import io
import json

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.sources import cfpb

HEADER = [
    "Date received", "Product", "Sub-product", "Issue", "Sub-issue", "Consumer complaint narrative",
    "Company public response", "Company", "State", "ZIP code", "Tags", "Consumer consent provided?", "Submitted via",
    "Date sent to company", "Company response to consumer", "Timely response?", "Consumer disputed?", "Complaint ID",
]  # fmt: skip


def export(*rows):
    """The bureau's CSV export, from (date, product, issue, sub-issue, narrative, id)."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    for date, product, issue, sub, text, name in rows:
        cells = dict.fromkeys(HEADER, "N/A") | {
            "Date received": date, "Product": product, "Issue": issue, "Sub-issue": sub,
            "Consumer complaint narrative": text, "Complaint ID": name,
        }  # fmt: skip
        writer.writerow(cells.values())
    return io.BytesIO(out.getvalue().encode())


def test_the_csv_export():
    found = cfpb.read(
        export(
            ("03/21/2017", "Mortgage", "Fees", "", 'They said, "pay"\nand I paid', "1"),
            ("2019-09-24", "Debt collection", "Threats", "Arrest", "A text", "2"),
            ("2019-09-24", "Debt collection", "Threats", "Arrest", "", "3"),
            ("2019-09-24", "Debt collection", "Threats", "Arrest", "A text", ""),
            ("2019-09-24", "Debt collection", "Threats", "Arrest", "A text", "2"),
            ("2019-09-24", "Debt collection", "Threats", "Arrest", "Another text", "2"),
        ),
        "complaints.csv",
    )
    one, two = found.entries
    assert one == ("1", None, 'They said, "pay"\nand I paid', "Mortgage / Fees", "2017-03-21")
    assert (two.label, two.date) == ("Debt collection / Threats / Arrest", "2019-09-24")
    assert found.counts == {
        "rows": 6, "kept": 2, "without_text": 1, "without_id": 1, "duplicate": 1, "conflict": 1,
    }  # fmt: skip
    assert found.categories == {"Mortgage": 1, "Debt collection": 1}


def test_the_json_export_and_mixed_types():
    rows = [
        {"_source": {"complaint_id": "7", "complaint_what_happened": "One", "product": "Loan", "issue": None}},
        {"_source": {"complaint_id": 7, "complaint_what_happened": "One", "product": "Loan"}},  # one id, two types
        {"_source": {"complaint_id": 8, "complaint_what_happened": 8, "product": "Loan"}},
        {"_source": {"complaint_id": None, "complaint_what_happened": "Two"}},
        {"_source": {"complaint_id": 9, "complaint_what_happened": "Nine", "date_received": "2020-01-02T12:00:00"}},
    ]
    found = cfpb.read(io.BytesIO(json.dumps(rows).encode()), "complaints.json")
    assert [(entry.id, entry.label, entry.date) for entry in found.entries] == [
        ("7", "Loan", None), ("9", None, "2020-01-02"),
    ]  # fmt: skip
    assert found.counts["duplicate"] == found.counts["without_text"] == found.counts["without_id"] == 1


def test_a_file_that_is_cut_is_refused():
    whole = gzip.compress(export(("2019-09-24", "P", "I", "S", "A text", "1")).getvalue())
    with pytest.raises(UsageError, match="gzip"):
        cfpb.read(io.BytesIO(whole[:-9]), "complaints.csv.gz")


def test_another_layout_is_refused():
    with pytest.raises(UsageError, match="own layout"):
        cfpb.read(io.BytesIO(b"a,b\n1,2\n"), "other.csv")
