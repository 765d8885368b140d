"""A subject of DPSP/1 that does one thing wrong, named by its first argument; run as a script.

It knows nothing of the project: two atoms, Laplace noise by the standard library's generator.
"""

import base64
import json
import random
import struct
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
CLAIM = {"unit": "record", "adjacency": "add_drop", "mass_bound": "1", "epsilon": "1", "delta": "0",
         "mechanism": "laplace", "scale": "1", "missing_ids": "drop"}  # fmt: skip
OFFERS = ["sample", "seed", "contribution", "unit_key", "sketch", "decoder_input", "spent", "vector", "later"]
out = sys.stdout.buffer
STATE = {}


def say(tree):
    out.write(json.dumps(tree).encode() + b"\n")
    out.flush()


def sketch(records):
    return [sum(1 << 20 for record in records if record.get("text") == word) for word in ("a", "b")]


def sample(order):
    rows, width = order["runs"], 2
    masses = [value / 2**20 + random.expovariate(1) - random.expovariate(1) for _ in range(rows)
              for value in sketch(order["records"])]  # fmt: skip
    atoms = [0, 1] * rows
    if FAULT == "npy":
        import numpy as np

        np.save(STATE["exchange"] + "/atoms.npy", np.array(atoms, np.int32).reshape(rows, width))
        np.save(STATE["exchange"] + "/masses.npy", np.array(masses).reshape(rows, width))
        return {"npy": {"atoms": "atoms.npy", "masses": "masses.npy"}}, b""
    if FAULT == "path":
        return {"npy": {"atoms": "../atoms.npy", "masses": "masses.npy"}}, b""
    if FAULT == "fewer rows":
        rows -= 1
    if FAULT == "huge batch":
        rows = 1 << 40
    kind = "<f4" if FAULT == "unknown type" else "<f8"
    body = struct.pack(f"<{len(atoms)}i", *atoms) + struct.pack(f"<{len(masses)}d", *masses)
    return {"rows": rows, "width": width, "masses": kind}, body[:-3] if FAULT == "short batch" else body


def hello(order):
    if FAULT == "fork":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    return {"protocol": "DPSP/2" if FAULT == "version" else "DPSP/1", "name": "faulty", "offers": OFFERS}


def configure(order):
    STATE.update(exchange=order["exchange"], releases=0)
    return {"claim": CLAIM | ({"epsilon": "nan"} if FAULT == "claim" else {})}


def release(order):
    STATE["releases"] += 1
    plan = json.dumps({"masses": sketch(order["records"]), "seed": order.get("seed")})
    return {"files": {"plan.json": {"text": plan}, "more": {"base64": base64.b64encode(b"\xff").decode()}}}


OPERATIONS = {
    "hello": hello,
    "configure": configure,
    "release": release,
    "contribution": lambda order: {"values": sketch([order["record"]]) if FAULT != "floats" else [0.5, 0]},
    "unit_key": lambda order: {"key": order["record"].get("id")} if FAULT != "no key" else {},
    "sketch": lambda order: {"values": [str(value) for value in sketch(order["records"])]},
    "decoder_input": lambda order: {"data": {"text": order["plan"]}},
    "vector": lambda order: {"output": [order["function"], order["input"]]},
    "spent": lambda order: {"epsilon": str(STATE["releases"]), "delta": "0"},
}

for line in sys.stdin.buffer:
    order = json.loads(line)
    op = order["op"]
    if FAULT == "slow start":
        time.sleep(60)
    if FAULT == "silence" and op == "release":
        time.sleep(60)
    if FAULT == "crash" and op == "release":
        sys.stderr.write("nothing to see\nboom: the last words\n")
        sys.exit(3)
    if FAULT == "half line" and op == "release":
        out.write(b'{"id": 3, "resu')
        out.flush()
        sys.exit(0)
    if FAULT == "flood" and op == "release":
        while True:
            out.write(b"x" * 65536)
    if FAULT == "stderr flood" and op == "release":
        for _ in range(2000):
            sys.stderr.write("x" * 1023 + "\n")
    if FAULT == "order" and op == "release":
        say({"id": order["id"] + 1, "result": {}})
        continue
    if FAULT == "utf8" and op == "release":
        out.write(b'{"id": 3, "result": {"files": {"\xff": {}}}}\n')
        out.flush()
        continue
    if FAULT == "nan" and op == "release":
        out.write(b'{"id": %d, "result": {"files": NaN}}\n' % order["id"])
        out.flush()
        continue
    if FAULT == "skips" and op == "release":
        say({"id": order["id"], "skipped": {"reason": "not today"}})
        continue
    if FAULT == "errs" and op == "release":
        say({"id": order["id"], "errored": {"traceback": "Traceback\nValueError: bad"}})
        continue
    if op == "bye":
        if FAULT == "no bye":
            time.sleep(60)
        say({"id": order["id"], "result": {}})
        break
    if op == "sample":
        tree, body = sample(order)
        say({"id": order["id"], "result": tree})
        out.write(body)
        out.flush()
        continue
    say({"id": order["id"], "result": OPERATIONS[op](order)})
