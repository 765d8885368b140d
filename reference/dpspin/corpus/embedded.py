"""The embedded deployments over synthetic complaints: worked examples, one of which runs where none is given.

Each folder under `dpspin/deployments` holds deployments that share a list of atoms and term weights; in one the
unit is a record, in the other a user.  `regenerate` builds the same bytes from the declarations and the corpus.
"""

import re
from collections.abc import Iterator
from importlib.resources import files as resources

from dpspin import canonical, deployment, universe
from dpspin.corpus import fit, representation, split, synthetic
from dpspin.corpus.jsonl import Record, fields_of, record_of

RECORD, USER = "synthetic-complaints", "synthetic-complaints-by-user"
EXAMPLES = {
    "laplace-add-drop": (RECORD, "deployment.yaml"),
    "gaussian-add-drop": (RECORD, "gaussian-add-drop.yaml"),
    "gaussian-replacement": (RECORD, "gaussian-replacement.yaml"),
    "top-l-replacement": (RECORD, "top-l-replacement.yaml"),
    "laplace-users-replacement": (USER, "laplace-users-replacement.yaml"),
    "gaussian-users": (USER, "gaussian-users.yaml"),
    "top-l-users": (USER, "top-l-users.yaml"),
    "top-l-users-replacement": (USER, "top-l-users-replacement.yaml"),
}
"""Folder and file of each worked example; the first runs where no deployment is given."""
RECORDS = 5000
UNIVERSE_SIZE = 60
DIGEST = re.compile(rb'(?<=sha256: ")[0-9a-f]{64}')


def files(folder: str = RECORD) -> dict[str, bytes]:
    """The committed files of a folder, by name: deployments, universe.json and weights.json."""
    place = resources("dpspin") / "deployments" / folder
    return {entry.name: entry.read_bytes() for entry in sorted(place.iterdir(), key=lambda entry: entry.name)}


def corpus(terms: deployment.Deployment | None = None) -> Iterator[Record]:
    """The synthetic corpus, auxiliary and protected records alike, read as a deployment declares."""
    fields = fields_of(terms or deployment.load(files()["deployment.yaml"], "deployment.yaml"))
    return (record_of(tree, fields) for tree in synthetic.records(RECORDS))


def regenerate(folder: str = RECORD) -> dict[str, bytes]:
    """The files of a folder anew: universe and weights from auxiliary records, and their digests in the deployments."""
    declared = {name: data for name, data in files(folder).items() if name.endswith(".yaml")}
    first = next(iter(declared))
    terms = deployment.load(declared[first], first)
    auxiliary = split.auxiliary(corpus(terms), terms.corpus.split, terms.user)
    fitted = fit.build(auxiliary, synthetic.LABEL_FIELDS, UNIVERSE_SIZE, terms.assignment.rule)
    built = {"universe.json": universe.encode(fitted.universe), "weights.json": representation.encode(fitted.weights)}
    digests = [canonical.digest(data).encode() for data in built.values()]
    return {name: _pinned(data, digests) for name, data in declared.items()} | built


def _pinned(declared: bytes, digests: list[bytes]) -> bytes:
    """A deployment with the digests of universe and weights, in this order."""
    left = iter(digests)
    return DIGEST.sub(lambda _: next(left), declared)
