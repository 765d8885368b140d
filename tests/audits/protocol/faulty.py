"""A subject of DPSP/1 that does something wrong, named by its first argument (`+` between several); run as a script.

It knows nothing of the project: two atoms, Laplace noise by the standard library's generator.
"""

import base64
import json
import os
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

FAULTS = sys.argv[1].split("+") if len(sys.argv) > 1 else []
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
    if "npy" in FAULTS:
        import numpy as np

        np.save(STATE["exchange"] + "/atoms.npy", np.array(atoms, np.int32).reshape(rows, width))
        np.save(STATE["exchange"] + "/masses.npy", np.array(masses).reshape(rows, width))
        return {"npy": {"atoms": "atoms.npy", "masses": "masses.npy"}}, b""
    if "path" in FAULTS:
        return {"npy": {"atoms": "../atoms.npy", "masses": "masses.npy"}}, b""
    if "fewer rows" in FAULTS:
        rows -= 1
    if "huge batch" in FAULTS:
        rows = 1 << 40
    kind = "<f4" if "unknown type" in FAULTS else "<f8"
    body = struct.pack(f"<{len(atoms)}i", *atoms) + struct.pack(f"<{len(masses)}d", *masses)
    return {"rows": rows, "width": width, "masses": kind}, body[:-3] if "short batch" in FAULTS else body


def idle(**terms):
    """A process that does nothing; its command line names this script, so that tests find it."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", sys.argv[0]], **terms)


def hello(order):
    if "fork" in FAULTS:
        idle()
    if "daemon" in FAULTS:  # in a session of its own
        idle(start_new_session=True)
    if "leaks" in FAULTS:
        for folder in (Path.cwd(), Path(os.environ["TMPDIR"])):
            place = folder / f"left {os.getpid()}"
            (place / "behind").mkdir(parents=True, exist_ok=True)
            place.chmod(0)
    name = "\x1b[31mfau\u202elty" if "odd name" in FAULTS else "faulty"
    return {"protocol": "DPSP/2" if "version" in FAULTS else "DPSP/1", "name": name, "offers": OFFERS}


def configure(order):
    STATE.update(exchange=order["exchange"], releases=0)
    return {"claim": CLAIM | ({"epsilon": "nan"} if "claim" in FAULTS else {})}


def release(order):
    STATE["releases"] += 1
    plan = json.dumps({"masses": sketch(order["records"]), "seed": order.get("seed")})
    name = "../../outside" if "names" in FAULTS else "more"
    return {"files": {"plan.json": {"text": plan}, name: {"base64": base64.b64encode(b"\xff").decode()}}}


OPERATIONS = {
    "hello": hello,
    "configure": configure,
    "release": release,
    "contribution": lambda order: {"values": sketch([order["record"]]) if "floats" not in FAULTS else [0.5, 0]},
    "unit_key": lambda order: {"key": order["record"].get("id")} if "no key" not in FAULTS else {},
    "sketch": lambda order: {"values": [str(value) for value in sketch(order["records"])]},
    "decoder_input": lambda order: {"data": {"text": order["plan"]}},
    "vector": lambda order: {"output": [order["function"], order["input"]]},
    "spent": lambda order: {"epsilon": str(STATE["releases"]), "delta": "0"},
}

for line in sys.stdin.buffer:
    order = json.loads(line)
    op = order["op"]
    if "slow start" in FAULTS:
        time.sleep(60)
    if "silence" in FAULTS and op == "release":
        time.sleep(60)
    if "crash" in FAULTS and op == "release":
        sys.stderr.write("nothing to see\nboom: the last words\n")
        sys.exit(3)
    if "long words" in FAULTS and op == "release":
        sys.stderr.write("x" * 10_000 + " words at last")
        sys.exit(3)
    if "half line" in FAULTS and op == "release":
        out.write(b'{"id": 3, "resu')
        out.flush()
        sys.exit(0)
    if "deep" in FAULTS and op == "release":
        out.write(b'{"id": %d, "result": ' % order["id"] + b"[" * 10**6 + b"\n")
        out.flush()
        continue
    if "digits" in FAULTS and op == "release":
        out.write(b'{"id": %d, "result": ' % order["id"] + b"9" * 10**6 + b"}\n")
        out.flush()
        continue
    if "escapes" in FAULTS and op == "release":
        sys.stderr.write("\33]0;title\7\33[2J last words\n")
        sys.exit(3)
    if "flood" in FAULTS and op == "release":
        while True:
            out.write(b"x" * 65536)
    if "stderr flood" in FAULTS and op == "release":
        for _ in range(2000):
            sys.stderr.write("x" * 1023 + "\n")
    if "order" in FAULTS and op == "release":
        say({"id": order["id"] + 1, "result": {}})
        continue
    if "utf8" in FAULTS and op == "release":
        out.write(b'{"id": 3, "result": {"files": {"\xff": {}}}}\n')
        out.flush()
        continue
    if "nan" in FAULTS and op == "release":
        out.write(b'{"id": %d, "result": {"files": NaN}}\n' % order["id"])
        out.flush()
        continue
    if "skips" in FAULTS and op == "release":
        say({"id": order["id"], "skipped": {"reason": "not today"}})
        continue
    if "errs" in FAULTS and op == "release":
        say({"id": order["id"], "errored": {"traceback": "Traceback\nValueError: bad"}})
        continue
    if op == "bye":
        if "no bye" in FAULTS:
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
