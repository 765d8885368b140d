"""What runs share: prepared data, contributions and exact sketches, each computed once.  All of it is curator only."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from dpspin.adjacency import MASS_UNIT, Unit
from dpspin.corpus.split import belongs
from dpspin.pipeline import Setting
from dpspin.settings import Exact
from dpspin_experiments import lexical, probe
from dpspin_experiments.assignment import embedding
from dpspin_experiments.assignment.batch import Assigner, Shares, by_unit, sketch
from dpspin_experiments.atoms.phrases import Choice
from dpspin_experiments.atoms.profile import load as load_profile
from dpspin_experiments.atoms.recipe import Labels, Prepared, Recipe, Themes, prepare
from dpspin_experiments.dataset import DataSet
from dpspin_experiments.sources.gathering import Gathered
from dpspin_experiments.sweep.conditions import Condition, Run
from dpspin_experiments.sweep.settings import LabelAtoms, Sweep


class Exactly(NamedTuple):
    """The exact sketch of a run, and what it is the sketch of."""

    sketch: list[int]
    """Lattice units."""
    units: int
    """Selected units, the probe's included."""
    records: int
    """Their records."""


class Bench:
    """One sweep's data; every method is a function of its arguments, cached."""

    def __init__(self, sweep: Sweep, gathered: Gathered) -> None:
        self.sweep, self.gathered = sweep, gathered
        self.synthetic = sweep.source.kind == "embedded"
        self.prepared = cache(self._prepared)
        self.data = cache(self._data)
        self.shares = cache(self._shares)
        self.exactly: Callable[..., Exactly] = cache(self._exactly)
        self.setting: Callable[..., Setting] = cache(self._setting)
        self.rarity = cache(self._rarity)
        self.space = cache(self._space)

    def digest(self) -> str:
        """Of everything that the results depend on beside a run's own condition."""
        declared = self.sweep.model_dump_json(include={"source", "split", "atoms", "rule", "denominator"})
        whole = hashlib.sha256(declared.encode())
        if self.sweep.summary_embedding_backend != "none":
            whole.update(self.sweep.summary_embedding_backend.encode())
        for entry in self.gathered.entries:
            whole.update(repr(entry).encode())
        return whole.hexdigest()

    def of(self, run: Run) -> tuple[Setting, Exactly]:
        """Setting and exact sketch of a run; the selection depends on the seed only where units are left out."""
        condition, seed = run.condition, 0 if Exact(run.condition.sampling_rate) == 1 else run.seed
        at = condition.unit, condition.universe_size, condition.max_atoms
        selected = condition.mass_bound, condition.sampling_rate, seed, condition.probe_support
        return self.setting(condition, seed), self.exactly(at, selected)

    def _prepared(self, unit: Unit, universe_size: int) -> Prepared:
        declared = self.sweep.atoms
        if isinstance(declared, LabelAtoms):
            atoms: Labels | Themes = Labels(universe_size)
        else:
            atoms = Themes(load_profile(declared.profile), Choice(declared.least_support, universe_size))
        recipe = Recipe(f"{self.sweep.name}-{unit}", unit, self.synthetic, self.sweep.split, atoms, self.sweep.rule)
        return prepare(self.gathered.entries, recipe)

    def _data(self, unit: Unit, universe_size: int, probed: bool) -> DataSet:
        data = self.prepared(unit, universe_size).data
        return probe.with_probe(data) if probed else data

    def _shares(self, unit: Unit, universe_size: int, max_atoms: int) -> Shares:
        data = self.data(unit, universe_size, False)
        return Assigner(data.weights, max_atoms).shares(entry.text for entry in data.halves.protected)

    def _exactly(self, at: tuple[Unit, int, int], selected: tuple[str, str, int, int | None]) -> Exactly:
        (unit, universe_size, _), (mass_bound, rate, seed, support) = at, selected
        units = self.data(unit, universe_size, False).units()
        kept = _selected(units, f"selection-{seed:04d}", Exact(rate))
        shares, names = self.shares(*at)[kept], [units[row] for row in kept]
        grouped = shares if unit == "record" else by_unit(shares, names)
        exact = sketch(grouped, int(Exact(mass_bound) * MASS_UNIT))
        if support is None:
            return Exactly(exact, grouped.shape[0], len(kept))
        added = self._probe_sketch(at, mass_bound, support)
        return Exactly([*exact, added], grouped.shape[0] + support, len(kept) + support)

    def _probe_sketch(self, at: tuple[Unit, int, int], mass_bound: str, support: int) -> int:
        """Mass of the probe's own records, which are units of their own and touch no other atom."""
        unit, universe_size, max_atoms = at
        data = self.data(unit, universe_size, True)
        texts = [entry.text for entry in probe.records(self.data(unit, universe_size, False), support)]
        return sketch(Assigner(data.weights, max_atoms).shares(texts), int(Exact(mass_bound) * MASS_UNIT))[-1]

    def _setting(self, condition: Condition, seed: int) -> Setting:
        data = self.data(condition.unit, condition.universe_size, condition.probe_support is not None)
        return data.setting(condition.terms(self.sweep.denominator.text, seed))

    def _rarity(self, unit: Unit, universe_size: int) -> lexical.Rarity:
        return lexical.rarity(entry.text for entry in self.data(unit, universe_size, False).halves.auxiliary)

    def _space(self, unit: Unit, universe_size: int) -> embedding.Space:
        """Of auxiliary texts alone."""
        return embedding.fit(self.data(unit, universe_size, False).halves.auxiliary)


def _selected(units: Sequence[str], key: str, rate: Exact) -> list[int]:
    """Places of the records whose unit is selected, by the reference's keyed hash."""
    chosen = {unit for unit in set(units) if belongs(key, rate, unit)}
    return [place for place, unit in enumerate(units) if unit in chosen]
