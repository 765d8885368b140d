"""The layout of claims as data: what a writer gives in structured mode (JSON Schema: `schema`).

Atoms are positions in the universe, bins their names, numbers decimals in quotes; one way to write each claim.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from dpspin import canonical
from dpspin.decimals import shown
from dpspin.decoder import claims as c
from dpspin.decoder.tokens import decimal
from dpspin.plan import PlanTerms
from dpspin.settings import Strict, spelt, validated

SCHEMA = "dpspin-claims/1"
MOST_CLAIMS = 20_000
VALUE = r"-?(0|[1-9][0-9]{0,399})(\.[0-9]{1,400})?"
EXACT = r"(0|[1-9][0-9]{0,399})(\.[0-9]{1,400})?(e[+-]?[0-9]{1,2})?|[0-9]{1,400}/[1-9][0-9]{0,399}"

Atom = Annotated[int, Field(ge=0, le=10**6)]
Value = Annotated[
    str, spelt(VALUE, 'write a decimal such as "118.4"'), WithJsonSchema({"type": "string", "pattern": f"^{VALUE}$"})
]
Written = Annotated[
    str, spelt(EXACT, 'write the number as the plan has it, such as "1e-6"'),
    WithJsonSchema({"type": "string", "pattern": f"^({EXACT})$"}),
]  # fmt: skip


class Mention(Strict):
    """The atom is released."""

    kind: Literal["mention"]
    """What is claimed."""
    atom: Atom
    """Position in the universe, as `index` in plan.json."""


class Measure(Strict):
    """The atom's noisy mass or normalised support, with no fewer digits than the plan displays."""

    kind: Literal["mass", "support"]
    """What is claimed."""
    atom: Atom
    """Position in the universe."""
    value: Value
    """Decimal in quotes, without grouping or exponent."""


class Inside(Strict):
    """The bin of the atom."""

    kind: Literal["bin"]
    """What is claimed."""
    atom: Atom
    """Position in the universe."""
    value: str
    """Name of the bin, as in plan.json."""


class Pair(Strict):
    """Two atoms: left has more support by the margin, both have similar support, or left ranks above right."""

    kind: Literal["comparison", "similarity", "above"]
    """What is claimed."""
    left: Atom
    """Position in the universe."""
    right: Atom
    """Position in the universe."""


class Standing(Strict):
    """The rank of the atom."""

    kind: Literal["rank"]
    """What is claimed."""
    atom: Atom
    """Position in the universe."""
    value: int = Field(ge=1, le=10**6)
    """Counted from 1."""


class Tally(Strict):
    """How many atoms are released, in all or in one bin."""

    kind: Literal["count"]
    """What is claimed."""
    value: int = Field(ge=0, le=10**6)
    """So many."""
    bin: str | None
    """Name of the bin, or null for all."""


class Setting(Strict):
    """A public parameter."""

    kind: Literal["parameter"]
    """What is claimed."""
    name: Literal["epsilon", "delta", "denominator", "plan size"]
    """Which one."""
    value: Written
    """Its exact value."""


class Public(Strict):
    """A public text, by its id."""

    kind: Literal["public_text"]
    """What is claimed."""
    id: str = Field(max_length=1000)
    """Its id in the plan's `public_text`."""


Item: TypeAlias = Mention | Measure | Inside | Pair | Standing | Tally | Setting | Public


class Draft(Strict):
    """What a writer gives in structured mode: claims, in the order in which they are to be said."""

    schema_: Literal["dpspin-claims/1"] = Field(alias="schema")
    """Version of this layout."""
    claims: tuple[Annotated[Item, Field(discriminator="kind")], ...] = Field(
        min_length=1, max_length=MOST_CLAIMS, strict=False
    )
    """At least one."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a draft."""
    return Draft.model_json_schema()


def decode(draft: str, place: str, terms: PlanTerms) -> list[c.Claim]:
    """Read a draft; names of bins become positions, a name that the plan does not have -1.

    Raises:
        UsageError: naming the first field that cannot be used.
    """
    items = validated(Draft, canonical.loads(draft.encode(), place), place).claims
    return [_claim(item, terms) for item in items]


def encode(claims: Sequence[c.Claim], terms: PlanTerms) -> str:
    """Claims as a draft, in canonical JSON."""
    items = [_tree(claim, terms) for claim in claims]
    return canonical.dumps({"schema": SCHEMA, "claims": items}).decode()


def _claim(item: Item, terms: PlanTerms) -> c.Claim:
    claim: c.Claim
    match item:
        case Measure(kind=kind, atom=atom, value=value):
            claim = (c.Mass if kind == "mass" else c.Support)(atom, *decimal(value))
        case Inside(atom=atom, value=name):
            claim = c.Bin(atom, _position(name, terms))
        case Pair(kind=kind, left=left, right=right):
            claim = PAIRS[kind](left, right)
        case Standing(atom=atom, value=rank):
            claim = c.Rank(atom, rank)
        case Tally(value=count, bin=name):
            claim = c.Count(count, None if name is None else _position(name, terms))
        case Setting(name=name, value=value):
            claim = c.Parameter(name, value)
        case Public(id=id_):
            claim = c.PublicText(id_)
        case Mention(atom=atom):
            claim = c.Mention(atom)
    return claim


def _position(name: str, terms: PlanTerms) -> int:
    return terms.bins.index(name) if name in terms.bins else -1


def _tree(claim: c.Claim, terms: PlanTerms) -> dict[str, object]:
    fields: dict[str, object]
    match claim:
        case c.Mass(atom, numerator, digits) | c.Support(atom, numerator, digits):
            fields = {"atom": atom, "value": shown(numerator, 10**digits, digits).replace(",", "")}
        case c.Bin(atom, bin_):
            fields = {"atom": atom, "value": terms.bins[bin_]}
        case c.Comparison(left, right) | c.Similarity(left, right) | c.Above(left, right):
            fields = {"left": left, "right": right}
        case c.Rank(atom, rank):
            fields = {"atom": atom, "value": rank}
        case c.Count(count, bin_):
            fields = {"value": count, "bin": None if bin_ is None else terms.bins[bin_]}
        case c.Parameter(name, text):
            fields = {"name": name, "value": text}
        case c.PublicText(id_):
            return {"kind": "public_text", "id": id_}
        case c.Mention(atom):
            fields = {"atom": atom}
    return {"kind": type(claim).__name__.lower(), **fields}


PAIRS: dict[str, type[c.Comparison | c.Similarity | c.Above]] = {
    "comparison": c.Comparison,
    "similarity": c.Similarity,
    "above": c.Above,
}
