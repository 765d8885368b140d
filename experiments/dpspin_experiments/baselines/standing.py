"""How every method does over several releases: the rows of the comparison on a page of results.

Curator only: utility is computed from exact counts, and references without a guarantee read protected text.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from dpspin.curator.noise import Bits, SeededBits, SystemBits
from dpspin.pipeline import Setting
from dpspin_experiments.assignment.embedding import Space
from dpspin_experiments.baselines.comparison import Output, Prepared, evidence_of, prepared, private_of, references_of
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.methods import METHODS
from dpspin_experiments.baselines.reach import reach
from dpspin_experiments.lexical import Rarity, embedding_similarity, similarity
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Run, conditions
from dpspin_experiments.sweep.groups import Spread, spread
from dpspin_experiments.sweep.settings import Comparison

SEED = bytes.fromhex("ba5e")
ALPHA = 0.001
"""For the audits of all methods of one comparison together."""


class Standing(NamedTuple):
    """One method on one corpus."""

    name: str
    how: str
    given: str
    """What the writer of its summary sees."""
    epsilon: float | None
    """Cost of one release; None for a reference without a guarantee."""
    delta: float | None
    accounting: Sequence[Mapping[str, Any]]
    measured: float | None
    """Lower bound on epsilon by an audit of this method at 1 - ALPHA for all methods together."""
    refuted: bool
    """Whether that audit refutes the claim, or the law that is stated for the noise."""
    measures: Mapping[str, Spread]
    """Utility and likeness over the releases."""
    text: str | None
    """The first summary; None where the records are real."""


def decoded(tree: Mapping[str, Any]) -> Standing:
    """A standing from `Standing._asdict`, through JSON."""
    return Standing(**{**tree, "measures": {name: Spread(*each) for name, each in tree["measures"].items()}})


class Yardstick(NamedTuple):
    """What texts are measured against."""

    found: Prepared
    reference: str
    """The summary of the plan without noise."""
    weights: Rarity
    space: Space

    def measures(self, output: Output) -> dict[str, float]:
        """Every measure that is defined for a method's output."""
        setting, sketch = self.found.setting, self.found.exact.sketch
        values = {
            "reach": reach(output.text, setting.universe, sketch, setting.deployment.plan.size),
            **similarity(output.text, self.reference, self.weights)._asdict(),
            "embedding": embedding_similarity(output.text, self.reference, self.space),
        }
        if output.utility is not None:
            own = {"overlap": output.utility.overlap, "retained": output.utility.retained}
            values |= {name: value for name, value in own.items() if value is not None}
        return values


def standings(bench: Bench) -> list[Standing]:
    """All methods at the first condition of the first grid, under the mechanism and epsilon that the sweep names.

    Noise is seeded on invented records, and the system's own on real ones.
    """
    asked = bench.sweep.comparison
    if asked is None:
        return []
    setting, stick = _yardstick(bench, asked)
    rounds = [references_of(stick.found), *(private_of(stick.found, _bits(bench, at)) for at in range(asked.seeds))]
    outputs: defaultdict[str, list[Output]] = defaultdict(list)
    for output in chain.from_iterable(rounds):
        outputs[output.name].append(output)
    shown = {each.name: each for each in evidence_of(setting, SEED, ALPHA)}
    return [_standing(found, stick, shown.get(name), bench.synthetic) for name, found in outputs.items()]


def _yardstick(bench: Bench, asked: Comparison) -> tuple[Setting, Yardstick]:
    first = next(conditions(bench.sweep.grids[0], bench.sweep))
    delta = "0" if asked.mechanism == "laplace" else bench.sweep.delta.text
    run = Run(first._replace(mechanism=asked.mechanism, epsilon=asked.epsilon.text, delta=delta), 0)
    setting, _ = bench.of(run)
    found = prepared(setting, [entry.record() for entry in bench.gathered.entries])
    at = first.unit, first.universe_size
    reference = found.exact.bundle["summary.txt"].decode()
    return setting, Yardstick(found, reference, bench.rarity(*at), bench.space(*at))


def _standing(found: Sequence[Output], stick: Yardstick, shown: Shown | None, synthetic: bool) -> Standing:
    """One row from all releases of one method."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for output in found:
        for name, value in stick.measures(output).items():
            values[name].append(value)
    first = found[0]
    method = METHODS[first.name]
    return Standing(
        name=first.name,
        how=method.how,
        given=method.given,
        epsilon=None if first.cost is None else float(first.cost.epsilon),
        delta=None if first.cost is None else float(first.cost.delta),
        accounting=list(first.accounting),
        measured=None if shown is None else shown.epsilon_at_least,
        refuted=shown is not None and shown.accused,
        measures={name: spread(each) for name, each in values.items()},
        text=first.text if synthetic else None,
    )


def _bits(bench: Bench, number: int) -> Bits:
    return SeededBits(SEED, number) if bench.synthetic else SystemBits()
