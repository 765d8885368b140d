"""Adjacent corpora, made for the audit: the larger one is the smaller one and exactly one record more.

No real record is used, so that an audit is not itself a release (spec.md section 8, row 18).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.errors import ImpossibleError
from dpspin.pipeline import Setting
from dpspin_audits.probes import Probe, Probes, probe
from dpspin_audits.subject import Record, Records

DECISIVE = 30
"""A mass of so many noise scales is always admitted: the chance of anything else is below e^-25."""
MOST_COPIES = 4000
DISPLACEMENT_BASE = 1200
VARIED = 150


@dataclass(frozen=True, slots=True)
class Pair:
    """Two corpora that differ in one record, and what the reference contribution map says of the probed atoms."""

    name: str
    smaller: Records
    larger: Records
    atoms: tuple[int, ...]
    """Probed atoms: those that a rule looks at."""
    before: tuple[float, ...]
    """Their exact masses without the record, in units of mass."""
    after: tuple[float, ...]
    """Their exact masses with it."""


@dataclass(frozen=True, slots=True)
class Family:
    """Candidates for one test; a pilot on runs of its own picks one."""

    name: str
    candidates: tuple[Pair, ...]
    heavy: bool
    """Whether the probed atoms are always admitted, so that their medians can be compared."""
    small: bool = True
    """Whether the corpora are small enough for subjects that release one plan at a time."""

    @property
    def tests(self) -> int:
        """At most so many tests share alpha: stated law, plans, low-order bits, and the shift of medians."""
        return 3 + self.heavy


class Maker:
    """Makes records and pairs for one deployment."""

    def __init__(self, setting: Setting, probes: Probes) -> None:
        self.setting, self.probes = setting, probes
        scale = setting.deployment.noise_scale(len(setting.universe)) / MASS_UNIT
        self._decisive = DECISIVE * float(scale)

    def record(self, identifier: str, text: str) -> Record:
        """A record with the deployment's field names."""
        corpus = self.setting.deployment.corpus
        return {corpus.id_field: identifier, corpus.text_field: text}

    def identifiers(self, prefix: str) -> Iterator[str]:
        """Ids in the protected half of the corpus."""
        halves = self.setting.deployment.corpus.split
        number = 0
        while True:
            name = f"{prefix}-{number}"
            if not split.belongs(halves.key, halves.auxiliary_share, name):
                yield name
            number += 1

    def copies(self, prefix: str, texts: Sequence[str]) -> list[Record]:
        """Records with ids of their own."""
        return [self.record(name, text) for name, text in zip(self.identifiers(prefix), texts, strict=False)]

    def settled(self) -> list[Record]:
        """A corpus on two atoms, or one, that are always admitted."""
        return [record for found in self.probes.single[:2] for record in self.heavy(found)]

    def heavy(self, found: Probe) -> list[Record]:
        """Enough copies of a text that all its atoms are always admitted."""
        prefix, least = f"base-{found.heaviest}", min(found.shares[atom] for atom in found.atoms)
        return self.copies(prefix, [found.text] * min(ceil(self._decisive / least), MOST_COPIES))

    def varied(self, prefix: str, count: int) -> list[Record]:
        """Records of different lengths made of words that have weight."""
        words = self.probes.words
        texts = [" ".join(words[(7 * row + 31 * at) % len(words)] for at in range(1 + row % 9)) for row in range(count)]
        return self.copies(prefix, texts)

    def pair(self, name: str, base: Records, added: Record, atoms: Sequence[int]) -> Pair:
        """A pair with its witness checked: the larger corpus is the smaller one and exactly one record more."""
        larger = (*base, added)
        if witness(base, larger) != added:
            raise ImpossibleError(f"pair {name!r} does not differ in exactly one record")
        shares = {text: probe(text, self.setting).shares for text in {self._text(record) for record in larger}}
        before = tuple(sum(shares[self._text(record)][atom] for record in base) for atom in atoms)
        gained = shares[self._text(added)]
        after = tuple(mass + gained[atom] for mass, atom in zip(before, atoms, strict=True))
        return Pair(name, tuple(base), larger, tuple(atoms), before, after)

    def _text(self, record: Record) -> str:
        return record[self.setting.deployment.corpus.text_field]


def witness(smaller: Records, larger: Records) -> Record | None:
    """The one record that `larger` has and `smaller` has not, as multisets; None if they differ in anything else."""
    counts = [Counter(tuple(sorted(record.items())) for record in records) for records in (smaller, larger)]
    more = list((counts[1] - counts[0]).elements())
    return dict(more[0]) if len(more) == 1 and not counts[0] - counts[1] else None


def families(maker: Maker) -> list[Family]:
    """All families of an audit, in the order in which they are reported."""
    single = maker.probes.single[:3]
    wide = [found for found in maker.probes.wide if len(found.atoms) > 1][:2]
    made = [
        _family(maker, "many records, one atom", single, base=True),
        _family(maker, "many records, widest record", wide, base=True),
        _family(maker, "no record, one atom", single, base=False),
        _family(maker, "no record, widest record", wide, base=False),
        _planted(maker),
        _displacement(maker),
    ]
    return [family for family in made if family.candidates]


def _family(maker: Maker, name: str, probes: Sequence[Probe], *, base: bool) -> Family:
    added = next(maker.identifiers("added"))
    pairs = [
        maker.pair(name, maker.heavy(found) if base else [], maker.record(added, found.text), found.atoms)
        for found in probes
    ]
    return Family(name, tuple(pairs), base)


def _planted(maker: Maker) -> Family:
    """A varied corpus and one planted record."""
    name, base = "varied records, one planted", maker.varied("varied", VARIED)
    pairs = [
        maker.pair(name, base, maker.record(next(maker.identifiers("planted")), found.text), found.atoms)
        for found in maker.probes.single[:2]
    ]
    return Family(name, tuple(pairs), heavy=False, small=False)


def _displacement(maker: Maker) -> Family:
    """Two atoms and many records: where a fixed number of units is kept, a new one displaces another.

    Whether it does depends on its id, and what it displaces may lie on the other atom; candidates differ in both.
    """
    name, chosen = "records on two atoms, other ids", maker.probes.single[:2]
    if len(chosen) < 2:
        return Family(name, (), heavy=True)
    base = maker.copies("unit", [chosen[row % 2].text for row in range(DISPLACEMENT_BASE)])
    atoms = tuple(found.heaviest for found in chosen)
    added = [maker.record(name, found.text) for name in islice(maker.identifiers("other"), 4) for found in chosen]
    candidates = tuple(maker.pair(name, base, record, atoms) for record in added)
    return Family(name, candidates, heavy=True, small=False)
