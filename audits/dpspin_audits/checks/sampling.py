"""sampling: whether what a subject samples has the law of what it releases.

The distribution is judged on samples, and what is published are releases; a program may make the two in two ways.  Both
are taken of one corpus with two atoms that are always admitted and an odd number of records, and compared by a few
numbers of a plan (`numbers`).
If n releases and m samples are independent plans of one law, their empirical distribution functions of one number
differ by more than x(n) + x(m), x(k) = sqrt(ln(2 / a) / (2 k)), with probability at most 2 a, whatever the law
(Dvoretzky, Kiefer and Wolfowitz 1956; Massart 1990).  300 releases show noise that is half of what is sampled:
distances from the middle then differ by 1/4, and x(300) is .16 at a = 5e-7.  Four of them in a row are made by one
instance, so that noise which is left out in one of the four shows as well.  Masses may be released in fewer digits
than they are sampled in: values count as equal that differ by half of the least gap between released ones.
"""

from collections.abc import Mapping
from contextlib import suppress
from math import log, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.adjacency import MASS_UNIT
from dpspin_audits.checks.check import Check, Location, at_least, level
from dpspin_audits.distribution.trials import derive, sample
from dpspin_audits.draws import Draws
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import Batched, BlackBox, Claim, Records

ID = "sampling"
SCOUTS, RELEASES, SAMPLES = 1000, 300, 20_000
"""Samples that say where the middle is; releases and samples that are compared."""
EACH = 4
"""Releases of one instance, one after another."""
REMEDY = "let `sample` and `release` call the same code for noise and admission"
ABSENT = -1e300
"""In place of a number where a plan lacks an atom."""

Floats = npt.NDArray[np.float64]


class Number(NamedTuple):
    """One number of some plans."""

    values: Floats
    """float64[runs]."""
    masses: Floats | None = None
    """Where it moves as far as a mass does: that mass."""


Numbers = Mapping[str, Number]


class Released:
    """A subject that shows its releases alone; each of its instances makes EACH of them, or as many as it will."""

    def __init__(self, subject: BlackBox) -> None:
        self.claim: Claim = subject.claim
        self._subject, self._own, self._made = subject, subject, EACH

    @property
    def lost(self) -> str:
        """Why nothing more will come; empty where something may."""
        return str(getattr(self._subject, "lost", None) or "")

    def fresh(self) -> "Released":
        """Itself, since it makes instances as it needs them."""
        return self

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The next release of an instance, or the first of a new one; the first may raise anything."""
        if self._made < EACH:
            self._made += 1
            with suppress(Exception):  # one that has spent its budget may refuse
                return self._own.release(records)
        self._own, self._made = self._subject.fresh(), 1
        return self._own.release(records)


class Difference(NamedTuple):
    """How far the laws of one number lie apart, and how far chance may bring them."""

    number: str
    distance: float
    allowed: float


def check(subject: BlackBox, maker: Maker, seed: bytes, alpha: float) -> Check:
    """The verdict.

    Args:
        subject: the implementation.
        maker: makes a corpus some atoms of which are always admitted.
        seed: of samples, for subjects that can be repeated.
        alpha: probability of a false alarm, at most.

    Raises:
        SubjectError: when no release gives a plan, or `sample` breaks the protocol.
    """
    if not isinstance(subject, Batched):
        return Check(
            ID, "not_run", "statistical", "What is sampled was not compared with what is released.", {},
            "needs `sample`; without it, releases are what is judged", "offer `sample`",
        )  # fmt: skip
    atoms, records = [found.heaviest for found in maker.probes.single[:2]], maker.settled()[1:]
    scouts = sample(subject, records, SCOUTS, derive(seed, ID, "scouts"))
    centres = [float(np.median(values)) for values in masses(scouts, atoms)]
    drawn = sample(subject, records, SAMPLES, derive(seed, ID, "samples"))
    given = sample(Released(subject), records, RELEASES, b"")
    found = differences(numbers(given, atoms, centres), numbers(drawn, atoms, centres), alpha)
    worst = max(found, key=lambda one: one.distance - one.allowed)
    figures: dict[str, object] = {
        "releases": RELEASES,
        "samples": SAMPLES,
        "compared": len(found),
        "allowed": at_least(worst.allowed),
        "alpha": level(alpha),
    }
    if worst.distance > worst.allowed:
        figures["distance"] = at_least(worst.distance)
        return Check(
            ID, "fail", "statistical", "What is released has another law than what is sampled.", figures,
            f"{worst.number}: distribution functions of releases and of samples are {at_least(worst.distance)} apart",
            REMEDY, Location("plan.json"),
        )  # fmt: skip
    return Check(ID, "pass", "statistical", "Releases and samples have the same law, as far as was compared.", figures)


def masses(plans: Draws, atoms: list[int]) -> list[Floats]:
    """Masses of some atoms: float64[runs] each, ABSENT where one was not released."""
    return [np.where(plans.atoms == atom, plans.masses, ABSENT).max(axis=1) for atom in atoms]


def numbers(plans: Draws, atoms: list[int], centres: list[float]) -> Numbers:
    """What is compared, by name.

    Args:
        plans: of one corpus.
        atoms: two that are always admitted, or one.
        centres: of their masses.
    """
    values = masses(plans, atoms)
    others = np.where(np.isin(plans.atoms, [*atoms, -1]), -ABSENT, plans.atoms).min(axis=1, initial=-ABSENT)
    found = {"the first of the other atoms": Number(others)}
    for atom, value, centre in zip(atoms, values, centres, strict=True):
        found[f"mass of atom {atom}"] = Number(value, value)
        found[f"distance of the mass of atom {atom} from its middle"] = Number(np.abs(value - centre), value)
        found[f"parity of atom {atom}"] = Number(value * MASS_UNIT % 2)
    if len(atoms) > 1:
        above = [value > centre for value, centre in zip(values, centres, strict=True)]
        found["whether two masses lie on one side"] = Number((above[0] == above[1]).astype(np.float64))
    return found


def differences(given: Numbers, drawn: Numbers, alpha: float) -> list[Difference]:
    """Every number of releases and of samples; a parity only where both count in lattice units, one by one."""
    told = [name for name in given if not name.startswith("parity") or _counts(given[name].values, drawn[name].values)]
    each = alpha / (2 * len(given))
    return [
        Difference(name, distance(given[name], drawn[name]), sum(_reach(side[name], each) for side in (given, drawn)))
        for name in told
    ]


def _counts(given: Floats, drawn: Floats) -> bool:
    """Whether parities are those of whole numbers, and released ones not all even, as rounding makes them."""
    return bool((given % 1 == 0).all() and (drawn % 1 == 0).all() and given.any())


def _reach(number: Number, alpha: float) -> float:
    """How far an empirical distribution function may lie from its law, but with probability alpha."""
    return sqrt(log(2 / alpha) / (2 * len(number.values)))


def distance(given: Number, drawn: Number) -> float:
    """The largest difference of two empirical distribution functions, rounding of released masses granted."""
    one, two = np.sort(given.values), np.sort(drawn.values)
    gaps = np.diff(np.unique([] if given.masses is None else given.masses))
    slack = float(gaps.min()) / 2 if len(gaps) else 0.0
    return max(_excess(one, two, slack), _excess(two, one, slack))


def _excess(one: Floats, two: Floats, slack: float) -> float:
    """The largest excess of one function over the other, a little further to the right; values ascend."""
    at = one + slack
    return float((np.arange(1, len(one) + 1) / len(one) - np.searchsorted(two, at, side="right") / len(two)).max())
