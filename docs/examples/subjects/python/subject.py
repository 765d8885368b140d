"""A subject of DPSP/1 by the standard library alone: `dpspin audit --impl 'cmd:python3 subject.py'`."""

import json
import sys
import traceback
from typing import Any

from release import Deployment
from steps import STEPS

OFFERS = ["sample", "seed", "contribution", "unit_key", "sketch", "decoder_input", "spent", "vector"]
Tree = dict[str, Any]


class Subject:
    """From a request to its result, and to the bytes that follow it."""

    deployment: Deployment

    def result(self, order: Tree) -> tuple[Tree, bytes]:
        """One of the operations of docs/protocol.md."""
        if order["op"] == "configure":  # whatever was released before is forgotten
            self.deployment = Deployment(order["deployment"], order["files"])
        if order["op"] == "sample":
            runs = order["runs"]
            body = self.deployment.sample(order["records"], runs)
            return {"rows": runs, "width": self.deployment.admitted, "masses": "<f8"}, body
        known = {
            "hello": lambda: {"protocol": "DPSP/1", "name": "python-sample", "offers": OFFERS},
            "configure": lambda: {"claim": self.deployment.claim()},
            "release": lambda: {"files": self.deployment.release(order["records"], order.get("seed"))},
            "contribution": lambda: {"values": self.deployment.sketch([order["record"]])},
            "sketch": lambda: {"values": self.deployment.sketch(order["records"])},
            "unit_key": lambda: {"key": self.deployment.unit_of(order["record"])},
            "decoder_input": lambda: {"data": {"text": order["plan"]}},  # the summary is made of the plan alone
            "spent": lambda: {"epsilon": self.deployment.spent(), "delta": "0"},
            "vector": lambda: {"output": STEPS[order["function"]](order["input"])},
            "bye": dict,
        }
        return known[order["op"]](), b""


def answer(subject: Subject, order: Tree) -> None:
    """A result, a reason, or a traceback, on one line."""
    body = b""
    try:
        if order["op"] == "vector" and order["function"] not in STEPS:
            said = {"skipped": {"reason": "this sample has no such step"}}
        else:
            result, body = subject.result(order)
            said = {"result": result}
    except Exception:
        said = {"errored": {"traceback": traceback.format_exc()}}
    sys.stdout.buffer.write(json.dumps({"id": order["id"], **said}).encode() + b"\n" + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    talking = Subject()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer(talking, request)
        if request["op"] == "bye":
            break
