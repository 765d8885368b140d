"""The demonstration: trials of both releases with 0, 10 and 50 crafted records, and what they come to."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.pipeline import Setting
from dpspin.settings import Exact
from dpspin_audits.distribution.trials import derive, stream
from dpspin_audits.statistics import guessing
from dpspin_audits.statistics.bounds import Guesses, epsilon_at_least, rate_at_least, rate_at_most
from dpspin_audits.statistics.guessing import Point
from dpspin_experiments.attack import clusters, plans, story
from dpspin_experiments.attack.bound import success_at_most, under_replacement

CHANCE = 0.5
ALPHA = 0.001
"""Probability that the measured epsilon of a row exceeds the true one, and that its true rate of right guesses lies
outside its interval, at most, each."""
PER_TRIAL = 100
"""Plans of every trial; a plan takes far less time than clusters."""
PEOPLE = 300


class Terms(NamedTuple):
    """What is tried."""

    seed: bytes
    trials: int = 300
    """Corpora for every row, each of other people."""
    crafted: tuple[int, ...] = (0, 10, 50)


class Row(NamedTuple):
    """What one release with so many crafted records came to."""

    release: str
    """clusters or plan."""
    crafted: int
    runs: int
    success: float
    """Rate of right guesses; where the release tells nothing, half a guess is right."""
    told: int
    """Runs in which the release told anything."""
    bound: float | None
    """What (epsilon, delta) allows; None where nothing is promised."""
    claimed: float | None
    """epsilon under replacement."""
    epsilon_at_least: float
    """Measured, at confidence 1 - ALPHA."""
    least: float = 0.0
    most: float = 1.0
    """Interval for the rate of right guesses, at confidence 1 - ALPHA (Clopper and Pearson)."""

    @property
    def refuted(self) -> bool:
        """Whether the promise cannot be true: the rate is above its bound, or the loss above the claim."""
        if self.bound is None or self.claimed is None:
            return False
        return self.least > self.bound or self.epsilon_at_least > self.claimed


def demonstrate(setting: Setting, epsilon: Exact, terms: Terms) -> list[Row]:
    """All rows: clusters first, plans after them; the same seed gives the same rows.

    Args:
        setting: the deployment whose plan is attacked, with Laplace noise.
        epsilon: loss of one plan under replacement.
        terms: what is tried.
    """
    pool = story.others()
    full, found = clusters.corpus(pool), plans.prepared(plans.replacement(setting, epsilon), setting.weights, pool)
    return [_clusters(full, crafted, terms) for crafted in terms.crafted] + [
        _plans(found, crafted, terms) for crafted in terms.crafted
    ]


def _clusters(full: clusters.Corpus, crafted: int, terms: Terms) -> Row:
    coin = stream(derive(terms.seed, "clusters", str(crafted)))
    guesses, truths = [], []
    for _ in range(terms.trials):
        people, secret = coin.choice(story.POOL, PEOPLE, replace=False), int(coin.integers(2))
        summaries = clusters.released(full, clusters.records(full, people, crafted, secret), coin)
        guesses.append(clusters.read(summaries, full.words))
        truths.append(secret)
    told = sum(guess is not None for guess in guesses)
    right = sum(guess == truth for guess, truth in zip(guesses, truths, strict=True))
    measured = epsilon_at_least(Guesses(terms.trials, told, right), 0.0, ALPHA)
    tossed = right + int(coin.integers(2, size=terms.trials - told).sum())  # a coin where nothing is told: a plain rate
    return Row(
        "clusters",
        crafted,
        terms.trials,
        (right + CHANCE * (terms.trials - told)) / terms.trials,
        told,
        None,
        None,
        measured,
        *_interval(tossed, terms.trials),
    )


def _plans(found: plans.Prepared, crafted: int, terms: Terms) -> Row:
    """The rule behind the measured epsilon is chosen on the first half of the runs and counted on the second."""
    coin = stream(derive(terms.seed, "plans", str(crafted)))
    truths, scores = [], []
    for trial in range(terms.trials):
        people, secrets = coin.choice(story.POOL, PEOPLE, replace=False), coin.integers(2, size=PER_TRIAL) == 1
        seed = derive(terms.seed, "noise", str(crafted), str(trial))
        scores.append(plans.scores(found, people, crafted, secrets, seed))
        truths.append(secrets)
    truth, score = np.concatenate(truths), np.concatenate(scores)
    success = float(np.where(score == 0, CHANCE, (score > 0) == truth).mean())
    tossed = np.where(score == 0, coin.integers(2, size=len(score)) == 1, score > 0) == truth
    epsilon, delta = map(float, under_replacement(found.deployment))
    return Row(
        "plan", crafted, len(truth), success, int((score != 0).sum()),
        success_at_most(epsilon, delta), epsilon, _measured(score, truth, Point(epsilon, delta)),
        *_interval(int(tossed.sum()), len(truth)),
    )  # fmt: skip


def _interval(right: int, runs: int) -> tuple[float, float]:
    return float(rate_at_least(right, runs, ALPHA / 2)), rate_at_most(right, runs, ALPHA / 2)


def _measured(score: plans.Floats, truth: npt.NDArray[np.bool_], point: Point) -> float:
    middle = len(score) // 2
    first, second = ([part[truth[half] == side] for side in (False, True)] for half, part in (
        (slice(0, middle), score[:middle]), (slice(middle, None), score[middle:])
    ))  # fmt: skip
    rule = guessing.choose(first[0], first[1], point, ALPHA)
    return epsilon_at_least(guessing.guess(rule, second[0], second[1]), rule.delta, ALPHA)
