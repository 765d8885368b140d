"""Corpora made for the audit, unit by unit, with the exact mass that the reference gives each unit.

No real record is used, so that an audit is not itself a release (spec.md section 8, row 18).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, repeat
from math import ceil, log

from dpspin.accounting.calibration import LaplaceNoise, Noise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import split
from dpspin.corpus.jsonl import Record as CorpusRecord
from dpspin.curator.sketch import user_sketch
from dpspin.pipeline import Setting
from dpspin_audits.pairs.probes import Probe, Probes
from dpspin_audits.subject import Record

MOST_UNITS = 4000
HEAVY_USER = 8
"""A user with far too many records has so many times as many as reach the bound."""
LAPLACE_SCALES, DEVIATIONS, LOG_ODDS = 30, 12, 25
"""A mass of so many noise scales, or exponents above the others, is always admitted: anything else is below e^-25."""


@dataclass(frozen=True, slots=True)
class Member:
    """One protected unit: a record, or a user with all records."""

    id: str
    """Id of the record, or of the user."""
    texts: tuple[str, ...]
    """Texts of its records: one, unless the unit is a user."""


def corpus_record(record: Record, setting: Setting) -> CorpusRecord:
    """A record as the pipeline reads it."""
    d = setting.deployment
    user = None if d.user is None else record.get(d.user.id_field)
    return CorpusRecord(record.get(d.corpus.id_field), record.get(d.corpus.text_field), user, {})


def decisive(noise: Noise, universe_size: int) -> float:
    """A mass, in units of mass, with which an atom is always admitted among empty ones."""
    if isinstance(noise, Peeling):
        return (LOG_ODDS + log(universe_size)) / float(noise.exponent * MASS_UNIT)
    if isinstance(noise, LaplaceNoise):
        return LAPLACE_SCALES * float(noise.scale / MASS_UNIT)
    return DEVIATIONS * float(noise.sigma / MASS_UNIT)


class Maker:
    """Makes units and records for one deployment."""

    def __init__(self, setting: Setting, probes: Probes) -> None:
        self.setting, self.probes = setting, probes
        self.by_user = setting.deployment.user is not None
        self.replaces = setting.deployment.adjacency == "replacement"
        self.mass = lru_cache(maxsize=None)(self._mass)
        """The exact mass of a unit with these texts, by the reference: int[m], lattice units."""

    def identifiers(self, prefix: str) -> Iterator[str]:
        """Ids of units that are protected and selected."""
        number = 0
        while True:
            if self.kept(f"{prefix}-{number}"):
                yield f"{prefix}-{number}"
            number += 1

    def kept(self, identifier: str) -> bool:
        """Whether a unit with this id is protected and selected."""
        d = self.setting.deployment
        unit = split.unit_of(CorpusRecord(identifier, None, identifier, {}), d.user) or ""
        auxiliary = split.belongs(d.corpus.split.key, d.corpus.split.auxiliary_share, unit)
        return not auxiliary and split.belongs(d.corpus.selection_key, d.corpus.sampling_rate, unit)

    def members(self, prefix: str, texts: Iterable[tuple[str, ...]]) -> list[Member]:
        """Units with ids of their own."""
        return [Member(name, each) for name, each in zip(self.identifiers(prefix), texts, strict=False)]

    def records(self, members: Iterable[Member]) -> list[Record]:
        """The records of units, unit after unit, with the deployment's field names."""
        return [
            self.record(f"{member.id}-r{number}" if self.by_user else member.id, text, member.id)
            for member in members
            for number, text in enumerate(member.texts)
        ]

    def record(self, identifier: str, text: str, user: str | None = None) -> Record:
        """One record; `user` counts where the unit is a user, None leaves the field out."""
        d = self.setting.deployment
        fields = {d.corpus.id_field: identifier, d.corpus.text_field: text}
        return fields if d.user is None or user is None else fields | {d.user.id_field: user}

    def full(self, found: Probe) -> tuple[str, ...]:
        """Texts of a unit with as much mass as a unit may have."""
        return (found.text,) * max(1, ceil(self.setting.deployment.mass_bound) if self.by_user else 1)

    def overfull(self, found: Probe) -> tuple[str, ...]:
        """Texts of a user with far more records than reach the bound; a record stays one."""
        return self.full(found) * (HEAVY_USER if self.by_user else 1)

    def weighing(self, found: Probe, mass: float) -> list[Member]:
        """Units on the atoms of a text, as many as give each of them at least so much mass."""
        shares = self.mass(self.full(found))
        count = ceil(mass * MASS_UNIT / min(shares[atom] for atom in found.atoms)) if found.atoms else 0
        return self.members(f"base-{found.heaviest}", repeat(self.full(found), min(count, MOST_UNITS)))

    def heavy(self, found: Probe) -> list[Member]:
        """Enough units that all atoms of a text are always admitted."""
        return self.weighing(found, decisive(self.setting.noise, len(self.setting.universe)))

    def settled(self) -> list[Record]:
        """A corpus on two atoms, or one, that are always admitted."""
        return self.records(member for found in self.probes.single[:2] for member in self.heavy(found))

    def varied(self, prefix: str, count: int) -> list[Member]:
        """Units whose records have different lengths and are made of words with weight; users have one to five."""
        words = self.probes.words
        texts = (
            " ".join(words[(7 * row + 31 * at) % len(words)] for at in range(1 + row % 9)) for row in range(5 * count)
        )
        sizes = [1 + number % 5 if self.by_user else 1 for number in range(count)]
        return self.members(prefix, [tuple(islice(texts, size)) for size in sizes])

    def masses(self, members: Sequence[Member]) -> list[int]:
        """The exact sketch of units: int[m], lattice units."""
        columns = zip(*(self.mass(member.texts) for member in members), strict=True)
        return list(map(sum, columns)) if members else [0] * len(self.setting.universe)

    def _mass(self, texts: tuple[str, ...]) -> list[int]:
        scores = ((("", self.setting.weights.scores(text))) for text in texts)
        return user_sketch(scores, self.setting.deployment, len(self.setting.universe))
