"""Verifying: `attest.verified` for others, and every byte of every file."""

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits import attest
from dpspin_audits.attest import verify
from dpspin_audits.attest.verify import File


@pytest.fixture(scope="session")
def about(read, tree):
    return read(tree).guarantee.subjects


def test_a_file_and_each_of_its_lines_are_verified(signed, tree, pair):
    data = signed(tree)
    first = attest.verified(data, pair.public)
    assert (first.result, first.validity.tree()) == ("PASSED", {"notBefore": "2027-01-01", "notAfter": "2027-03-31"})
    lines = [attest.verified(line, pair.public) for line in data.splitlines(keepends=True)]
    assert lines[0] == first
    assert len({line.kind for line in lines}) == 3
    assert {one.name for one in first.subjects} >= {"plan.json", "evidence.json", "implementation"}


def test_what_does_not_hold_is_refused(signed, tree, pair, change):
    data = signed(tree)
    line = data.splitlines(keepends=True)[0]
    for other in (b"", b"x", data[:-1], line[:-1], line.replace(b"A", b"B", 1), data + line, line + line):
        with pytest.raises(IntegrityError):
            attest.verified(other, pair.public)
    with pytest.raises(UsageError, match="the public key"):
        attest.verified(data, pair.secret)


def files(bundle):
    return [File(name, name, canonical.digest(data)) for name, data in bundle.items()]


def test_the_release_is_what_was_signed(about, judged):
    bundle, _ = judged()
    assert set(verify.compared(about, files(bundle), "release")) == set(bundle)
    assert verify.compared(about, [], None) == ()


def test_every_byte_of_every_file_counts(about, judged):
    """Every byte of the release, changed in its lowest bit."""
    bundle, _ = judged()
    for name, data in bundle.items():
        for at in range(len(data)):
            other = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            with pytest.raises(IntegrityError, match=f"^{name}: expected sha256"):
                verify.compared(about, files({name: other}), None)


@pytest.mark.parametrize("name", ["plan.json", "transcript.jsonl", "universe.json"])
def test_no_file_of_a_release_may_be_missing(about, judged, name):
    bundle = {key: data for key, data in judged()[0].items() if key != name}
    with pytest.raises(IntegrityError, match=f"release: {name}.*no such file"):
        verify.compared(about, files(bundle), "release")
    assert name not in verify.compared(about, files(bundle), None)


def test_no_file_may_stand_beside_them(about, judged):
    bundle = judged()[0] | {"metrics.json": b"{}"}
    with pytest.raises(IntegrityError, match=r"metrics\.json: expected a file that was signed"):
        verify.compared(about, files(bundle), "release")


def test_files_cannot_be_exchanged(about, judged):
    bundle, _ = judged()
    with pytest.raises(IntegrityError, match=r"^plan\.json"):
        verify.compared(about, files(bundle | {"plan.json": bundle["summary.txt"]}), "release")
