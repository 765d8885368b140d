"""A prepared data set: two halves of records, the atoms and weights that the auxiliary half decides, and settings.

The halves are those of the reference: a keyed hash of each unit's own id, so that at user level they share no user.
Everything in a `DataSet` but its universe is for the curator alone.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from dpspin import canonical, pipeline, universe
from dpspin.adjacency import Adjacency, Unit
from dpspin.corpus import representation
from dpspin.corpus.jsonl import Record
from dpspin.corpus.representation import Weights
from dpspin.corpus.split import belongs, unit_of
from dpspin.deployment import Split, User
from dpspin.universe import Universe

UNIVERSE_FILE, WEIGHTS_FILE = "universe.json", "weights.json"
USER_FIELD, LABEL_FIELD, DATE_FIELD = "user", "label", "date"
BINS = ({"name": "low", "from": "0"}, {"name": "moderate", "from": "0.02"}, {"name": "high", "from": "0.06"})
PUBLIC_TEXT = {
    "count": "Normalised support is not a fraction of records.",
    "noise": "Noisy masses can differ from the exact masses in either direction.",
}
DECLARED_AT = "2026-01-15"


class Entry(NamedTuple):
    """One record of a data set, whatever its source: types are settled, nothing is inferred later."""

    id: str
    """Intrinsic: from the source's own fields, never a position."""
    user: str | None
    """None where the source names nobody."""
    text: str
    label: str | None
    """What the source says the record is about, or None; never used to assign a protected record."""
    date: str | None
    """YYYY-MM-DD, or None."""

    def record(self) -> Record:
        """The record as the reference reads it."""
        named = {LABEL_FIELD: self.label, DATE_FIELD: self.date}
        return Record(self.id, self.text, self.user, {name: value for name, value in named.items() if value})


class Halves(NamedTuple):
    """A corpus divided by unit; records without a unit are in neither half."""

    auxiliary: tuple[Entry, ...]
    protected: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What one run declares; texts are exact numbers, as in a deployment."""

    mechanism: Mapping[str, str]
    """The mechanism section of a deployment."""
    plan_size: int = 10
    """L."""
    max_atoms: int = 3
    """K."""
    mass_bound: str = "1"
    """B."""
    adjacency: Adjacency = "add_drop"
    sampling_rate: str = "1"
    """Share of the protected units, by a keyed hash: their number is not fixed (spec.md section 8, row 1)."""
    selection_key: str = "selection-0"
    denominator: str = "3000"
    """The public denominator, a declared constant."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """What every experiment, baseline and attack is run on."""

    name: str
    unit: Unit
    synthetic: bool
    """Whether no record describes a person; seeds are refused otherwise."""
    split: Split
    halves: Halves = field(repr=False)
    universe: Universe = field(repr=False)
    weights: Weights = field(repr=False)

    @property
    def user(self) -> User | None:
        """How users are told apart, or None at record level."""
        return user_of(self.unit)

    def units(self) -> list[str]:
        """The unit of every protected record, in order."""
        return [unit_of(entry.record(), self.user) or "" for entry in self.halves.protected]

    def setting(self, terms: Terms) -> pipeline.Setting:
        """A deployment over this data set, checked and calibrated as any other is.

        Raises:
            UsageError: when the terms cannot be declared or calibrated.
        """
        files = {UNIVERSE_FILE: universe.encode(self.universe), WEIGHTS_FILE: representation.encode(self.weights)}
        declared = json.dumps(self._tree(terms, files), indent=2).encode() + b"\n"
        return pipeline.load(declared, f"{self.name}.yaml", files.__getitem__)

    def with_atoms(self, atoms: Universe, weights: Weights) -> "DataSet":
        """The same records under other atoms."""
        return replace(self, universe=atoms, weights=weights)

    def _tree(self, terms: Terms, files: Mapping[str, bytes]) -> dict[str, Any]:
        pinned = {name: {"file": name, "sha256": canonical.digest(data)} for name, data in files.items()}
        epsilon, delta = terms.mechanism["epsilon"], terms.mechanism["delta"]
        return {
            "schema": "dpspin-deployment/1",
            "name": self.name,
            "population": f"experiment-{self.name}",
            "declared_at": DECLARED_AT,
            "unit": self.unit,
            **({"user": {"id_field": USER_FIELD, "on_missing_user": "drop"}} if self.unit == "user" else {}),
            "adjacency": terms.adjacency,
            "corpus": {
                "synthetic": self.synthetic,
                "text_field": "text",
                "id_field": "id",
                "split": {"key": self.split.key, "auxiliary_share": self.split.auxiliary_share.text},
                "sampling_rate": terms.sampling_rate,
                "selection_key": terms.selection_key,
            },
            "universe": {**pinned[UNIVERSE_FILE], "provenance": "auxiliary"},
            "assignment": {
                "rule": self.weights.rule, "max_atoms": terms.max_atoms, "weights": pinned[WEIGHTS_FILE],
            },
            "mass_bound": terms.mass_bound,
            "mechanism": dict(terms.mechanism),
            "plan": {
                "size": terms.plan_size, "public_denominator": terms.denominator, "bins": list(BINS),
                "margin": "rule", "noise_beta": "0.05", "display": {"mass_digits": 1, "support_digits": 3},
            },
            "decoder": {
                "backend": "template", "contract_mode": "legacy_text", "max_attempts": 3,
                "public_text": PUBLIC_TEXT,
            },
            "budget": {"epsilon": epsilon, "delta": delta},
        }  # fmt: skip


def user_of(unit: Unit) -> User | None:
    """What a user is in every data set: the one field, and nobody's records are dropped."""
    return User(id_field=USER_FIELD, on_missing_user="drop") if unit == "user" else None


def split_of(key: str, auxiliary_share: str = "1/2") -> Split:
    """The declaration of a split.

    Raises:
        ValueError: when the key is shorter than 8 characters or the share is not between 0 and 1.
    """
    return Split.model_validate({"key": key, "auxiliary_share": auxiliary_share})


def halves_of(entries: Iterable[Entry], split: Split, unit: Unit) -> Halves:
    """Divide a corpus as the reference does (`dpspin.corpus.split`): by a keyed hash of each unit's own id."""
    user = user_of(unit)
    halves: tuple[list[Entry], list[Entry]] = ([], [])
    for entry in entries:
        name = unit_of(entry.record(), user)
        if name is not None:
            halves[not belongs(split.key, split.auxiliary_share, name)].append(entry)
    return Halves(tuple(halves[0]), tuple(halves[1]))
