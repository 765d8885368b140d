"""Evidence to sign: of a real audit, and what becomes of it when parts are changed, consistently or not."""

import copy
import datetime

import pytest

from dpspin import canonical, transcript
from dpspin_audits import evidence
from dpspin_audits.attest import attestation, evidence_file, keys, validity
from dpspin_audits.attest.predicates import Terms
from dpspin_audits.attest.subjects import Given
from dpspin_audits.checks.check import Check

PERIOD = validity.Validity(datetime.date(2027, 1, 1), datetime.date(2027, 3, 31))


def settled(tree):
    """Verdict and counts that follow from the checks."""
    made = [Check(row["id"], row["status"], row["strength"], row["summary"]) for row in tree["checks"]]
    required = [row["id"] for row in tree["checks"] if row["required"]]
    return tree | {"verdict": evidence.verdict(made, required), "strengths": evidence.strengths_tree(made)}


def altered(tree, check, **changes):
    """Evidence in which one check came out differently, with everything that follows from it."""
    tree = copy.deepcopy(tree)
    next(row for row in tree["checks"] if row["id"] == check).update(changes)
    return settled(tree)


def chained(tree):
    """Evidence whose transcript is that of the objects that it lists."""
    tree, lines, previous = copy.deepcopy(tree), b"", transcript.START
    for row in tree["exposures"]:
        if row["chain"] is not None:
            line = {key: row[key] for key in ("order", "name", "role", "charge", "bytes", "sha256", "text")}
            data = canonical.dumps(line | {"previous": previous})
            lines, previous = lines + data, canonical.digest(data)
            row["chain"] = previous
    own = next(row for row in tree["exposures"] if row["name"] == "transcript.jsonl")
    own.update(sha256=canonical.digest(lines), bytes=len(lines))
    return tree


def stamped_by(tree, stamp):
    """Evidence of a stamped release."""
    tree = copy.deepcopy(tree)
    tree["stamp"] = tree["plan"]["stamp"] = stamp
    row = next(row for row in tree["exposures"] if row["name"] == "plan.json")
    data = canonical.dumps(tree["plan"])
    row.update(sha256=canonical.digest(data), bytes=len(data))
    return chained(tree)


@pytest.fixture(scope="session")
def chain():
    return chained


@pytest.fixture(scope="session")
def stamped():
    return stamped_by


@pytest.fixture(scope="session")
def tree(judged):
    return judged()[1]


@pytest.fixture(scope="session")
def users(judged):
    """All records of a user replaced, Gaussian noise, ids that may be missing."""
    return judged(mechanism="gaussian", unit="user", adjacency="replacement", missing="own_unit")[1]


@pytest.fixture(scope="session")
def charged(judged):
    """A universe that was built from protected records, at a cost of its own."""
    return judged(built=("0.50", "1e-7"))[1]


@pytest.fixture(scope="session")
def change():
    return altered


@pytest.fixture(scope="session")
def opened():
    return lambda tree: evidence_file.opened(canonical.dumps(tree), "evidence.json")


@pytest.fixture(scope="session")
def pair():
    return keys.generate(None)


@pytest.fixture(scope="session")
def signer(pair):
    return keys.signer(pair.secret, None, "key")


@pytest.fixture(scope="session")
def checker(pair):
    return keys.checker(pair.public, "key.pub")


@pytest.fixture(scope="session")
def signed(opened, signer):
    """The file of an attestation."""

    def make(tree, key=signer, **given):
        digest = canonical.digest(canonical.dumps(tree))
        return attestation.sign(opened(tree), Given(digest, **given), Terms(PERIOD), key)

    return make


@pytest.fixture(scope="session")
def read(signed, checker):
    """An attestation of evidence, opened."""
    return lambda tree, **given: attestation.opened(signed(tree, **given), checker, "file")


@pytest.fixture(scope="session")
def period():
    return PERIOD
