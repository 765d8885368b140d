"""One measure that every method can be held to, whatever it releases: which of the heaviest themes its text names."""

from collections.abc import Sequence

from dpspin import kernel
from dpspin.corpus.representation import terms
from dpspin.universe import Universe
from dpspin_experiments.baselines.vocabulary import telling


def reach(text: str, universe: Universe, sketch: Sequence[int], plan_size: int) -> float:
    """Share of the telling words of the exact top L that a text has, each atom weighing its mass; between 0 and 1.

    A text of labels has all words of the atoms that it names; a text in other words is not given credit for its sense.

    Args:
        text: any summary.
        universe: the atoms.
        sketch: exact masses; the result is for the curator alone.
        plan_size: L.
    """
    said, found, whole = terms(text), 0.0, 0
    for atom in kernel.highest(list(sketch), plan_size):
        words = {word for word in terms(universe.labels[atom]) if telling(word)}
        if words:
            found += sketch[atom] * sum(word in said for word in words) / len(words)
            whole += sketch[atom]
    return found / whole if whole else 0.0
