"""From gathered entries to a prepared data set: halves, atoms, weights, and a manifest of how they came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from dpspin import canonical, universe
from dpspin.adjacency import Unit
from dpspin.corpus import fit, representation
from dpspin.corpus.dictionary import Skipped, dictionary
from dpspin.corpus.jsonl import Record
from dpspin.corpus.representation import Weights
from dpspin.deployment import Split
from dpspin.errors import UsageError
from dpspin.universe import Universe
from dpspin_experiments.atoms import phrases
from dpspin_experiments.atoms.profile import Profile
from dpspin_experiments.dataset import LABEL_FIELD, DataSet, Entry, halves_of

AUDIENCE = "curator only: supports are counts of auxiliary people's records"
Rule = Literal["label", "centroid"]


@dataclass(frozen=True, slots=True)
class Labels:
    """Atoms are the labels that most auxiliary records have (CFPB: product / issue / sub-issue)."""

    size: int
    """m at most."""


@dataclass(frozen=True, slots=True)
class Themes:
    """Atoms are two-word phrases of auxiliary texts (Amazon, Yelp)."""

    profile: Profile
    choice: phrases.Choice


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a data set is prepared."""

    name: str
    unit: Unit
    synthetic: bool
    split: Split
    atoms: Labels | Themes
    rule: Rule = "centroid"


class Prepared(NamedTuple):
    """A data set and the manifest of its atoms."""

    data: DataSet
    manifest: dict[str, Any]


class _Atoms(NamedTuple):
    universe: Universe
    weights: Weights
    skipped: tuple[Skipped, ...]
    notes: dict[str, Any]


def prepare(entries: Sequence[Entry], recipe: Recipe) -> Prepared:
    """Divide the entries and build atoms and weights from the auxiliary half alone.

    Raises:
        UsageError: when the auxiliary half has no usable label or phrase.
    """
    halves = halves_of(entries, recipe.split, recipe.unit)
    if not halves.auxiliary:
        raise UsageError(recipe.name, "no auxiliary record", "give more records or a larger auxiliary_share")
    atoms = _atoms(halves.auxiliary, recipe)
    data = DataSet(
        recipe.name, recipe.unit, recipe.synthetic, recipe.split, halves, atoms.universe, atoms.weights
    )  # fmt: skip
    return Prepared(data, _manifest(atoms, recipe))


def _atoms(auxiliary: Sequence[Entry], recipe: Recipe) -> _Atoms:
    records = [entry.record() for entry in auxiliary]
    if isinstance(recipe.atoms, Labels):
        found, skipped = dictionary(records, (LABEL_FIELD,), recipe.atoms.size)
        weights = fit.fit(records, (LABEL_FIELD,), found, recipe.rule)
        support = dict.fromkeys(found.labels, 0)
        for entry in auxiliary:
            if entry.label in support:
                support[entry.label] += 1
        labels = {entry.label for entry in auxiliary if entry.label}
        notes = {"kind": "labels", "requested": recipe.atoms.size, "candidates": {"labels": len(labels)}}
        return _Atoms(found, weights, skipped, notes | {"support": support})
    return _themes(auxiliary, recipe.atoms, recipe.rule)


def _themes(auxiliary: Sequence[Entry], themes: Themes, rule: Rule) -> _Atoms:
    """Phrases; for the centroid rule a document counts once under every phrase that it holds."""
    profile = themes.profile
    built = phrases.build((entry.text for entry in auxiliary), profile, themes.choice)
    labels = built.universe.labels
    records = [
        Record(entry.id, entry.text, entry.user, {LABEL_FIELD: label} if label else {})
        for entry in auxiliary
        for label in ((rule == "centroid" and phrases.held(entry.text, profile, labels)) or [""])
    ]
    notes = {
        "kind": "phrases",
        "profile": {"name": profile.name, "sha256": profile.digest},
        "canonical": {
            "words": dict(profile.words),
            "phrases": {" ".join(old): " ".join(new) for old, new in profile.phrases.items()},
            "word_order": "the one that more auxiliary documents have",
        },
        "refinement": "support" if themes.choice.size is None else "most frequent",
        "requested": themes.choice.size,
        "least_support": themes.choice.least_support,
        "candidates": dict(built.counts),
        "support": dict(built.support),
    }
    return _Atoms(built.universe, fit.fit(records, (LABEL_FIELD,), built.universe, rule), built.skipped, notes)


def _manifest(atoms: _Atoms, recipe: Recipe) -> dict[str, Any]:
    """How the atoms came about; `realised` is m, which may be less than requested."""
    families = {atoms.universe.labels[atom]: len(longer) for atom, longer in universe.families(atoms.universe).items()}
    return {
        "audience": AUDIENCE,
        "data": recipe.name,
        "unit": recipe.unit,
        "split": {"key": recipe.split.key, "auxiliary_share": recipe.split.auxiliary_share.text},
        "rule": recipe.rule,
        "realised": len(atoms.universe),
        "universe_sha256": canonical.digest(universe.encode(atoms.universe)),
        "weights_sha256": canonical.digest(representation.encode(atoms.weights)),
        "skipped": [{"label": each.label, "reason": each.reason} for each in atoms.skipped],
        "labels_that_begin_longer_ones": families,
        **atoms.notes,
    }
