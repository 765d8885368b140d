"""A probe atom: a public atom of known support, to see how much it takes to be admitted (sections 6.3 and B.8).

The probe stands in the universe before the release, and its records only in the protected half.  This measures the
admission of a known coordinate, not the discovery of a label.
"""

from itertools import count, islice
from typing import NamedTuple

from dpspin import kernel
from dpspin.corpus.representation import Weights
from dpspin.corpus.split import belongs, unit_of
from dpspin.decoder.labels import labels_of
from dpspin.plan import SemanticPlan
from dpspin.universe import Universe
from dpspin_experiments.dataset import DataSet, Entry

LABEL = "Probe theme / Quixoline valve"
TERM = "quixolinevalve"
"""A word of no language: no other record has it, and a probe record has no other."""


class Seen(NamedTuple):
    """What became of the probe in one run."""

    admitted: bool
    mentioned: bool
    """Whether the summary names it; an admitted atom need not be named."""
    exact_rank: int
    """Of its exact mass among all atoms; curator only."""


def with_probe(data: DataSet) -> DataSet:
    """The data set with the probe as its last atom; records are untouched."""
    universe = Universe((*data.universe.labels, LABEL), (*data.universe.descriptions, None))
    atom = len(data.universe)
    rows = {**data.weights.rows, TERM: ((atom, 1),)}
    weights = Weights(data.weights.rule, len(universe), dict(sorted(rows.items())))
    return data.with_atoms(universe, weights)


def records(data: DataSet, support: int) -> list[Entry]:
    """So many synthetic records whose whole mass is the probe's, in units of the protected half."""
    numbered = (Entry(f"probe-{number}", f"probe-{number}", TERM, None, None) for number in count())
    return list(islice((entry for entry in numbered if _is_protected(entry, data)), support))


def seen(plan: SemanticPlan, summary: str, sketch: list[int]) -> Seen:
    """Admission, mention and exact rank of the probe, the last atom of the plan's universe."""
    atom = len(sketch) - 1
    named = {found.atom for found in labels_of(plan.terms.universe.labels).scan(summary)}
    rank = 1 + kernel.highest(sketch, len(sketch)).index(atom)
    return Seen(kernel.is_admitted(plan.pairs, atom), atom in named, rank)


def _is_protected(entry: Entry, data: DataSet) -> bool:
    unit = unit_of(entry.record(), data.user)
    return unit is not None and not belongs(data.split.key, data.split.auxiliary_share, unit)
