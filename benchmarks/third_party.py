"""How fast an implementation is asked: in process, over DPSP/1's binary pipe, and vector by vector.

`python benchmarks/third_party.py`, some seconds on one core; `make bench` prints the same rows.  Rates are of this
machine, from the median of several repeats.
"""

import sys
import tempfile
import time
from pathlib import Path

from dpspin import pipeline
from dpspin.corpus import embedded
from dpspin_audits.conformance import run, suite
from dpspin_audits.protocol import subject
from dpspin_audits.reference_subject import ReferenceSubject

RUNS = 20_000
VECTORS = 600
REPEATS = 5
PROGRAM = """
import json, sys
import numpy as np
rng, out = np.random.default_rng(), sys.stdout.buffer
claim = {"unit": "record", "adjacency": "add_drop", "mass_bound": "1", "epsilon": "1", "delta": "0"}
for line in sys.stdin:
    asked = json.loads(line)
    result, body = {}, b""
    if asked["op"] == "hello":
        result = {"protocol": "DPSP/1", "name": "fast", "offers": ["sample"]}
    elif asked["op"] == "configure":
        result = {"claim": claim}
    elif asked["op"] == "sample":
        noisy = rng.laplace(0, 1, (asked["runs"], 50))
        order = np.argsort(-noisy, axis=1)
        masses = np.take_along_axis(noisy, order, 1)
        result = {"rows": len(order), "width": 50, "masses": "<f8"}
        body = order.astype("<i4").tobytes() + masses.astype("<f8").tobytes()
    out.write(json.dumps({"id": asked["id"], "result": result}).encode() + b"\\n" + body)
    out.flush()
"""
"""A subject that draws with NumPy, so that the pipe is what is measured."""


def seconds(work):
    """The median wall time of a call."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[REPEATS // 2]


def in_process(setting):
    """Runs of the reference a second: exact noise on every atom of the universe, the highest admitted."""
    reference = ReferenceSubject(setting)
    return RUNS / seconds(lambda: reference.sample([], RUNS))


def by_pipe(setting):
    """Runs of a command a second, drawn there and handed over."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "fast.py"
        program.write_text(PROGRAM)
        command = subject.connect([sys.executable, str(program)], setting)
        try:
            return RUNS / seconds(lambda: command.sample([], RUNS))
        finally:
            command.close()


def vectors(setting):
    """Seconds for 600 conformance vectors, every second one of those that there are."""
    cases, answer = suite.cases()[::2][:VECTORS], run.answers_of(ReferenceSubject(setting))
    return seconds(lambda: list(run.run(cases, answer)))


def measure():
    """Three rows, each with its target."""
    files = embedded.files()
    setting = pipeline.load(files["deployment.yaml"], "embedded", files.__getitem__)
    width = len(setting.universe)
    print(f"audited in process, {width} atoms: {in_process(setting):,.0f} runs/s   (target: at least 100,000 of 50)")
    print(f"audited by binary pipe, 50 masses: {by_pipe(setting):,.0f} runs/s   (target: at least 30,000)")
    print(f"{VECTORS} conformance vectors in process: {vectors(setting):.2f} s   (target: under 5 s)")


if __name__ == "__main__":
    measure()
