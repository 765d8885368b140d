"""The statements of Appendix A at the settings that a sweep names, one table."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from dpspin import canonical
from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Condition, Run, conditions
from dpspin_experiments.sweep.settings import MechanismName
from dpspin_experiments.sweep.theorems import Tried, release, tried


class Trial(NamedTuple):
    """One statement at one condition."""

    condition: Condition
    tried: Tried


def trials(bench: Bench) -> list[Trial]:
    """Every statement at the first condition of the first grid, under every mechanism and every epsilon named."""
    return list(_trials(bench))


def _trials(bench: Bench) -> Iterator[Trial]:
    asked = bench.sweep.theorems
    if asked is None:
        return
    first = next(conditions(bench.sweep.grids[0], bench.sweep))
    for epsilon in asked.epsilons:
        for mechanism in get_args(MechanismName):
            delta = "0" if mechanism == "laplace" else bench.sweep.delta.text
            run = Run(first._replace(mechanism=mechanism, epsilon=epsilon.text, delta=delta), 0)
            setting, exactly = bench.of(run)
            seed = bytes.fromhex(canonical.digest(f"theorems {run.id(bench.digest())}".encode()))
            bits: Bits = SeededBits(seed[:16]) if bench.synthetic else SystemBits()
            seen = release(setting, exactly.sketch, asked.runs, asked.beta, bits)
            yield from (Trial(run.condition, each) for each in tried(seen))


def table(found: Sequence[Trial]) -> bytes:
    """All trials as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = ["mechanism", "epsilon", "statement", "bound", "may_fail", "releases", "failed", "refuted"]
    writer.writerow(["audience", *columns])
    for condition, each in found:
        figures = [each.statement, f"{each.bound:.9g}", f"{each.allowed:g}", each.tried, each.failed, each.refuted]
        writer.writerow(["curator only", condition.mechanism, condition.epsilon, *figures])
    return out.getvalue().encode()
