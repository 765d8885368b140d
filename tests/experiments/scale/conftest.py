"""Small corpora with everything that a record may lack, and deployments at both levels."""

import gzip
import json
from collections import Counter
from types import SimpleNamespace

import pytest

from dpspin import pipeline
from dpspin.corpus import embedded, jsonl, synthetic
from dpspin.curator import intake
from dpspin_experiments.scale.places import Here
from dpspin_experiments.scale.sketch import exact_sketch

HALF = (b'sampling_rate: "1" ', b'sampling_rate: "2/3" ')
LEVELS = {
    "record": (embedded.RECORD, "deployment.yaml", []),
    "record, half a mass": (embedded.RECORD, "deployment.yaml", [(b'mass_bound: "1"', b'mass_bound: "1/2"'), HALF]),
    "user": (embedded.USER, "gaussian-users.yaml", []),
    "user, own unit": (
        embedded.USER,
        "gaussian-users.yaml",
        [(b"on_missing_user: drop", b"on_missing_user: own_unit"), (b'mass_bound: "2"', b'mass_bound: "1"')],
    ),
    "user, a share": (embedded.USER, "top-l-users.yaml", []),
}


def setting_of(level):
    """A setting, changed as declared above."""
    folder, name, changes = LEVELS[level]
    files = embedded.files(folder)
    declared = files[name]
    for old, new in changes:
        assert old in declared
        declared = declared.replace(old, new)
    return pipeline.load(declared, name, files.__getitem__)


ROWS = [
    *synthetic.records(120),
    {"id": "twice", "user": "U0001", "text": "late fees on my card"},
    {"id": "twice", "user": "U0001", "text": "late fees on my card"},
    {"id": "twice", "user": "U0002", "text": "another text under one id, about a loan"},
    {"user": "U0003", "text": "without an id: fees"},
    {"id": "", "user": "", "text": "blank ids: fees"},
    {"id": "", "text": "blank ids: loan"},
    {"id": 17, "user": 17, "text": "numbers for ids"},
    {"id": "lonely", "user": None, "text": "a card without a user"},
    {"id": "lonely", "text": "a loan without a user, the same record id"},
    {"id": "lonely", "user": " ", "text": "a blank is an id"},
    {"id": "mute", "user": "U0004"},
    {"id": "null", "user": "U0004", "text": None},
    {"id": "empty", "user": "U0004", "text": ""},
    {"id": "odd \u2028 \u0085", "user": "\u00c5", "text": "fees\u2028 FEES \u0130"},
    {},
]


def lines(rows):
    """JSON Lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def by_reference(setting, rows):
    """Sketch and counts by the path of a release."""
    fields, counts = jsonl.fields_of(setting.deployment), Counter(dict.fromkeys(intake.COUNTED, 0))
    found = [jsonl.record_of(json.loads(json.dumps(row)), fields) for row in rows]
    return intake.exact_sketch(found, setting.deployment, setting.weights, counts), dict(counts)


def laid_out(folder, pieces):
    """Partitions in a folder, every third of them compressed."""
    folder.mkdir(exist_ok=True)
    for number, piece in enumerate(pieces):
        data = lines(piece)
        if number % 3 == 2:
            (folder / f"part-{number}.jsonl.gz").write_bytes(gzip.compress(data))
        else:
            (folder / f"part-{number}.jsonl").write_bytes(data)
    return sorted(folder.iterdir())


def computed(paths, setting, scratch, place=None):
    """Sketch and counts in parts."""
    found = exact_sketch(paths, setting, place or Here(), scratch, lambda read, records: None)
    return found.sketch, found.counts


@pytest.fixture(scope="session")
def small():
    """The rows, and what may be done with them."""
    return SimpleNamespace(rows=ROWS, lines=lines, by_reference=by_reference, laid_out=laid_out, computed=computed)


@pytest.fixture(params=LEVELS, scope="session")
def setting(request):
    """One deployment after the other."""
    return setting_of(request.param)


@pytest.fixture(scope="session")
def users():
    """A deployment at user level."""
    return setting_of("user")


@pytest.fixture(scope="session")
def single():
    """A deployment at record level."""
    return setting_of("record")
