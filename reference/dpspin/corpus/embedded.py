"""The embedded deployment over synthetic complaints: what runs where no deployment is given.

Its three files are committed, and `regenerate` builds the same bytes from `deployment.yaml` and the synthetic corpus.
"""

import re
from collections.abc import Iterator
from importlib.resources import files as resources

from dpspin import canonical, deployment, universe
from dpspin.corpus import fit, representation, split, synthetic
from dpspin.corpus.jsonl import Record, fields_of, record_of

NAME = "synthetic-complaints"
RECORDS = 5000
UNIVERSE_SIZE = 60
DIGEST = re.compile(rb'(?<=sha256: ")[0-9a-f]{64}')


def files() -> dict[str, bytes]:
    """The committed files, by name: deployment.yaml, universe.json and weights.json."""
    folder = resources("dpspin") / "deployments" / NAME
    return {name: (folder / name).read_bytes() for name in ("deployment.yaml", "universe.json", "weights.json")}


def corpus() -> Iterator[Record]:
    """The synthetic corpus, auxiliary and protected records alike."""
    fields = fields_of(deployment.load(files()["deployment.yaml"], "deployment.yaml"))
    return (record_of(tree, fields) for tree in synthetic.records(RECORDS))


def regenerate() -> dict[str, bytes]:
    """The three files anew: universe and weights from auxiliary records, and their digests in deployment.yaml."""
    declared = files()["deployment.yaml"]
    terms = deployment.load(declared, "deployment.yaml")
    auxiliary = split.auxiliary(corpus(), terms.corpus.split)
    fitted = fit.build(auxiliary, synthetic.LABEL_FIELDS, UNIVERSE_SIZE, terms.assignment.rule)
    built = {"universe.json": universe.encode(fitted.universe), "weights.json": representation.encode(fitted.weights)}
    digests = iter(canonical.digest(data).encode() for data in built.values())
    return {"deployment.yaml": DIGEST.sub(lambda _: next(digests), declared), **built}
