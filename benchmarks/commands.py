"""How long commands take: `python benchmarks/commands.py`; `make bench` prints the same rows.

Seconds of processor time, children included, so that others on the machine count less; the help by the clock as well.
"""

import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

MAIN = "from dpspin_audits.cli.main import main; main()"
REPEATS = 5
SEED = "00112233445566778899aabbccddeeff"
WIDE = {**os.environ, "COLUMNS": "120"}


def run(*arguments):
    """Seconds by the clock and of processors for one command that has to succeed."""
    start, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-c", MAIN, *arguments], check=True, capture_output=True, env=WIDE)
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return time.perf_counter() - start, used


def measure():
    """The help, a smoke audit of the embedded deployment, and its report made again."""
    helps = [run("--help") for _ in range(REPEATS)]
    clock, used = (min(column) for column in zip(*helps, strict=True))
    print(f"dpspin --help: {clock:.2f} s by the clock, {used:.2f} s of processor   (target: under 0.3 s)")
    with tempfile.TemporaryDirectory() as place:
        out = f"{place}/audit"
        used = run("audit", "--seed", SEED, "--out", out)[1]
        print(f"smoke audit of the embedded deployment: {used:.0f} s of processor   (target: under 60 s)")
        used = run("report", "build", f"{out}/evidence.json", "-o", f"{place}/report.html")[1]
        print(f"its report made again from the evidence: {used:.1f} s of processor")


if __name__ == "__main__":
    print(f"dpspin {version('dpspin')}, Python {sys.version.split()[0]}")
    measure()
