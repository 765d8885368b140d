"""Tokens, digests, counts and exact masses are known in whatever spelling; noise is not taken for them."""

import base64
import hashlib
import json
import secrets

import pytest

from dpspin import canonical
from dpspin_audits.checks import traces
from dpspin_audits.checks.traces import Counted

RECORDS = [{"key": f"r{number}", "body": f"text {number}"} for number in range(3)]
PLANTED = traces.spellings(RECORDS[2])
MARKS = traces.marks(PLANTED, [RECORDS], "key")


@pytest.mark.parametrize("algorithm", ["sha256", "sha1", "md5", "sha512", "blake2b"])
@pytest.mark.parametrize(
    "whole",
    [json.dumps(RECORDS[2]), json.dumps(RECORDS[2], sort_keys=True, separators=(",", ":")),
     "".join(json.dumps(record) + "\n" for record in RECORDS), "r0,r1,r2", json.dumps(["r0", "r1", "r2"])],
    ids=["record", "compact record", "corpus", "ids", "list of ids"],
)  # fmt: skip
def test_digests_are_known_in_every_spelling(algorithm, whole):
    digest = hashlib.new(algorithm, whole.encode()).digest()
    for written in (digest.hex(), digest.hex().upper(), f"id-{digest.hex()[:16]}", base64.b64encode(digest).decode()):
        assert traces.holder({"a": b"nothing", "b": written.encode()}, "qtoken", MARKS) == "b"
    assert traces.holder({"raw": b"\x00" + digest}, "qtoken", MARKS) == "raw"


@pytest.mark.parametrize(
    "data", [b"xqtokeny", b"QTOKEN", base64.b64encode(b"qtoken"), b"eyJ" + base64.b64encode(b"qtoken and more")]
)
def test_tokens_are_known(data):
    assert traces.holder({"name": data}, "qtoken", ()) == "name"


def test_a_file_name_is_searched_and_other_bytes_are_no_hit():
    assert traces.holder({"notes-QTOKEN.txt": b""}, "qtoken", ()) == "notes-QTOKEN.txt"
    other = hashlib.sha256(b"another record").hexdigest().encode()
    assert traces.holder({"a": other, "b": b"qtoke n"}, "qtoken", MARKS) is None


PRIMES = ((307, 101), (311, 103), (331, 107))


def counted(write, name="plan.json", masses=(7,)):
    return [Counted(primes, masses, {name: write(*primes)}) for primes in PRIMES]


def as_json(**fields):
    return canonical.dumps(fields)


@pytest.mark.parametrize(
    ("write", "path"),
    [(lambda n, u: as_json(a={"n": n}), "plan.json: a.n"), (lambda n, u: as_json(users=str(u)), "plan.json: users"),
     (lambda n, u: as_json(twice=2 * n), "plan.json: twice"),
     (lambda n, u: as_json(share=f"13/{u}"), "plan.json: share"),
     (lambda n, u: as_json(share=f"{13 / n:.12f}"), "plan.json: share"),
     (lambda n, u: as_json(rows=[0] * u), "plan.json: rows.length")],
)  # fmt: skip
def test_counts_their_multiples_and_shares_of_them_are_found(write, path):
    assert traces.counts(counted(write)) == path


@pytest.mark.parametrize("write", [lambda n, u: f"{n} records".encode(), lambda n, u: f"(u={u})".encode()])
def test_counts_in_a_text_are_found(write):
    assert traces.counts(counted(write, "summary.txt")) == "summary.txt"


@pytest.mark.parametrize("write", [lambda n, u: f"of {n} records", lambda n, u: f"a\nb=0.5,u={u}\n"])
def test_counts_in_a_string_of_json_are_found(write):
    releases = counted(lambda n, u: as_json(a=[{"text": write(n, u)}]))
    assert traces.counts(releases) == "plan.json: a[0].text"


@pytest.mark.parametrize(
    "write",
    [lambda n, u: as_json(n=n + 1), lambda n, u: as_json(text=f"{n + 1} of 307 and {n}.5 and {n}{u}"),
     lambda n, u: as_json(n=307), lambda n, u: as_json(share="0.9"),
     lambda n, u: as_json(mass=secrets.randbelow(10**12) * 1009 * n + 1), lambda n, u: as_json(n=0),
     lambda n, u: as_json(share=f"{13 / n:.4f}"), lambda n, u: b"30.307 and 1307 and 307"],
)  # fmt: skip
def test_other_numbers_are_no_hit(write):
    assert traces.counts(counted(write)) is None


def test_too_few_releases_tell_nothing():
    assert traces.counts([]) is None
    assert traces.counts(counted(lambda n, u: as_json(n=n))[:2]) is None


def test_one_release_without_it_clears_a_number():
    releases = counted(lambda n, u: as_json(n=n))
    assert traces.counts([*releases, Counted((337,), (7,), {"plan.json": as_json(n=338)})]) is None


MASSES = ((81_093_415, 0), (81_093_111, 5), (90_000_001, 7))


def weighed(write):
    return [Counted((307,), masses, {"plan.json": write(masses[0])}) for masses in MASSES]


@pytest.mark.parametrize(
    "write",
    [lambda mass: as_json(c=mass), lambda mass: as_json(c=f"{mass}/1048576"),
     lambda mass: as_json(c=f"{mass / 2**20:.6f}"), lambda mass: as_json(c=f"masses: 0 {mass} 7"),
     lambda mass: as_json(c=f"it has {mass / 2**20:.6f}, exactly")],
)  # fmt: skip
def test_exact_masses_are_found(write):
    assert traces.counts(weighed(write)) == "plan.json: c"


@pytest.mark.parametrize(
    "write",
    [lambda mass: as_json(c=mass + 1), lambda mass: as_json(c=f"{mass / 2**20:.1f}"), lambda mass: as_json(c=0),
     lambda mass: as_json(c=f"it has {mass / 2**20:.1f} or {mass + 1}"),
     lambda mass: as_json(c="NaN"), lambda mass: as_json(c="9" * 50)],
)  # fmt: skip
def test_noisy_masses_and_short_numbers_are_not_taken_for_exact_ones(write):
    assert traces.counts(weighed(write)) is None
