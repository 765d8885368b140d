"""Every assignment rule against the labels of one corpus: what no measure of a plan can see (spec.md section 6)."""

from collections.abc import Iterator

from dpspin.corpus import fit
from dpspin_experiments.assignment import embedding
from dpspin_experiments.assignment.batch import Assigner, Shares
from dpspin_experiments.assignment.fidelity import fidelity
from dpspin_experiments.dataset import LABEL_FIELD, DataSet
from dpspin_experiments.results.evidence import Fidelities
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.settings import LabelAtoms

RULES = ("label", "centroid")


def fidelities(bench: Bench) -> list[Fidelities]:
    """The reference's rules and the embedding, at the first condition of the first grid; none without labels."""
    if not isinstance(bench.sweep.atoms, LabelAtoms):
        return []
    grid = bench.sweep.grids[0]
    data = bench.data(grid.unit, grid.universe_sizes[0], False)
    labels = [entry.label for entry in data.halves.protected]
    compared = ((name, fidelity(shares, labels, data.universe.labels)) for name, shares in _shares(data, bench))
    return [
        Fidelities(name, len(data.universe), found.top_one, found.variation_covered, found.variation, found.top_overlap)
        for name, found in compared
        if found is not None
    ]


def _shares(data: DataSet, bench: Bench) -> Iterator[tuple[str, Shares]]:
    """Contributions by rule; all weights and the space are fitted on the auxiliary half."""
    grid = bench.sweep.grids[0]
    auxiliary = [entry.record() for entry in data.halves.auxiliary]
    for rule in RULES:
        weights = fit.fit(auxiliary, (LABEL_FIELD,), data.universe, rule)
        yield rule, Assigner(weights, grid.max_atoms[0]).shares(entry.text for entry in data.halves.protected)
    space = bench.space(grid.unit, grid.universe_sizes[0])
    yield "lsa", embedding.assigned(space, data, grid.max_atoms[0])
