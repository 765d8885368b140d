"""Measure sketches in parts: `python benchmarks/scale.py [RECORDS] [--workers N] [--corpus FOLDER]`.

1. Contributions of a batch of texts beside scikit-learn's CountVectorizer and its sparse product, on one core.
2. `dpspin experiment sketch` of invented records, at both levels, for 10,000, 100,000 and RECORDS (1,000,000) of them:
   seconds, processor time for 1,000 records, and the most memory that all its processes held together.  The last is
   the sum of their resident sets, four times a second: pages that they share count for each, so it is an upper bound.

Both sides of 1 use the weights of the embedded deployment; seconds are of this machine, ratios travel.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from dpspin import pipeline
from dpspin.corpus import embedded, synthetic
from dpspin_experiments.assignment import batch

TEXTS = 20_000
REPEATS = 5
PARTITIONS = 4
LEVELS = {"record": (embedded.RECORD, "deployment.yaml"), "user": (embedded.USER, "gaussian-users.yaml")}
USERS = 300_000
"""Of the corpus with RECORDS: most have a few records each.  The embedded corpus has 1,800 for all its lengths."""


def compared():
    """Texts a second of both, and their ratio."""
    try:
        from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415 - not needed by the other half
    except ImportError:
        print("scikit-learn is not installed: no comparison (pip install scikit-learn)")
        return
    files = embedded.files()
    weights = pipeline.load(files["deployment.yaml"], "embedded", files.__getitem__).weights
    texts = [row["text"] for row in synthetic.records(TEXTS)]
    assigner = batch.Assigner(weights, 3)
    vocabulary, matrix = list(weights.rows), assigner._matrix[1:]

    def peer():
        CountVectorizer(vocabulary=vocabulary).fit_transform(texts).astype(np.int64) @ matrix

    def scores():
        for start in range(0, TEXTS, batch.ROWS_AT_ONCE):
            assigner.scores(texts[start : start + batch.ROWS_AT_ONCE])

    theirs, ours, whole = (median(work) for work in (peer, scores, lambda: assigner.shares(texts)))
    print(
        f"{TEXTS:,} texts, {weights.atoms} atoms, one core: scikit-learn {version('scikit-learn')} "
        f"{TEXTS / theirs:,.0f}/s (product alone)"
    )
    print(f"  scores alone {TEXTS / ours:,.0f}/s, ratio {theirs / ours:.2f}; contributions {TEXTS / whole:,.0f}/s")
    print(f"  ratio contributions / scikit-learn: {theirs / whole:.2f}   (target: at least 1)")


def median(work):
    """Seconds of processor time, so that others on the machine count less."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def write(folder, count):
    """A corpus in several files, every record with a user of its own share."""
    files = [(folder / f"part-{number}.jsonl").open("w") for number in range(PARTITIONS)]
    for number, row in enumerate(synthetic.records(count)):
        row["user"] = f"{row['user']}-{number * 7919 % max(USERS * count // 1_000_000 // 1800, 1)}"
        files[number * PARTITIONS // count].write(json.dumps(row) + "\n")
    for file in files:
        file.close()


def measured(level, corpus, workers):
    """Seconds, processor seconds and the most memory in MB."""
    folder, name = LEVELS[level]
    declared = Path(pipeline.__file__).parent / "deployments" / folder / name
    with tempfile.TemporaryDirectory(dir=corpus.parent) as place:
        asked = ["experiment", "sketch", str(declared), str(corpus), "--workers", str(workers), "--out", f"{place}/out"]
        start, before, most = time.perf_counter(), processor(), 0
        run = subprocess.Popen([sys.executable, "-c", MAIN, *asked], stdout=subprocess.PIPE, text=True)
        while run.poll() is None:
            most = max(most, sum(resident(each) for each in family(run.pid)))
            time.sleep(0.25)
        if run.returncode:
            sys.exit(f"the command ended with exit code {run.returncode}")
        return time.perf_counter() - start, processor() - before, most / 2**20


MAIN = "from dpspin_audits.cli.main import main; main()"


def processor():
    """Seconds of processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family(ancestor):
    """A process and its descendants."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [ancestor]
    for known in found:
        found += [child for child, parent in parents.items() if parent == known]
    return found


def resident(process):
    """Bytes of its resident set; none where it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def main():
    """Both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--corpus", type=Path, help="A folder to use again, or to fill.")
    asked = parser.parse_args()
    print(f"dpspin {version('dpspin')}, Python {sys.version.split()[0]}, numpy {version('numpy')}")
    compared()
    with tempfile.TemporaryDirectory() as place:
        for count in sorted({10_000, 100_000, asked.records}):
            corpus = (asked.corpus or Path(place)) / str(count)
            if not corpus.is_dir():
                corpus.mkdir(parents=True)
                write(corpus, count)
            for level in LEVELS:
                seconds, used, megabytes = measured(level, corpus, asked.workers)
                print(
                    f"{level} level, {count:,} records, {asked.workers} workers: {seconds:.1f} s, "
                    f"{used / count * 1e6:.0f} ms of processors for 1,000 records, {megabytes:.0f} MB",
                    flush=True,
                )


if __name__ == "__main__":
    main()
