"""A subject of DPSP/1 by the standard library alone: `dpspin audit --impl 'cmd:python3 subject.py'`."""

from __future__ import annotations  # array[int], before Python 3.12

import json
import sys
import traceback
from array import array
from fractions import Fraction
from typing import Any

import plans
from release import Deployment
from steps import STEPS

OFFERS = ["sample", "seed", "contribution", "unit_key", "sketch", "decoder_input", "spent", "vector"]
Tree = dict[str, Any]


class Subject:
    """One method for each operation: from a request to a result."""

    def __init__(self) -> None:
        self.deployment: Any = None
        self.releases = 0

    def hello(self, _: Tree) -> Tree:
        """Who this is, and what it offers."""
        return {"protocol": "DPSP/1", "name": "python-sample", "offers": OFFERS}

    def configure(self, order: Tree) -> Tree:
        """A deployment; whatever was released before is forgotten."""
        if order["deployment"]["mechanism"]["kind"] != "laplace":
            raise ValueError("this sample has the laplace mechanism alone")
        self.deployment, self.releases = Deployment(order["deployment"], order["files"]), 0
        return {"claim": self.deployment.claim()}

    def release(self, order: Tree) -> Tree:
        """A bundle; every draw follows from the seed where there is one."""
        self.releases += 1
        seed = bytes.fromhex(order["seed"]) if "seed" in order else None
        files = self.deployment.release(order["records"], seed)
        return {"files": {name: {"text": text} for name, text in files.items()}}

    def contribution(self, order: Tree) -> Tree:
        """Of a unit that has this record alone."""
        return {"values": self.deployment.sketch([order["record"]])}

    def sketch(self, order: Tree) -> Tree:
        """The exact masses."""
        return {"values": self.deployment.sketch(order["records"])}

    def unit_key(self, order: Tree) -> Tree:
        """What a record is grouped by."""
        return {"key": self.deployment.unit_of(order["record"])}

    def decoder_input(self, order: Tree) -> Tree:
        """The summary is made of the plan and nothing else."""
        return {"data": {"text": order["plan"]}}

    def spent(self, _: Tree) -> Tree:
        """Every release costs what is claimed."""
        epsilon = Fraction(self.deployment.given["mechanism"]["epsilon"])
        return {"epsilon": plans.exact(self.releases * epsilon), "delta": "0"}

    def vector(self, order: Tree) -> Tree:
        """The output of one step."""
        return {"output": STEPS[order["function"]](order["input"])}

    def bye(self, _: Tree) -> Tree:
        """The end."""
        return {}


def say(tree: Tree, *arrays: array[Any]) -> None:
    """One line, and the numbers that belong to it."""
    sys.stdout.buffer.write(json.dumps(tree).encode() + b"\n" + b"".join(column.tobytes() for column in arrays))
    sys.stdout.buffer.flush()


def answer(subject: Subject, order: Tree) -> None:
    """A result, a reason, or a traceback."""
    number, op = order["id"], order["op"]
    try:
        if op == "vector" and order["function"] not in STEPS:
            say({"id": number, "skipped": {"reason": "this sample has no such step"}})
        elif op == "sample":
            runs, deployment = order["runs"], subject.deployment
            columns = deployment.sample(order["records"], runs)
            say({"id": number, "result": {"rows": runs, "width": deployment.admitted, "masses": "<f8"}}, *columns)
        else:
            say({"id": number, "result": getattr(subject, op)(order)})
    except Exception:
        say({"id": number, "errored": {"traceback": traceback.format_exc()}})


if __name__ == "__main__":
    talking = Subject()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer(talking, request)
        if request["op"] == "bye":
            break
