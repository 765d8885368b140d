"""What is proved stands in evidence where a certificate was cited, and only there."""

from dpspin_audits import proved
from dpspin_audits.checks.check import Check
from dpspin_proofs.register import register


def check(status):
    return [Check("proofs", status, "proved", "theorems", {})]


def test_a_cited_certificate_brings_every_statement_and_gap():
    found = proved.tree(check("pass"))
    known = register()
    assert [row["name"] for row in found["statements"]] == [row.name for row in known.statements]
    assert [row["name"] for row in found["gaps"]] == [row.name for row in known.gaps]
    named = {name for row in found["statements"] for name in row["gaps"]}
    assert named <= {row["name"] for row in found["gaps"]}


def test_without_a_certificate_nothing_is_cited():
    for status in ("not_run", "fail", "error"):
        assert proved.tree(check(status)) is None
    assert proved.tree([]) is None
