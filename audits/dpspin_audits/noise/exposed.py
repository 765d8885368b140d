"""Exact masses of a subject, by whatever shows them, so that one argument about sums serves all of them.

`Sketches` shows them outright.  Injected noise sees them in its queries.  Under held draws they are differences of
released masses: of a corpus and the same one without the units in question, where the noise is the same.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from dpspin.errors import SubjectError, UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.handed import hand
from dpspin_audits.noise.held import SEEDS, Held, Release, Run
from dpspin_audits.noise.source import Frozen
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.subject import BlackBox, Records, Sketches

ROUNDED = Fraction(1, 2**18)
"""Differences of released masses are exact but for the rounding of four of them."""

Masses = Mapping[Hashable, Fraction]


class Exposed(NamedTuple):
    """One way of seeing exact masses."""

    variant: str
    masses: Callable[[Records], Masses]
    """The masses that records add, by atom or by query and position; those that are not seen are left out."""
    slack: Fraction
    """What rounding may do to one."""
    beside: int
    """Records that stand beside those in question."""


def beside(maker: Maker) -> Records:
    """A corpus on atoms that are always admitted, no two of its texts alike."""
    members = (member for found in maker.probes.single[:2] for member in maker.heavy(found))
    return maker.records(_unlike(maker, member, number) for number, member in enumerate(members))


def _unlike(maker: Maker, member: Member, number: int) -> Member:
    """The same unit with a word of its own in every text, where that changes no mass."""
    texts = tuple(f"{text} n{number}{chr(97 + at % 26)}{at}" for at, text in enumerate(member.texts))
    return Member(member.id, texts) if maker.mass(texts) == maker.mass(member.texts) else member


def exposed(subject: BlackBox, held: Held, settled: Records, first: tuple[int, ...]) -> Iterator[Exposed]:
    """Every way that the subject offers, the strongest first.

    Args:
        subject: under audit.
        held: its held releases.
        settled: a corpus on atoms that are always admitted.
        first: atoms that injected admission takes first.
    """
    if isinstance(subject, Sketches):
        yield Exposed("sketch", lambda records: _sketch(subject, records), Fraction(0), 0)
    if held.injectable:
        yield Exposed("injected", lambda records: _asked(held, records, first), ROUNDED, 0)
    for variant, release in held.ways(settled).items():
        alone = _masses(release, (), SEEDS[0])
        around = () if alone is not None and not any(alone.values()) else settled
        yield Exposed(variant, Added(release, around), ROUNDED, len(around))


def _sketch(subject: Sketches, records: Records) -> Masses:
    shown = hand(records, "sketch", subject.sketch)
    return {atom: Fraction(mass) for atom, mass in enumerate(shown)}


def _asked(held: Held, records: Records, first: tuple[int, ...]) -> Masses:
    """Values of all queries, in units of noise scales times the scale: whatever unit the subject computes in."""
    run = held.injected(records, Frozen(first))
    try:
        return {
            (number, position): Fraction(value)
            for number, asked in enumerate(run.asked)
            for position, value in enumerate(asked.values)
        }
    except (ValueError, OverflowError) as error:
        raise SubjectError("the subject", "a value that is no finite number was given noise") from error


class Added:
    """What records add to a corpus, for atoms where every seed says the same."""

    def __init__(self, release: Release, beside: Records) -> None:
        self._release, self._beside = release, beside
        self._without = [_masses(release, beside, seed) if beside else {} for seed in SEEDS]

    def __call__(self, records: Records) -> Masses:
        """Masses by atom."""
        each = [self._difference(records, seed, without) for seed, without in zip(SEEDS, self._without, strict=True)]
        first = each[0]
        common = set(first).intersection(*each[1:])
        return {atom: first[atom] for atom in common if all(abs(one[atom] - first[atom]) <= ROUNDED for one in each)}

    def _difference(self, records: Records, seed: bytes, without: Masses | None) -> Masses:
        with_ = _masses(self._release, (*self._beside, *records), seed)
        if with_ is None or without is None:
            return {}
        return {atom: with_[atom] - without[atom] for atom in set(with_) & set(without)} if self._beside else with_


def _masses(release: Release, records: Records, seed: bytes) -> Masses | None:
    """Released masses; None where there is no plan that can be read."""
    return masses_of(release(records, seed)) or None


def masses_of(run: Run) -> Masses:
    """Released masses of a run; none where there is no plan that can be read."""
    try:
        return {atom: mass for atom, mass in released_masses(run.bundle).items()}  # noqa: C416 - a wider key
    except UsageError:
        return {}
