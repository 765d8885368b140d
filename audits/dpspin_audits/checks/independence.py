"""independence: whether noise is shared between masses, between releases, or with an earlier corpus.

Equal bits prove nothing where masses are coarse, so each test counts what exchangeable noise does at most half of the
time, whatever its law.

Locked: two masses X and Y, each seen twice, change by the same amount, or always by opposite amounts, beyond rounding.
Given the amount t by which X changed, a change of Y by t and one by -t are equally likely, so that each has a chance of
at most 1/2.  X and Y are two masses of one release, or one mass in two releases of one instance whose corpora differ.
Atoms of one release have so much mass that they are always admitted: a few, pair by pair; and the two atoms, whichever
they are, that most often had masses of equal size in plans of the empty corpus.

Tied: on the empty corpus all L released masses are equal in two releases, and the releases differ.  Of all ways to
divide the values between two exchangeable releases, less than one in 2^(L-1) puts every copy of the larger value into
one of them.

Remembered: k releases of the empty corpus after one of many records all give an atom more than k releases before it: a
chance of at most 1 / C(2k, k).

Each is repeated until it fails once, or its chance is below the level; so honest noise costs a few releases.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import ceil, comb, log2

import numpy as np

from dpspin.errors import UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.checks.check import Check, Location, level
from dpspin_audits.distribution.trials import sample
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.pairs.probes import Probe
from dpspin_audits.running.outcomes import Conduct, Outcome, observe, release
from dpspin_audits.subject import Batched, BlackBox, Records

ID = "independence"
TESTS = 5
MOST_ATOMS = 5
"""Atoms of one release that are compared with each other."""
PLANS, RELEASES = 4000, 30
"""Plans of the empty corpus in which equal masses are looked for: where they can be sampled, and where not."""
NEAR = Fraction(1, 2**20)
"""Changes that agree to one lattice unit are the same: sums of floats round differently."""
SIGNS = (1, -1)
"""Of a change of one mass against that of another."""
MOST = 64
"""Pairs of releases that a test looks at."""
BEFORE = 14
"""Releases of the empty corpus before one of many records, and after it: a chance of one in 40 million."""
REMEDY = "draw fresh noise for every mass of every release"

Masses = Mapping[int, Fraction]


def histories(maker: Maker) -> list[Records]:
    """Corpora to release one after another in a process that has released nothing else."""
    return [*[()] * BEFORE, maker.settled(), *[()] * BEFORE]


def check(subject: BlackBox, maker: Maker, seed: bytes, alpha: float, history: Conduct | None) -> Check:
    """The verdict.

    Args:
        subject: the implementation.
        maker: makes corpora.
        seed: of samples, for subjects that can be repeated.
        alpha: probability of a false alarm, at most.
        history: what became of `histories`; None where new processes cannot be had.

    Raises:
        SubjectError: when a release raises.
    """
    few = maker.probes.single[: max(2, min(MOST_ATOMS, maker.setting.deployment.plan.size))]
    needed, atoms = ceil(log2(TESTS * len(SIGNS) * comb(len(few), 2) / alpha)), [found.heaviest for found in few[:2]]
    tests: dict[str, Callable[[], bool]] = {
        "two masses of a release": lambda: _share(subject, maker, few, needed),
        "two masses of another release": lambda: _share(subject, maker, equal(subject, maker, seed), needed),
        "two releases of an instance": lambda: locked(_between(subject, maker), [(0, 1)], needed),
        "masses of atoms without records": lambda: tied(_empty(subject), needed),
    }
    if history is not None:
        tests["what earlier records left behind"] = lambda: remembered(history.outcomes, atoms, alpha / TESTS)
    figures = {"compared": sorted(tests), "repeated": needed, "alpha": level(alpha)}
    found = next((name for name, shared in tests.items() if shared()), None)
    if found is None:
        where = "" if history is not None else "; earlier records were not looked for"
        return Check(ID, "pass", "statistical", f"No noise is shared by what was compared{where}.", figures)
    seen = "the empty corpus releases a mass that was not there before the records" if found.startswith("what") else (
        f"{found} have the same noise, or noise of opposite sign")  # fmt: skip
    return Check(ID, "fail", "statistical", "The noise is not independent.", figures, seen, REMEDY,
                 Location("plan.json"))  # fmt: skip


def locked(changes: Iterable[Masses], pairs: Iterable[tuple[int, int]], needed: int) -> bool:
    """Whether Y changes as X, or always against it, so many times in a row where X changes at all; for any pair."""
    left = dict.fromkeys(product(pairs, SIGNS), 0)
    for change in changes:
        left = {row: seen + new for row, seen in left.items() if (new := _alike(change, *row[0], row[1])) is not None}
        if not left or max(left.values()) >= needed:
            break
    return max(left.values(), default=0) >= needed


def _alike(change: Masses, first: int, second: int, sign: int) -> int | None:
    """One where the second changes by the sign times the first, zero where the first does not change, else None."""
    if first not in change or second not in change:
        return None
    if abs(change[first]) <= NEAR:
        return 0
    return 1 if abs(change[first] - sign * change[second]) <= NEAR else None


def _share(subject: BlackBox, maker: Maker, probes: Sequence[Probe], needed: int) -> bool:
    """Whether any two of some atoms have the same noise, on a corpus of these atoms alone."""
    if len(probes) < 2:
        return False
    records = maker.records(member for found in probes for member in maker.heavy(found))
    pairs = combinations([found.heaviest for found in probes], 2)
    return locked(_within(subject, records), pairs, needed)


def equal(subject: BlackBox, maker: Maker, seed: bytes) -> list[Probe]:
    """The two atoms that most often have masses of equal size in plans of the empty corpus; none where no two have."""
    drawn = sample(subject, [], PLANS if isinstance(subject, Batched) else RELEASES, seed)
    order = np.argsort(np.abs(drawn.masses), axis=1, kind="stable")
    sizes, atoms = (np.take_along_axis(rows, order, axis=1) for rows in (np.abs(drawn.masses), drawn.atoms))
    same = np.diff(sizes) <= float(NEAR)
    pairs = zip(atoms[:, :-1][same].tolist(), atoms[:, 1:][same].tolist(), strict=True)
    common = Counter(frozenset(pair) for pair in pairs).most_common(1)
    return [found for found in maker.probes.single if common and found.heaviest in common[0][0]]


def _within(subject: BlackBox, records: Records) -> Iterator[Masses]:
    """Changes of masses from one release to another."""
    for _ in range(MOST):
        one, other = _masses(release(subject, records)), _masses(release(subject, records))
        yield {atom: other[atom] - one[atom] for atom in set(one) & set(other)}


def _between(subject: BlackBox, maker: Maker) -> Iterator[Masses]:
    """Changes of one mass from one instance to another, on a corpus and on a larger one, both by the same instance."""
    found = maker.probes.single[0]
    corpora = maker.settled(), [*maker.settled(), *maker.records(maker.members("more", [maker.full(found)] * 3))]
    for _ in range(MOST):
        rows = [_by_instance(subject.fresh(), corpora, found.heaviest) for _ in range(2)]
        if rows[0] is None or rows[1] is None:
            return
        yield {at: rows[1][at] - rows[0][at] for at in (0, 1)}


def _by_instance(instance: BlackBox, corpora: Sequence[Records], atom: int) -> tuple[Fraction, Fraction] | None:
    """An atom's masses in two releases of one instance; None where it refuses the second, or leaves the atom out."""
    masses = [_of(observe(partial(instance.release, records))) for records in corpora]
    return (masses[0][atom], masses[1][atom]) if all(atom in one for one in masses) else None


def tied(releases: Iterator[Masses], needed: int) -> bool:
    """Whether all masses of a release are equal, release by release, and releases differ."""
    seen = 0
    for one, other in zip(releases, releases, strict=False):
        values = [set(masses.values()) for masses in (one, other)]
        if min(len(one), len(other)) < 2 or max(map(len, values)) > 1:
            return False
        seen += (min(len(one), len(other)) - 1) * (values[0] != values[1])
        if seen >= needed:
            return True
    return False


def _empty(subject: BlackBox) -> Iterator[Masses]:
    """Releases of the empty corpus."""
    return (_masses(release(subject, [])) for _ in range(2 * MOST))


def remembered(outcomes: Sequence[Outcome], atoms: Sequence[int], alpha: float) -> bool:
    """Whether one of these atoms weighs more in every release after the records than in every one before them."""
    before, after = outcomes[:BEFORE], outcomes[BEFORE + 1 :]
    if len(outcomes) <= 2 * BEFORE or len(atoms) / comb(2 * BEFORE, BEFORE) > alpha:
        return False
    masses = [[_of(outcome) for outcome in side] for side in (before, after)]
    lowest = Fraction(-(10**30))
    return any(
        min(one.get(atom, lowest) for one in masses[1]) > max(one.get(atom, lowest) for one in masses[0])
        for atom in atoms
    )


def _of(outcome: Outcome) -> Masses:
    return {} if outcome.bundle is None else _masses(outcome.bundle)


def _masses(bundle: Mapping[str, bytes]) -> Masses:
    """Released masses; none where they cannot be read."""
    try:
        return released_masses(bundle)
    except UsageError:
        return {}
