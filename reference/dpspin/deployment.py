"""The deployment file: every public parameter of a release, fixed before any record is read.

Strict by design: unknown and duplicate keys, wrong types and numbers outside quotes are refused, so that a misspelt
setting can never fall back to a default.
"""

import datetime
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from dpspin import strict_yaml
from dpspin.adjacency import MASS_UNIT, Adjacency, Unit
from dpspin.errors import UsageError
from dpspin.language_model import LanguageModel, contradictions
from dpspin.mechanism import Mechanism, is_pure
from dpspin.plan_shape import BELOW_FLOOR, PlanShape
from dpspin.settings import Between, Name, Positive, Probability, Sha256, Share, Strict, spelt, validated

RULE = r"label|centroid|[A-Za-z_][A-Za-z0-9_]*:[A-Za-z_][A-Za-z0-9_]*"


def _day(text: str) -> str:
    try:
        if datetime.date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise ValueError('write a day as YYYY-MM-DD in quotes, such as "2026-01-31"')


Day = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
RuleName = Annotated[
    str,
    spelt(RULE, "write label, centroid or module:attr"),
    WithJsonSchema({"type": "string", "pattern": f"^({RULE})$"}),
]


class PublicFile(Strict):
    """A file beside the deployment, pinned by the digest of its bytes."""

    file: Name
    """Name of the file, in the deployment's own folder."""
    sha256: Sha256
    """SHA-256 of the file's bytes, in hexadecimal."""


class User(Strict):
    """What a user is, where the protected unit is all records of one user."""

    id_field: str = Field(min_length=1)
    """Name of the field that holds the user's id, compared exactly as given."""
    on_missing_user: Literal["drop", "own_unit"] = "drop"
    """A record without an id contributes nothing (drop) or is a unit of its own (own_unit)."""


class Split(Strict):
    """How records are divided into auxiliary text and protected text, by a keyed hash of the id."""

    key: str = Field(min_length=8)
    """Key of the hash; not the selection key."""
    auxiliary_share: Between
    """Share of ids whose records are auxiliary: never released, used to build atoms and weights."""


class Corpus(Strict):
    """How protected records are read.  The path of the corpus is never part of the deployment."""

    synthetic: bool
    """True only where no record describes a person; seeds and demonstrations need it."""
    text_field: str = Field(min_length=1)
    """Name of the field that holds the text."""
    id_field: str = Field(min_length=1)
    """Name of the field that holds the record's intrinsic id."""
    split: Split
    """Division into auxiliary and protected records."""
    sampling_rate: Share
    """Share of units kept, by a keyed hash of the id; no amplification is claimed."""
    selection_key: str = Field(min_length=8)
    """Key of that hash; not the split's key."""


class UniverseCharge(Strict):
    """What it cost to build the universe, under the deployment's own unit and adjacency: declared, never tested."""

    epsilon: Positive
    """Epsilon of the whole procedure."""
    delta: Probability
    """Delta of the whole procedure."""


class UniverseFile(PublicFile):
    """The fixed public list of atoms and where it came from."""

    provenance: Literal["public", "auxiliary", "charged"]
    """Public knowledge, text disjoint from the protected records, or protected records under a charge of its own."""
    charge: UniverseCharge | None = None
    """Only where provenance is charged: what the population pays for the universe, once."""
    note: str = ""
    """Free text for the report."""


class Assignment(Strict):
    """How one record's text becomes integer scores over the atoms."""

    rule: RuleName
    """label (words of the labels), centroid (words of auxiliary text), or module:attr, a function of one's own."""
    max_atoms: int = Field(ge=1)
    """K: the most atoms that one record may touch."""
    weights: PublicFile
    """Integer term weights, or module.py where the rule is module:attr; it stays with the curator."""


class Decoder(Strict):
    """Who writes the summary, and under which contract."""

    backend: Literal["template", "structured", "llm"]
    """The writer: the template, in either mode; structured, the same but for claims alone; or a language model."""
    contract_mode: Literal["structured", "legacy_text"]
    """Claims as data, or text that is parsed to claims (weaker)."""
    max_attempts: int = Field(ge=1, le=100)
    """R_max: attempts before the deterministic fallback."""
    public_text: dict[str, str]
    """Sentences that may stand in a summary verbatim, by id."""
    llm: LanguageModel | None = None
    """Only where backend is llm: which model is asked, and how."""


class Budget(Strict):
    """The most that all releases over this population may spend together."""

    epsilon: Positive
    """Total of epsilon."""
    delta: Probability
    """Total of delta."""


class Deployment(Strict):
    """Every public parameter of a release (paper sections 3 to 5)."""

    schema_: Literal["dpspin-deployment/1"] = Field(alias="schema")
    """Version of this file's layout."""
    name: Name
    """Name of the deployment, printed in reports."""
    population: Name
    """Whose records these are; releases over one population share one ledger, refreshes and subsets too."""
    declared_at: Day
    """Date (YYYY-MM-DD) on which these parameters were fixed, before anyone saw the records."""
    unit: Unit
    """What is protected: one record, or all records of one user."""
    user: User | None = None
    """Only where unit is user."""
    adjacency: Adjacency
    """Which corpora are compared: one unit more or less, or one unit replaced."""
    corpus: Corpus
    """How records are read."""
    universe: UniverseFile
    """The atoms."""
    assignment: Assignment
    """From text to scores."""
    mass_bound: Positive
    """B: the most mass that one unit may have."""
    mechanism: Mechanism
    """How the plan is released."""
    plan: PlanShape
    """What the plan holds."""
    decoder: Decoder
    """Who writes the summary."""
    budget: Budget
    """What the population allows."""


def _contradictions(d: Deployment) -> Iterator[tuple[bool, str, str, str]]:
    """Rules that bind several fields: (broken, field, what is wrong, what to write)."""
    loss, delta, denominator = d.mechanism.epsilon, d.mechanism.delta, d.plan.public_denominator
    cuts = [b.from_ for b in d.plan.bins]
    names = [b.name for b in d.plan.bins]
    yield d.unit == "user" and d.user is None, "user", "missing", "say what a user is, or write unit: record"
    yield d.unit == "record" and d.user is not None, "user", "without effect", "remove it, or write unit: user"
    charged, costs = d.universe.provenance == "charged", d.universe.charge is not None
    yield charged and not costs, "universe.charge", "missing", "say what the universe cost: epsilon and delta"
    yield costs and not charged, "universe.charge", "without effect", "remove it, or write provenance: charged"
    yield (
        d.corpus.split.key == d.corpus.selection_key, "corpus.selection_key", "equal to corpus.split.key",
        "write another key",
    )  # fmt: skip
    yield is_pure(d.mechanism) and delta != 0, "mechanism.delta", f'cannot use "{delta.text}"', 'write "0": it is pure'
    yield (
        not is_pure(d.mechanism) and delta == 0, "mechanism.delta", f'cannot use "{delta.text}"',
        "write a number above 0: Gaussian noise is not pure",
    )  # fmt: skip
    yield (
        d.unit == "record" and d.mass_bound > 1, "mass_bound", f'cannot use "{d.mass_bound.text}"',
        'write "1" or less: a record has a mass of at most 1, and a larger bound would only add noise',
    )  # fmt: skip
    yield d.mass_bound * MASS_UNIT < 1, "mass_bound", f'cannot use "{d.mass_bound.text}"', "write at least 2^-20"
    yield (
        not Fraction(1, 2**20) <= loss <= 2**20, "mechanism.epsilon", f'cannot use "{loss.text}"',
        "write a number from 2^-20 to 2^20",
    )  # fmt: skip
    yield cuts[0] != 0, "plan.bins.0.from", f'cannot use "{cuts[0].text}"', 'write "0"'
    yield cuts != sorted(set(cuts)), "plan.bins", "cuts do not ascend", "order the bins by their cuts"
    yield len(set(names)) < len(names), "plan.bins", "a name stands twice", "give every bin its own name"
    yield BELOW_FLOOR in names, "plan.bins", f'cannot use "{BELOW_FLOOR}"', "remove it: it is implied"
    yield (
        d.decoder.backend == "structured" and d.decoder.contract_mode != "structured", "decoder.contract_mode",
        f'cannot use "{d.decoder.contract_mode}"', "write structured: this writer gives claims, not text",
    )  # fmt: skip
    yield from contradictions(d.decoder.backend, d.decoder.llm, d.decoder.contract_mode)
    yield (
        (denominator * MASS_UNIT).denominator != 1, "plan.public_denominator", f'cannot use "{denominator.text}"',
        "write a multiple of 2^-20, for example an integer",
    )  # fmt: skip


def _check_consistent(d: Deployment, place: str) -> None:
    for broken, field, problem, remedy in _contradictions(d):
        if broken:
            raise UsageError(f"{place}: {field}", problem, remedy)


def load(data: bytes, place: str) -> Deployment:
    """Read and check a deployment.

    Args:
        data: the bytes of the YAML file.
        place: name of the file, for messages.

    Raises:
        UsageError: naming the field, the value and the remedy.
    """
    deployment = validated(Deployment, strict_yaml.loads(data, place), place)
    _check_consistent(deployment, place)
    return deployment
