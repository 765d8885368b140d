"""The sweep file: what is varied, over which data; strict as a deployment is.

`strict_sample_size` of the paper is refused like any other unknown field: a share of the units is declared instead, and
what a run really held is reported as a statistic of its group (spec.md section 8, rows 1 and 5).
"""

from typing import Annotated, Literal

from pydantic import Field

from dpspin import strict_yaml
from dpspin.adjacency import Unit
from dpspin.deployment import Split
from dpspin.settings import Between, Name, Positive, Share, Strict, validated

MechanismName = Literal["laplace", "gaussian", "private_top_l", "private_top_l_tight"]
"""The paper's three mechanisms, and its admission by the exponent that spends exactly its share (spec.md section 3)."""


class Embedded(Strict):
    """The synthetic complaints that come with the project."""

    kind: Literal["embedded"]
    """The source."""
    records: int = Field(ge=1)
    """How many."""


class OneFile(Strict):
    """A source of one file."""

    kind: Literal["cfpb", "amazon"]
    """The source: its public layouts are known."""
    file: Name
    """Name of the file in the folder of data."""


class Yelp(Strict):
    """Two files that are joined."""

    kind: Literal["yelp"]
    """The source."""
    reviews: Name
    """File of reviews."""
    businesses: Name
    """File of businesses."""


class LabelAtoms(Strict):
    """Atoms by auxiliary support of labels; every grid says how many."""

    kind: Literal["labels"]
    """Labels of the source."""


class PhraseAtoms(Strict):
    """Atoms are two-word phrases of auxiliary texts."""

    kind: Literal["phrases"]
    """Phrases."""
    profile: Name
    """Word lists and rules that are shipped: amazon-beauty or yelp-restaurants."""
    least_support: int = Field(default=1, ge=1)
    """Auxiliary documents that must hold a phrase."""


class Grid(Strict):
    """Every combination of its lists is a condition; every condition is run once for each seed."""

    name: Name
    """For instance main, ablation-K."""
    purpose: Literal["plan", "probe", "ablation"]
    """What figures and claims the grid serves."""
    unit: Unit
    """What is protected."""
    universe_sizes: tuple[int, ...] = Field(min_length=1, strict=False)
    """m as requested; the realised one is recorded."""
    max_atoms: tuple[int, ...] = Field(default=(3,), min_length=1, strict=False)
    """K."""
    plan_sizes: tuple[int, ...] = Field(default=(10,), min_length=1, strict=False)
    """L."""
    mass_bounds: tuple[Positive, ...] = Field(min_length=1, strict=False)
    """B."""
    sampling_rates: tuple[Share, ...] = Field(min_length=1, strict=False)
    """Shares of the protected units, by a keyed hash: n as an expectation."""
    epsilons: tuple[Positive, ...] = Field(min_length=1, strict=False)
    """Claimed privacy loss of a run."""
    mechanisms: tuple[MechanismName, ...] = Field(min_length=1, strict=False)
    """Release mechanisms."""
    probe_supports: tuple[Annotated[int, Field(ge=0)], ...] = Field(default=(), strict=False)
    """Records of the probe atom; without any, the universe has no probe."""
    seeds: int = Field(ge=1, le=10_000)
    """Runs of a condition."""


class Theorems(Strict):
    """How the statements of Appendix A are tried."""

    epsilons: tuple[Positive, ...] = Field(min_length=1, strict=False)
    """Claims to try them at."""
    runs: int = Field(ge=100, le=10**6)
    """Releases for each."""
    beta: Between
    """Probability with which a statement may fail."""


class Comparison(Strict):
    """The plan beside other methods of the same budget, at the first condition of the first grid."""

    mechanism: Literal["laplace", "gaussian"]
    """Noise of the plan and of every private baseline."""
    epsilon: Positive
    """Claimed by each of them."""
    seeds: int = Field(ge=1, le=1000)
    """Releases of each."""


class Sweep(Strict):
    """One data set and the grids over it."""

    schema_: Literal["dpspin-sweep/1"] = Field(alias="schema")
    """Version of this file's layout."""
    name: Name
    """Name of the data set, printed in figures."""
    source: Annotated[Embedded | OneFile | Yelp, Field(discriminator="kind")]
    """Where the records come from."""
    split: Split
    """Division into auxiliary and protected records."""
    atoms: Annotated[LabelAtoms | PhraseAtoms, Field(discriminator="kind")]
    """What the atoms are."""
    rule: Literal["label", "centroid"]
    """How weights are fitted."""
    delta: Between
    """Claimed by mechanisms with Gaussian noise."""
    denominator: Positive
    """The public denominator of every plan."""
    grids: tuple[Grid, ...] = Field(min_length=1, strict=False)
    """What is run."""
    theorems: Theorems | None = None
    """Whether the statements of Appendix A are tried too."""
    comparison: Comparison | None = None
    """Whether other methods are run on the same records."""
    summary_embedding_backend: Literal["none", "lsa"] = "none"
    """Whether summaries are compared by embeddings too, fitted on auxiliary texts."""


def load(data: bytes, place: str) -> Sweep:
    """Read and check a sweep file.

    Raises:
        UsageError: naming the field, the value and the remedy.
    """
    return validated(Sweep, strict_yaml.loads(data, place), place)
