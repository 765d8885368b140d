"""Probe texts: found in public data, they touch one atom or as many as a record may.

Nothing protected is read; labels and term weights of the deployment under audit are known to whoever audits it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import scoring
from dpspin.curator.sketch import contribution
from dpspin.errors import UsageError
from dpspin.pipeline import Setting

WORDS_TRIED = 2000


@dataclass(frozen=True, slots=True)
class Probe:
    """A text and what it contributes."""

    text: str
    shares: tuple[float, ...]
    """Contribution to every atom, in units of mass."""

    @property
    def atoms(self) -> tuple[int, ...]:
        """Atoms that it touches."""
        return tuple(atom for atom, share in enumerate(self.shares) if share > 0)

    @property
    def heaviest(self) -> int:
        """The atom that it gives most to; the lower index wins a tie."""
        return max(range(len(self.shares)), key=lambda atom: (self.shares[atom], -atom))


@dataclass(frozen=True, slots=True)
class Probes:
    """The texts that an audit works with."""

    single: tuple[Probe, ...]
    """One for every atom that some text touches: the one that gives it most; most concentrated first."""
    wide: tuple[Probe, ...]
    """Texts that touch many atoms, the widest first."""
    words: tuple[str, ...]
    """Words with weight, to make varied records of."""


def probe(text: str, setting: Setting) -> Probe:
    """A text and its contribution under the deployment's own weights."""
    lattice = contribution(setting.weights.scores(text), setting.deployment)
    return Probe(text, tuple(value / MASS_UNIT for value in lattice))


def search(setting: Setting) -> Probes:
    """Find probe texts among the labels, their words and the terms that have weight.

    Raises:
        UsageError: when no text contributes anything, because then there is nothing to audit; and when a function of
            the deployer's own scores a text now in one way and now in another.
    """
    scoring.check(setting.weights)
    words = _words(setting)
    known = [probe(text, setting) for text in dict.fromkeys([*words, *setting.universe.labels])]
    if isinstance(setting.weights, scoring.OwnScores):
        _check_repeats(known, setting)
    best: dict[int, Probe] = {}
    for candidate in known:
        atom = candidate.heaviest
        if candidate.atoms and (atom not in best or candidate.shares[atom] > best[atom].shares[atom]):
            best[atom] = candidate
    if not best:
        raise UsageError("assignment.weights", "no label and no term touches an atom", "see that labels do")
    single = sorted(best.values(), key=lambda found: (-max(found.shares), found.heaviest))
    joined = [probe(text, setting) for text in _joined(single, setting.deployment.assignment.max_atoms)]
    wide = sorted((*joined, *known), key=_width, reverse=True)
    return Probes(tuple(single), tuple(wide[:3]), tuple(words))


def _check_repeats(known: Sequence[Probe], setting: Setting) -> None:
    """The same texts once more, the last one first: a contribution is a function of one text (paper section 3.3)."""
    for before in reversed(known):
        if probe(before.text, setting) != before:
            raise UsageError(
                f"{setting.deployment.name}: assignment.rule",
                f'"{setting.deployment.assignment.rule}" scored {before.text!a} in two ways, one after the other',
                "see that scores follow from the text alone, not from texts before, a clock or a generator",
            )


def _width(found: Probe) -> tuple[int, float]:
    """How wide, then how even."""
    return len(found.atoms), min((found.shares[atom] for atom in found.atoms), default=0.0)


def _joined(single: Sequence[Probe], max_atoms: int) -> Iterable[str]:
    """Texts made of several probes, a record's most atoms at a time."""
    for start in range(min(3, len(single))):
        yield " ".join(found.text for found in single[start : start + max_atoms])


def _words(setting: Setting) -> list[str]:
    """Terms with weight, those of fewest atoms first; words of the labels where a function scores texts."""
    if isinstance(setting.weights, scoring.OwnScores):
        return list(dict.fromkeys(" ".join(setting.universe.labels).split()))[:WORDS_TRIED]
    rows = setting.weights.rows
    return sorted(rows, key=lambda term: (len(rows[term]), term))[:WORDS_TRIED]
