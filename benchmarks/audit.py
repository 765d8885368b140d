"""How many runs the audit's statistics need: `python benchmarks/audit.py [--quick] [--json]`.

Every task is a mechanism, a claim and a figure that is required; alpha is 0.05.  White-box: the score is a
log-likelihood ratio, of the law that is claimed, or where rounds spend too much, of the law as it was coded.
Black-box: it is learned, and the runs that it is learned from count as used.  Repetitions have fixed seeds, so that
the same figures come out on every machine, seconds excepted.

The whole table takes about six minutes on one core, `--quick` under two.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom

from dpspin_audits.draws import Draws
from dpspin_audits.statistics import bounds, guessing, learned
from dpspin_audits.statistics.features import see
from dpspin_audits.statistics.gaussian_loss import delta_at
from dpspin_audits.statistics.guessing import Point, Rule
from dpspin_audits.statistics.sequential import FIRST, Bettor, Scored

ALPHA = 0.05
MU = 0.26805112
"""A Gaussian shift of so many standard deviations keeps (1, 1e-5)."""
WIDTH, LENGTH, ATOMS = 100, 10, 50
PEERS = {
    "dp-auditorium": "not on the package index",
    "StatDP, DP-Sniper, Delta-Siege": "not on the package index",
    "jax_privacy": "needs JAX, 300 MB; not installed by this project",
}
NEVER = 10**9

Draw = Callable[[bool, int, np.random.Generator], Any]
Score = Callable[[Any], Any]


class Task(NamedTuple):
    """One mechanism under one claim."""

    draw: Draw
    """Outputs for the corpus with the unit, or without it."""
    points: list[Point]
    score: Score | None = None
    """White box: positive for the corpus with the unit; None for a black box."""
    features: Score | None = None
    first: int = 50
    growth: float = 1.5
    horizon: int = 10**7


PURE = [Point(1.0, 0.0)]
CURVE = [Point(e, delta_at(e, MU)) for e in np.linspace(0, MU**2 / 2 + 3 * MU, 13)]


def laplace(scale: float) -> Draw:
    return lambda with_, runs, rng: float(with_) + rng.laplace(0, scale, runs)


def gaussian(scale: float) -> Draw:
    return lambda with_, runs, rng: float(with_) + rng.normal(0, scale, runs)


def sketch(scale: float) -> Draw:
    """Replacement: the unit moves from one atom to another."""

    def draw(with_: bool, runs: int, rng: np.random.Generator) -> Any:
        noisy = rng.standard_normal((runs, ATOMS)) * scale
        noisy[:, int(with_)] += 1
        return noisy

    return draw


def weights(with_: bool, exponent: float) -> Any:
    """Under replacement half of the atoms gain and half lose one unit: counting queries, each moved by one."""
    shift = np.repeat([exponent, -exponent], WIDTH // 2) / 2
    return shift if with_ else np.zeros(WIDTH)


def top(exponent: float) -> Draw:
    """Peeling by Gumbel noise: the LENGTH largest, in order."""

    def draw(with_: bool, runs: int, rng: np.random.Generator) -> Any:
        noisy = -np.log(rng.standard_exponential((runs, WIDTH))) + weights(with_, exponent)
        part = np.argpartition(-noisy, LENGTH - 1, axis=1)[:, :LENGTH]
        order = np.argsort(-np.take_along_axis(noisy, part, 1), axis=1)
        return np.take_along_axis(part, order, 1)

    return draw


def top_ratio(exponent: float) -> Score:
    """Log-likelihood ratio of peeling with this exponent: what is left after every round is the denominator."""

    def log_likelihood(order: Any, with_: bool) -> Any:
        w = np.exp(weights(with_, exponent))
        taken = w[order]
        return (np.log(taken) - np.log(w.sum() - np.cumsum(taken, axis=1) + taken)).sum(axis=1)

    return lambda order: log_likelihood(order, True) - log_likelihood(order, False)


def admitted(order: Any) -> Any:
    found = np.zeros((len(order), WIDTH))
    np.put_along_axis(found, order, 1.0, 1)
    return found


def rounded(score: Score) -> Score:
    return lambda x: np.round(score(x), 9)


LAPLACE = rounded(lambda x: np.abs(x) - np.abs(x - 1))
GAUSSIAN = rounded(lambda x: (x - 0.5) * MU**2)
SKETCH = rounded(lambda x: (x[:, 1] - x[:, 0]) * MU**2 / 2)
TOP, TOP_AS_CODED = rounded(top_ratio(1 / LENGTH)), rounded(top_ratio(1.0))


def runs_to_detect(task: Task, seed: int, alpha: float = ALPHA) -> int:
    """Runs until the promise is refuted; NEVER where the horizon comes first."""
    rng, bettor, used, size = np.random.default_rng(seed), Bettor(task.points, alpha), 0, float(task.first)
    score, past = task.score, []
    while used < task.horizon:
        runs = min(int(size), task.horizon - used)
        coins = rng.random(runs) < 0.5
        sides = [task.draw(with_, int((coins == with_).sum()), rng) for with_ in (False, True)]
        if score is not None:
            bettor.bet(Scored(score(sides[0]), score(sides[1]), coins))
        if bettor.capital.reached is not None:
            return used + bettor.capital.reached - (bettor.capital.runs - runs)
        used, size = used + runs, size * task.growth
        if task.score is None and used < 400_000:
            past.append(sides)
            score = relearned(task, [np.concatenate(side) for side in zip(*past, strict=True)], bettor)
    return NEVER


def relearned(task: Task, sides: list[Any], bettor: Bettor) -> Score:
    """A score from seven tenths of all runs so far, with a rule from the others."""
    features = task.features or (lambda x: np.reshape(x, (len(x), -1)).astype(np.float64))
    rows = [features(side) for side in sides]
    cuts = [int(0.7 * len(side)) for side in rows]
    fitted = learned.fit(*(row[:cut] for row, cut in zip(rows, cuts, strict=True)), 16)
    bettor.start(*(fitted(row[cut:]) for row, cut in zip(rows, cuts, strict=True)))
    return lambda x: fitted(features(x))


def bits_to_detect(seed: int) -> int:
    """Floating-point Laplace noise on 0 or 1, seen by its low-order bits alone; the first 250 runs are for learning."""
    rng, first = np.random.default_rng(seed), 250

    def sides(coins: Any) -> list[Any]:
        drawn = [laplace(1.0)(with_, int((coins == with_).sum()), rng) for with_ in (False, True)]
        return [see(Draws(np.zeros((len(x), 1), np.int64), x[:, None]), (0,)) for x in drawn]

    bettor, fitted = Bettor(PURE, ALPHA), learned.learn_bits(*sides(rng.random(first) < 0.5), ((0.0,), (1.0,)), 1.0)
    for _ in range(100):
        coins = rng.random(50) < 0.5
        bettor.bet(Scored(*map(fitted, sides(coins)), coins))
        if bettor.capital.reached is not None:
            return first + bettor.capital.reached
    return NEVER


def bound_at(runs: int, seed: int) -> float:
    """Lower bound on epsilon of correct Laplace noise at epsilon 1 by a rule that needs no training."""
    rng = np.random.default_rng(seed)
    with_ = int(rng.binomial(runs, 0.5))
    scores = LAPLACE(laplace(1.0)(False, runs - with_, rng)), LAPLACE(laplace(1.0)(True, with_, rng))
    return bounds.epsilon_at_least(guessing.guess(Rule(FIRST, "both", PURE[0]), *scores), 0.0, ALPHA)


def per_second(task: Task, runs: int) -> float:
    """Runs a second of processor time of a whole audit: drawn, scored, bet on and learned from."""
    start = time.process_time()
    runs_to_detect(task._replace(horizon=runs, growth=2.0), 1, 1e-12)  # which nothing reaches
    return runs / (time.process_time() - start)


def row(task: str, found: list[float], required: dict[str, float]) -> dict[str, Any]:
    """One line of the table; `found` is better where it is smaller, unless `required` says at least."""
    least = "at least" in required
    median, p90 = (
        float(np.quantile(found, q, method="lower" if least else "higher")) for q in (0.5, 0.1 if least else 0.9)
    )
    ok = median >= required["at least"] if least else median <= required["median"] and p90 <= required.get("p90", NEVER)
    return {"task": task, "median": round(median, 4), "p90": round(p90, 4), "required": required, "ok": bool(ok)}


DETECTED: dict[str, tuple[Task, int, dict[str, float]]] = {
    "noise halved, white-box": (Task(laplace(0.5), PURE, LAPLACE), 500, {"median": 150, "p90": 300}),
    "noise halved, black-box": (Task(laplace(0.5), PURE, first=300), 100, {"median": 3e3}),
    "scale 10 % small": (Task(laplace(0.9), PURE, LAPLACE, first=100), 200, {"median": 5e3}),
    "scale 3 % small": (Task(laplace(0.97), PURE, LAPLACE, first=100), 200, {"median": 5e4}),
    "scale 1 % small": (Task(laplace(0.99), PURE, LAPLACE, first=100), 60, {"median": 7e5}),
    "Gaussian (1, 1e-5), sigma 10 % small": (
        Task(gaussian(0.9 / MU), CURVE, GAUSSIAN, first=100), 60, {"median": 9e4}),
    "sqrt 2 forgotten, 50 atoms, white-box": (Task(sketch(1 / MU), CURVE, SKETCH, first=200), 100, {"median": 4e3}),
    "sqrt 2 forgotten, 50 atoms, black-box": (
        Task(sketch(1 / MU), CURVE, first=1000, growth=1.4), 30, {"median": 3e4}),
    "epsilon per round, 10 of 100, white-box": (Task(top(1.0), PURE, TOP_AS_CODED), 200, {"median": 150}),
    "epsilon per round, 10 of 100, black-box": (
        Task(top(1.0), PURE, features=admitted, first=500), 40, {"median": 3e3}),
}  # fmt: skip


def discrete(with_: bool, runs: int, rng: np.random.Generator) -> Any:
    """Two-sided geometric noise at epsilon 1."""
    tail = 1 - np.exp(-1.0)
    return float(with_) + rng.geometric(tail, runs) - rng.geometric(tail, runs)


def responses(with_: bool, runs: int, rng: np.random.Generator) -> Any:
    """Randomised response at epsilon 1."""
    return np.where(rng.random(runs) < 1 / (1 + np.exp(-1.0)), float(with_), 1.0 - with_)


def leaky(with_: bool, runs: int, rng: np.random.Generator) -> Any:
    """(1, 0.1)-DP with nothing to spare: one time in ten it tells all."""
    told = np.where(rng.random(runs) < 0.1, 3.0 * (2 * with_ - 1), 0.0)
    return np.where(told != 0, told, 2 * responses(with_, runs, rng) - 1)


CORRECT = {
    "Laplace": Task(laplace(1.0), PURE, LAPLACE),
    "Laplace, black-box": Task(laplace(1.0), PURE, first=300),
    "two-sided geometric": Task(discrete, PURE, LAPLACE),
    "randomised response": Task(responses, PURE, LAPLACE),
    "(1, 0.1) with nothing to spare": Task(leaky, [Point(1.0, 0.1)], lambda x: x),
    "Gaussian on its curve": Task(gaussian(1 / MU), CURVE, GAUSSIAN, first=100),
    "sketch of 50 atoms on its curve": Task(sketch(2**0.5 / MU), CURVE, SKETCH, first=200),
    "peeling, 10 of 100": Task(top(1 / LENGTH), PURE, TOP),
}


def false_alarms(audits: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Alarms of audits of correct mechanisms; consistent with alpha unless a binomial test at 0.001 says otherwise."""
    count = {
        name: sum(
            runs_to_detect(task._replace(horizon=10_000), 10**6 * at + seed) < NEVER for seed in range(audits)
        )
        for at, (name, task) in enumerate(CORRECT.items())
    }  # fmt: skip
    limits = [int(binom.isf(0.001 / len(CORRECT), audits, ALPHA)), int(binom.isf(0.001, audits * len(CORRECT), ALPHA))]
    ok = max(count.values()) <= limits[0] and sum(count.values()) <= limits[1]
    rates = [number / audits for number in count.values()]
    required = {"of one": limits[0] / audits, "of all": round(limits[1] / audits / len(CORRECT), 4)}
    name = f"false alarms, {len(CORRECT)} correct mechanisms, {audits} audits each"
    return {"task": name, "median": float(np.median(rates)), "p90": max(rates), "required": required, "ok": ok}, count


def table(quick: bool) -> list[dict[str, Any]]:
    """All rows; with `quick`, bounds and false alarms from fewer repetitions."""
    rows = []

    def show(found: dict[str, Any]) -> None:
        rows.append(found)
        print(f"{found['task']:58} {found['median']:>12,.4g} {found['p90']:>12,.4g}  {found['required']}  "
              f"{'ok' if found['ok'] else 'NOT MET'}", file=sys.stderr, flush=True)  # fmt: skip

    for name, (task, repeats, required) in DETECTED.items():
        show(row(f"runs: {name}", [runs_to_detect(task, 7000 + seed) for seed in range(repeats)], required))
    show(row("runs: floating-point noise", [bits_to_detect(seed) for seed in range(20 if quick else 200)],
             {"median": 1000}))  # fmt: skip
    for runs, least in ((10**5, 0.975), (10**6, 0.993)):
        found = [bound_at(runs, seed) for seed in range(20 if quick else 100)]
        show(row(f"lower bound, true epsilon 1, {runs:,} runs", found, {"at least": least}))
    show(row("runs a second, scalar", [per_second(Task(laplace(1.0), PURE, LAPLACE), 10**7) for _ in range(3)],
             {"at least": 3e6}))  # fmt: skip
    show(row("runs a second, 50 atoms", [per_second(Task(sketch(2**0.5 / MU), CURVE, SKETCH), 10**6) for _ in range(3)],
             {"at least": 3e5}))  # fmt: skip
    alarms, each = false_alarms(40 if quick else 2000)
    show(alarms)
    print(f"  alarms by mechanism: {each}", file=sys.stderr)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer bounds and false alarms, under two minutes")
    parser.add_argument("--json", action="store_true", help="rows as JSON on standard output")
    asked = parser.parse_args()
    start = time.process_time()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("dpspin", "numpy", "scipy"))
    print(f"{libraries}, Python {sys.version.split()[0]}", file=sys.stderr)
    print(f"{'task':58} {'median':>12} {'p90':>12}  required", file=sys.stderr)
    rows = table(asked.quick)
    for peer, reason in PEERS.items():
        print(f"peer {peer}: not run here ({reason})", file=sys.stderr)
    print(f"{time.process_time() - start:.0f} seconds of processor time", file=sys.stderr)
    if asked.json:
        print(json.dumps(rows, indent=1))
    sys.exit(0 if all(found["ok"] for found in rows) else 1)
