"""A released bundle of a worked example, and a forger who breaks it and mends digests and chain afterwards."""

import json
from itertools import islice

import pytest

from dpspin import canonical, pipeline, transcript
from dpspin.corpus import embedded
from dpspin.curator.noise import SeededBits
from dpspin.transcript import VisibleObject


def setting_of(example):
    folder, name = embedded.EXAMPLES[example]
    known = embedded.files(folder)
    return pipeline.load(known[name], name, known.__getitem__)


def released(example, records=400, seed=b"verify"):
    setting = setting_of(example)
    corpus = islice(embedded.corpus(setting.deployment), records)
    return pipeline.release(setting, corpus, SeededBits(seed), "0001").bundle


@pytest.fixture(scope="session")
def release():
    """Release a worked example."""
    return released


@pytest.fixture(scope="session")
def bundle():
    """The bundle that is broken; its noise is the same in every run, and it is stamped so."""
    return released("laplace-add-drop", 2000)


class Breaker:
    """Breaks a bundle in one place; what follows from that place is mended, unless `mend` is false."""

    def __init__(self, files):
        self.files = files

    def forge(self, change=lambda rows: None, files=None):
        """Other files and rows of the transcript, with digests and a chain that hold."""
        held = self.files | (files or {})
        rows = [json.loads(line) for line in held["transcript.jsonl"].splitlines()]
        for row in rows:
            if row["name"] == "summary.txt":
                row["text"] = held["summary.txt"].decode()
        change(rows)
        objects = [
            VisibleObject(
                row["name"],
                row["role"],
                held[row["name"]] if row["text"] is None else row["text"].encode(),
                row["charge"],
            )
            for row in rows
        ]
        return held | {"transcript.jsonl": transcript.encode(objects)}

    def edit(self, change):
        """plan.json with another tree; the plan id follows."""
        tree = json.loads(self.files["plan.json"])
        change(tree)
        tree.pop("plan_id", None)
        return canonical.dumps({"plan_id": canonical.digest(canonical.dumps(tree))[:16], **tree})

    def plan(self, change, mend=True):
        """Another plan.json."""
        data = {"plan.json": self.edit(change)}
        return self.forge(files=data) if mend else self.files | data

    def text(self, change, mend=True):
        """Another summary."""
        data = {"summary.txt": change(self.files["summary.txt"])}
        return self.forge(files=data) if mend else self.files | data

    def record(self, change):
        """Other rows of the transcript."""
        return self.forge(change)

    def declared(self, old, new):
        """Another deployment."""
        data = self.files["deployment.yaml"]
        assert old in data
        return self.forge(files={"deployment.yaml": data.replace(old, new, 1)})

    def bytes(self, name, change):
        """Other bytes of a file, nothing mended."""
        return self.files | {name: change(self.files[name])}


@pytest.fixture(scope="session")
def breaker(bundle):
    """Breaks the bundle."""
    return Breaker(bundle)
