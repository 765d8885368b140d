"""Measure dpspin beside its peers in one run: `make bench`.  Ratios travel; seconds are of this machine.

Peers: the exact Laplace vector call of OpenDP, a draw; CountVectorizer of scikit-learn with a sparse product, a text.
"""

import statistics
import subprocess
import sys
import time
from fractions import Fraction
from importlib.metadata import version

import numpy as np
import opendp.prelude as dp
from sklearn.feature_extraction.text import CountVectorizer

from dpspin import pipeline
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded, synthetic
from dpspin.curator.noise import SystemBits, laplace
from dpspin.curator.sketch import sketch

DRAWS = 100_000
TEXTS = 20_000
REPEATS = 5


def seconds(work, repeats=REPEATS):
    """Median wall time of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def noise():
    """Exact Laplace in batch, per draw, against OpenDP; and a rigorous plan of 200 atoms."""
    dp.enable_features("contrib")
    scale = Fraction(MASS_UNIT)
    ours = seconds(lambda: laplace(scale, (DRAWS,), SystemBits(), rigorous=False)) / DRAWS
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    peer = dp.m.make_laplace(*space, scale=float(scale))
    zeros = [0] * 10_000
    theirs = seconds(lambda: peer(zeros), 3) / len(zeros)
    plan = seconds(lambda: laplace(scale, (1, 200), SystemBits(), rigorous=True))
    print(f"exact Laplace, a draw: dpspin {ours * 1e9:.0f} ns, opendp {version('opendp')} {theirs * 1e9:.0f} ns")
    print(f"  ratio opendp / dpspin: {theirs / ours:.1f}   (target: at least 10)")
    print(f"rigorous noise of a 200-atom plan: {plan * 1e3:.1f} ms   (target: under 100 ms)")


def release_path():
    """Scores, contribution and sum of every record, against CountVectorizer and an integer sparse product."""
    files = embedded.files()
    setting = pipeline.load(files["deployment.yaml"], "embedded", files.__getitem__)
    rows = list(synthetic.records(TEXTS))
    texts = [row["text"] for row in rows]
    vocabulary = sorted(setting.weights.rows)
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 2**13, (len(vocabulary), len(setting.universe)))

    def peer():
        CountVectorizer(vocabulary=vocabulary).fit_transform(texts).astype(np.int64) @ dense

    def ours():
        sketch((setting.weights.scores(text) for text in texts), setting.deployment, len(setting.universe))

    theirs, own = seconds(peer, 3), seconds(ours, 3)
    print(f"{TEXTS} texts, {len(setting.universe)} atoms: dpspin {TEXTS / own:,.0f}/s (kernel for every record)")
    print(f"  scikit-learn {version('scikit-learn')} {TEXTS / theirs:,.0f}/s")
    print(f"  ratio dpspin / scikit-learn: {theirs / own:.2f}   (target: at least 0.25)")


MEMORY = """
import resource, sys
from dpspin import pipeline
from dpspin.corpus import embedded, synthetic
from dpspin.corpus.jsonl import fields_of, record_of
from dpspin.curator.noise import SystemBits
f = embedded.files()
s = pipeline.load(f["deployment.yaml"], "embedded", f.__getitem__)
fields = fields_of(s.deployment)
rows = (record_of(row, fields) for row in synthetic.records(int(sys.argv[1])))
pipeline.release(s, rows, SystemBits(), None)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory():
    """Peak memory of a release of few and of many records, each in its own process."""
    small, large = (
        int(subprocess.run([sys.executable, "-c", MEMORY, str(n)], capture_output=True, text=True, check=True).stdout)
        for n in (1_000, 40_000)
    )
    print(f"peak memory: {small / 1024:.0f} MB for 1,000 records, {large / 1024:.0f} MB for 40,000")
    print(f"  ratio: {large / small:.3f}   (target: about 1)")


if __name__ == "__main__":
    print(f"dpspin {version('dpspin')}, Python {sys.version.split()[0]}, numpy {version('numpy')}")
    noise()
    release_path()
    memory()
