"""Measure dpspin beside its peers in one run: `python benchmarks/run.py [RECORDS]`, part of `make bench`.

Ratios travel; seconds are of this machine's processors.

Peers: OpenDP's exact Laplace and Gaussian vector calls, a draw, and its noisy top-k with Gumbel noise, which has the
law of peeling, a plan; CountVectorizer of scikit-learn with a sparse product, a text.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from importlib.metadata import version

import accounting
import commands
import numpy as np
import opendp.prelude as dp
import third_party
from sklearn.feature_extraction.text import CountVectorizer

from dpspin import pipeline, plan
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded, synthetic
from dpspin.curator.noise import SystemBits, gaussian, laplace
from dpspin.curator.peeling import peel
from dpspin.curator.sketch import sketch
from dpspin.decoder.verifier import verify

DRAWS = 100_000
PLANS = 10_000
TEXTS = 20_000
REPEATS = 5


def processor(work):
    """Seconds of processor time of a call, so that others on the machine count less."""
    start = time.process_time()
    work()
    return time.process_time() - start


def seconds(work, repeats=REPEATS):
    """Their median over several calls."""
    return statistics.median(processor(work) for _ in range(repeats))


def noise(name, draw, peer, scale):
    """Exact noise in batch, per draw, against OpenDP; and the rigorous noise of 200 atoms."""
    bits, zeros = SystemBits(), [0] * 10_000
    ours = seconds(lambda: draw(scale, (DRAWS,), bits, rigorous=False)) / DRAWS
    theirs = seconds(lambda: peer(zeros), 3) / len(zeros)
    plan = seconds(lambda: draw(scale, (1, 200), bits, rigorous=True))
    print(f"exact {name}, a draw: dpspin {ours * 1e9:.0f} ns, opendp {version('opendp')} {theirs * 1e9:.0f} ns")
    print(f"  ratio opendp / dpspin: {theirs / ours:.1f}   (target: at least 10)")
    print(f"  rigorous noise of a 200-atom plan: {plan * 1e3:.1f} ms   (target: under 100 ms)")


def noises():
    """Laplace at epsilon 1 and Gaussian at epsilon 1, delta 1e-6, for a mass bound of 1."""
    dp.enable_features("contrib")
    domain, b, sigma = dp.vector_domain(dp.atom_domain(T="i64")), Fraction(MASS_UNIT), Fraction("4.2247") * MASS_UNIT
    noise("Laplace", laplace, dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=float(b)), b)
    noise("Gaussian", gaussian, dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale=float(sigma)), sigma)


def admission():
    """Ten of 46 atoms by exact peeling at epsilon 1/2 for selection, per plan, against OpenDP."""
    scores = np.random.default_rng(0).integers(0, 200 * MASS_UNIT, 46).tolist()
    exponent, bits = Fraction(1, 40 * MASS_UNIT), SystemBits()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64"), dp.zero_concentrated_divergence()
    peer = dp.m.make_noisy_top_k(*space, k=10, scale=float(1 / exponent))
    ours = seconds(lambda: peel(scores, exponent, (PLANS, 10), bits, rigorous=False)) / PLANS
    theirs = seconds(lambda: [peer(scores) for _ in range(500)], 3) / 500
    plan = seconds(lambda: peel(scores, exponent, (1, 10), bits, rigorous=True))
    print(f"10 of 46 atoms, a plan: dpspin {ours * 1e6:.1f} us, opendp {version('opendp')} {theirs * 1e6:.0f} us")
    print(f"  ratio opendp / dpspin: {theirs / ours:.1f}   (target: at least 10)")
    print(f"  rigorous admission of a plan: {plan * 1e3:.1f} ms   (target: under 100 ms)")


def release_path():
    """Scores, contribution and sum of every record, against CountVectorizer and an integer sparse product, in turn."""
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

    pairs = [(processor(peer), processor(ours)) for _ in range(REPEATS)]
    theirs, own = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(peers / mine for peers, mine in pairs)
    print(f"{TEXTS} texts, {len(setting.universe)} atoms: dpspin {TEXTS / own:,.0f}/s (kernel for every record)")
    print(f"  scikit-learn {version('scikit-learn')} {TEXTS / theirs:,.0f}/s")
    print(f"  ratio dpspin / scikit-learn: {ratio:.2f}   (target: at least 0.25)")


def verifying():
    """Summaries of ten atoms, each a new plan: built, parsed and checked; no peer does this."""
    files = embedded.files()
    setting = pipeline.load(files["deployment.yaml"], "embedded", files.__getitem__)
    bundle = pipeline.release(setting, embedded.corpus(), SystemBits(), None).bundle
    read, text = plan.decode(bundle["plan.json"], "plan.json"), bundle["summary.txt"].decode()
    spent = seconds(lambda: [verify(text, read) for _ in range(1000)], 3)
    print(f"1,000 summaries of ten atoms verified: {spent:.2f} s   (target: under 2 s)")


RELEASE = """
import sys, time
from pathlib import Path
from dpspin import pipeline
from dpspin.corpus import embedded, jsonl
from dpspin.curator.noise import SystemBits
folder, file, path = sys.argv[1:]
files = embedded.files(folder)
setting = pipeline.load(files[file], file, files.__getitem__)
with open(path, "rb") as stream:
    start = time.process_time()
    jsonl.validate(stream, path)
    pipeline.release(setting, jsonl.Lines(stream, path, jsonl.fields_of(setting.deployment)), SystemBits(), None)
    spent = time.process_time() - start
status = Path("/proc/self/status").read_text()  # getrusage would count what the parent held when it started this
print(spent, int(status.partition("VmHWM:")[2].split()[0]) / 1024)
"""


def whole_releases(folder, file, counts, users=""):
    """Processor time and peak memory of whole releases of corpora of several lengths, each in its own process."""
    print(f"{file}{users and ', ' + users}: whole releases of a JSON Lines file, its check included")
    first = None
    for count in counts:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as corpus:
            for number, row in enumerate(synthetic.records(count)):
                corpus.write(json.dumps(row | {"user": str(number)} if users else row) + "\n")
            corpus.flush()
            command = [sys.executable, "-c", RELEASE, folder, file, corpus.name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        spent, peak = map(float, done.stdout.split())
        first = first or (spent / count, peak)
        print(
            f"  {count:,} records: {spent:.1f} s, {spent / count * 1e6:.0f} us a record, {peak:.0f} MB; "
            f"time a record {spent / count / first[0]:.2f}, memory {peak / first[1]:.2f} of the first"
            f"   (targets: 1{', memory bounded' if users else ''})"
        )


if __name__ == "__main__":
    print(f"dpspin {version('dpspin')}, Python {sys.version.split()[0]}, numpy {version('numpy')}")
    noises()
    admission()
    release_path()
    verifying()
    accounting.run()
    third_party.measure()
    commands.measure()
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    whole_releases(embedded.RECORD, "deployment.yaml", (10_000, most))
    whole_releases(embedded.USER, "gaussian-users.yaml", (10_000, most))
    whole_releases(embedded.USER, "gaussian-users.yaml", (10_000, most), "every record of another user")
