"""Differentially private histogram of a fixed public vocabulary: noise on every count, then the highest (section 6).

Nothing but the vocabulary's own entries can be released, and none of them is unknown beforehand.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples, admit
from dpspin.curator.noise import Bits
from dpspin_experiments.baselines.budget import Budget, Stage
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.vocabulary import Vocabulary


class Histogram(NamedTuple):
    """What is counted and how many entries are released."""

    vocabulary: Vocabulary
    shown: int

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"DP {self.vocabulary.kind} histogram"

    @property
    def stages(self) -> tuple[Stage, ...]:
        """One: a unit adds 1 to at most `most` counts."""
        return (Stage("counts", Fraction(1), self.vocabulary.most, self.vocabulary.most),)

    @property
    def cells(self) -> tuple[str, ...]:
        """Names of what is released, by index."""
        return self.vocabulary.entries

    def counts(self, documents: Sequence[Document]) -> list[int]:
        """The exact counts; they stay with the curator."""
        return [int(count) for count in self.vocabulary.rows(documents).sum(axis=0)]

    def sample(
        self, documents: Sequence[Document], budget: Budget, bits: Bits, runs: int, *, rigorous: bool
    ) -> Samples:
        """`runs` releases: entries in order of descending noisy count, counts in lattice units of mass."""
        noise = budget.draw(self.stages[0], (runs, len(self.cells)), bits, rigorous=rigorous)
        admitted = admit(self.counts(documents), noise, self.shown)
        return Samples(admitted.atoms, admitted.masses * MASS_UNIT)

    def told(self, released: dict[int, int]) -> list[int]:
        """The entries that are released, the highest first."""
        return list(released)

    def seen(self, released: dict[int, int]) -> dict[str, Any]:
        """What the writer of the summary is given: the released entries and their noisy counts."""
        return {"entries": [{"label": self.cells[at], "noisy_count": count} for at, count in released.items()]}

    def text(self, released: dict[int, int]) -> str:
        """A summary of released noisy counts: a function of them alone."""
        entries = self.seen(released)["entries"]
        named = [f"{each['label']} (about {each['noisy_count']:,})" for each in entries if each["noisy_count"] > 0]
        what = "keywords" if self.vocabulary.kind == "keyword" else "categories"
        return f"Most frequent {what}: {', '.join(named)}.\n" if named else f"No {what} stand out.\n"
