"""The deployment file: every public parameter of a release, fixed before any record is read.

Strict by design: unknown and duplicate keys, wrong types and numbers outside quotes are refused, so that a misspelt
setting can never fall back to a default.  What this version cannot do yet is refused too, never ignored.
"""

import io
import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic import model_validator as check
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from dpspin.adjacency import MASS_UNIT, Adjacency, Unit, sensitivity
from dpspin.errors import NotImplementedYet, UsageError

EXACT = r"-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?|-?[0-9]{1,40}/[1-9][0-9]{0,39}"
NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
SHA256 = r"[0-9a-f]{64}"
RULE = r"label|centroid|[A-Za-z_][\w.]*:[A-Za-z_]\w*"


class Exact(Fraction):
    """An exact rational that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> "Exact":
        """Read a decimal or a fraction such as "1", "0.05", "1e-6" or "1/3"."""
        if not (isinstance(text, str) and re.fullmatch(EXACT, text, re.ASCII)):
            raise ValueError('write an exact decimal or fraction in quotes, such as "1", "0.05", "1e-6" or "1/3"')
        number = super().__new__(cls, text)
        number.text = text
        return number


def _at_least_zero(number: Exact) -> Exact:
    if number < 0:
        raise ValueError("write a number that is not negative")
    return number


def _above_zero(number: Exact) -> Exact:
    if number <= 0:
        raise ValueError("write a number above zero")
    return number


_Number = Annotated[
    Exact,
    BeforeValidator(Exact),
    WithJsonSchema({"type": "string", "pattern": f"^({EXACT})$"}),
]
NonNegative = Annotated[_Number, AfterValidator(_at_least_zero)]
Positive = Annotated[_Number, AfterValidator(_above_zero)]
Share = Annotated[_Number, AfterValidator(_above_zero), Field(description="Above 0 and at most 1.")]


class _Strict(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True, populate_by_name=False,
        use_attribute_docstrings=True,
    )  # fmt: skip


class PublicFile(_Strict):
    """A file beside the deployment, pinned by the digest of its bytes."""

    file: str = Field(pattern=r"^[^/\\\x00]+$")
    """Name of the file, in the deployment's own folder."""
    sha256: str = Field(pattern=f"^{SHA256}$")
    """SHA-256 of the file's bytes, in hexadecimal."""


class User(_Strict):
    """What a user is, where the protected unit is all records of one user."""

    id_field: str = Field(min_length=1)
    """Name of the field that holds the user's id, compared exactly as given."""
    on_missing_user: Literal["drop", "own_unit"] = "drop"
    """A record without an id contributes nothing (drop) or is a unit of its own (own_unit)."""


class Split(_Strict):
    """How records are divided into auxiliary text and protected text, by a keyed hash of the id."""

    key: str = Field(min_length=8)
    """Key of the hash; not the selection key."""
    auxiliary_share: Share
    """Share of ids whose records are auxiliary: never released, used to build atoms and weights."""


class Corpus(_Strict):
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


class UniverseFile(PublicFile):
    """The fixed public list of atoms and where it came from."""

    provenance: Literal["public", "auxiliary", "charged"]
    """Public knowledge, text disjoint from the protected records, or protected records under a charge of its own."""
    note: str = ""
    """Free text for the report."""


class Assignment(_Strict):
    """How one record's text becomes integer scores over the atoms."""

    rule: str = Field(pattern=f"^({RULE})$")
    """label (words of the labels), centroid (words of auxiliary text) or module:attr."""
    max_atoms: int = Field(ge=1)
    """K: the most atoms that one record may touch."""
    weights: PublicFile
    """Integer term weights; they stay with the curator."""


class Laplace(_Strict):
    """Discrete Laplace noise on every atom, then the L highest (paper section 5.4)."""

    kind: Literal["laplace"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release."""
    delta: NonNegative
    """"0", and nothing else: the mechanism is pure."""


class Gaussian(_Strict):
    """Rounded Gaussian noise on every atom, then the L highest (paper section 5.5)."""

    kind: Literal["gaussian"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release."""
    delta: Positive
    """Probability outside that loss."""
    calibration: Literal["analytic", "classical"]
    """Rule that gives sigma."""


class PrivateTopL(_Strict):
    """Exponential-mechanism admission, then noisy values of the admitted atoms (paper section 5.6)."""

    kind: Literal["private_top_l"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release."""
    delta: NonNegative
    """Probability outside that loss."""
    em_mode: Literal["paper", "tight"]
    """Exponent of the paper, or the proven sharper one."""
    selection_share: Share
    """Share of epsilon spent on admission."""
    values: Literal["gaussian", "laplace"]
    """Noise of the admitted values."""


Mechanism = Annotated[Laplace | Gaussian | PrivateTopL, Field(discriminator="kind")]


class Bin(_Strict):
    """A named range of normalised support, from its cut up to the next one."""

    name: str = Field(pattern=r"^[a-z]+( [a-z]+){0,2}$")
    """Lower-case word or words, used verbatim in summaries."""
    from_: NonNegative = Field(alias="from")
    """Lower cut; a support that reaches it belongs to this bin."""


class Display(_Strict):
    """Digits after the point in texts; comparisons never use displayed values."""

    mass_digits: int = Field(ge=0, le=6)
    """Digits of a noisy mass."""
    support_digits: int = Field(ge=0, le=6)
    """Digits of a normalised support."""


class PlanShape(_Strict):
    """What the plan holds and how it may be described."""

    size: int = Field(ge=1)
    """L: how many atoms the plan admits (all of them where the universe is smaller)."""
    public_denominator: Positive
    """Constant that normalises masses, declared before the data are seen; never a number of records."""
    bins: tuple[Bin, ...] = Field(min_length=1, strict=False)
    """Bins in ascending order, the first from "0"; "below noise floor" is implied below them."""
    margin: Literal["rule"] | NonNegative
    """Least difference of masses that may be put into words; rule: twice the noise floor."""
    noise_beta: Positive
    """Probability that any noise exceeds the noise floor; below 1."""
    display: Display
    """Digits in texts."""


class Decoder(_Strict):
    """Who writes the summary, and under which contract."""

    backend: Literal["template", "structured", "llm"]
    """The writer."""
    contract_mode: Literal["structured", "legacy_text"]
    """Claims as data, or text that is parsed to claims (weaker)."""
    max_attempts: int = Field(ge=1, le=100)
    """R_max: attempts before the deterministic fallback."""
    public_text: dict[str, str]
    """Sentences that may stand in a summary verbatim, by id."""


class Budget(_Strict):
    """The most that all releases over this population may spend together."""

    epsilon: Positive
    """Total of epsilon."""
    delta: NonNegative
    """Total of delta."""


class Deployment(_Strict):
    """Every public parameter of a release (paper sections 3 to 5)."""

    schema_: Literal["dpspin-deployment/1"] = Field(alias="schema")
    """Version of this file's layout."""
    name: str = Field(pattern=f"^{NAME}$")
    """Name of the deployment, printed in reports."""
    population: str = Field(pattern=f"^{NAME}$")
    """Whose records these are; releases over one population share one ledger, refreshes and subsets too."""
    declared_at: str = Field(pattern=f"^{DATE}$")
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

    @check(mode="after")
    def _consistent(self) -> "Deployment":
        for wrong, field, remedy in _contradictions(self):
            if wrong:
                raise ValueError(f"{field}: {remedy}")
        return self

    def noise_scale(self, universe_size: int) -> Fraction:
        """b = Delta_1 / epsilon in lattice units (paper section 5.4)."""
        return sensitivity(self.adjacency, self.mass_bound, universe_size).l1 * MASS_UNIT / self.mechanism.epsilon


def _contradictions(d: Deployment) -> list[tuple[bool, str, str]]:
    """Rules that bind several fields: (broken, field, what to write)."""
    cuts = [b.from_ for b in d.plan.bins]
    names = [b.name for b in d.plan.bins]
    loss = d.mechanism.epsilon
    return [
        ((d.unit == "user") != (d.user is not None), "user", "write it exactly where unit is user"),
        (d.corpus.split.key == d.corpus.selection_key, "corpus.selection_key", "write a key other than split.key"),
        (d.corpus.split.auxiliary_share >= 1, "corpus.split.auxiliary_share", "write a share below 1"),
        (d.corpus.sampling_rate > 1, "corpus.sampling_rate", "write a share of at most 1"),
        (d.mechanism.kind == "laplace" and d.mechanism.delta != 0, "mechanism.delta", 'write "0": laplace is pure'),
        (not Fraction(1, 2**20) <= loss <= 2**20, "mechanism.epsilon", "write a number from 2^-20 to 2^20"),
        (cuts[0] != 0, "plan.bins.0.from", 'write "0"'),
        (cuts != sorted(set(cuts)), "plan.bins", "write ascending cuts"),
        (len(set(names)) < len(names) or "below noise floor" in names, "plan.bins", "give every bin its own name"),
        (d.plan.noise_beta >= 1, "plan.noise_beta", "write a probability below 1"),
        (
            (d.plan.public_denominator * MASS_UNIT).denominator != 1,
            "plan.public_denominator", "write a multiple of 2^-20, for example an integer",
        ),
    ]  # fmt: skip


def _refuse_unbuilt(d: Deployment, place: str) -> None:
    """Refuse settings whose mechanism this version does not have (issue by issue, they move to the built side)."""
    for field, value, built in (
        ("unit", d.unit, "record"),
        ("adjacency", d.adjacency, "add_drop"),
        ("corpus.sampling_rate", d.corpus.sampling_rate, Fraction(1)),
        ("universe.provenance", d.universe.provenance, ("public", "auxiliary")),
        ("assignment.rule", d.assignment.rule, ("label", "centroid")),
        ("mass_bound", d.mass_bound, Fraction(1)),
        ("mechanism.kind", d.mechanism.kind, "laplace"),
        ("decoder.backend", d.decoder.backend, "template"),
        ("decoder.contract_mode", d.decoder.contract_mode, "legacy_text"),
    ):
        choices = built if isinstance(built, tuple) else (built,)
        if value not in choices:
            raise NotImplementedYet(f"{place}: {field}", repr(str(value)), " or ".join(f'"{c}"' for c in choices))


def load(data: bytes, place: str) -> Deployment:
    """Read and check a deployment.

    Args:
        data: the bytes of the YAML file.
        place: name of the file, for messages.

    Raises:
        UsageError: naming the field, the value and the remedy.
        NotImplementedYet: for a documented setting that this version cannot do.
    """
    try:
        tree: Any = YAML(typ="safe", pure=True).load(io.StringIO(data.decode()))
        deployment = Deployment.model_validate(tree)
    except UnicodeDecodeError as error:
        raise UsageError(place, f"byte {error.start} is not UTF-8", "save the file as UTF-8") from error
    except YAMLError as error:
        raise UsageError(place, _where(error), "write each key once, in YAML 1.2") from error
    except ValidationError as error:
        raise _usage(error, place) from error
    _refuse_unbuilt(deployment, place)
    return deployment


def _where(error: YAMLError) -> str:
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {str(error.problem).splitlines()[0]}"
    return str(error).splitlines()[0]


def _usage(error: ValidationError, place: str) -> UsageError:
    """The first complaint, as one line: field, value, remedy."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    remedy = first["msg"].removeprefix("Value error, ")
    if not field:  # from _consistent, which names the field itself
        field, _, remedy = remedy.partition(": ")
    value = "" if first["type"] in ("missing", "value_error") and not first["loc"] else f"{first['input']!r:.80}"
    if first["type"] == "extra_forbidden":
        return UsageError(f"{place}: {field}", "unknown field", "remove it or correct its name")
    if first["type"] == "missing":
        return UsageError(f"{place}: {field}", "missing", "add it (see `dpspin schema deployment`)")
    return UsageError(f"{place}: {field}", f"cannot use {value}" if value else "contradiction", remedy)
