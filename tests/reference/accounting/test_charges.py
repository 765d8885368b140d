"""Lines of a ledger: what stands in them, and that older ones read as they always did."""

import json
from fractions import Fraction

import pytest

from dpspin import canonical
from dpspin.accounting.charges import START, Charge, Declared, Ledger, decode
from dpspin.errors import IntegrityError

OLD = (
    b'{"adjacency":"add_drop","budget_delta":"1/1000000","budget_epsilon":"3","delta":"0","deployment":"demo",'
    b'"deployment_sha256":"' + b"0" * 64 + b'","epsilon":"1","id":"0001","previous":"' + START.encode() + b'",'
    b'"unit":"record"}\n'
)
"""A line as it was written before a universe could be charged."""


def lines(*changes):
    """A chain of charges."""
    found, previous = b"", START
    for number, change in enumerate(changes, 1):
        cost = Fraction(1), Fraction(0), Fraction(3), Fraction(1, 10**6)
        row = Charge(f"{number:04d}", "demo", "0" * 64, "record", "add_drop", *cost, previous, **change)
        found, previous = found + row.line(), canonical.digest(row.line())
    return found


def test_a_line_of_an_older_version_reads_and_is_written_as_ever():
    (row,) = decode(OLD, "x").charges
    assert row.line() == OLD == lines({})
    assert (row.universe, row.declared) == (None, None)


def test_the_line_of_a_universe_names_its_digest_and_only_that_line_does():
    data = lines(
        {"universe": "a" * 64}, {}, {"universe": "b" * 64, "declared": Declared("add_drop", Fraction(2), Fraction(0))}
    )
    read = decode(data, "x")
    assert [row.universe for row in read.charges] == ["a" * 64, None, "b" * 64]
    assert [("universe" in json.loads(line)) for line in data.splitlines()] == [True, False, True]
    assert read.of_universe("b" * 64).charges == read.charges[2:]
    assert (read.of_universe("c" * 64), read.epsilon) == (Ledger(()), 3)
    assert b"".join(row.line() for row in read.charges) == data


@pytest.mark.parametrize("fault", [
    (b'"universe":"' + b"a" * 64, b'"universe":"' + b"b" * 64), (b',"universe":"' + b"a" * 64 + b'"', b""),
    (b'"universe":"' + b"a" * 64 + b'"', b'"universe":null'), (b'"universe":', b'"universum":'),
])  # fmt: skip
def test_a_universe_whose_line_was_altered_breaks_the_chain(fault):
    data = lines({"universe": "a" * 64}, {})
    assert data.replace(*fault) != data
    with pytest.raises(IntegrityError, match=r"x: line [12]"):
        decode(data.replace(*fault), "x")
