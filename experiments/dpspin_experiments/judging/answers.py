"""A judge's answers, read strictly: what is not in the form is malformed, is counted, and is never mended."""

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin.settings import Strict, validated

DIMENSIONS = ("faithfulness", "coverage", "insightfulness", "clarity", "text_safety")
"""Of the paper's table 1, in its order."""
LOWEST, HIGHEST = 1, 5
LONGEST = 20_000
"""Characters of an answer; a longer one is not read."""
PLACE = "answer"

Reason = Annotated[str, Field(max_length=1000)]


class Grade(Strict):
    """One dimension."""

    score: int = Field(ge=LOWEST, le=HIGHEST)
    """A whole number from 1 to 5."""
    reason: Reason
    """One short sentence."""


class Scores(Strict):
    """An answer about one text."""

    faithfulness: Grade
    """What the summary says is in the object."""
    coverage: Grade
    """What matters in the object is in the summary."""
    insightfulness: Grade
    """What stands out and how things compare is said."""
    clarity: Grade
    """A reader understands it."""
    text_safety: Grade
    """The words identify nobody; no statement on how the object was made."""


class Preference(Strict):
    """An answer about two texts."""

    preferred: Literal["first", "second", "same"]
    """By position."""
    reason: Reason
    """One short sentence."""


class Malformed(NamedTuple):
    """An answer that cannot be read."""

    kind: Literal["no answer", "too long", "not JSON", "not in the form"]
    detail: str
    """Of the first field that cannot be used."""


NO_ANSWER = Malformed("no answer", "the server gave no usable answer")

Model = TypeVar("Model", Scores, Preference)


def read(answer: str, model: type[Model]) -> Model | Malformed:
    """An answer as the model says; nothing around it, beside it or almost like it is accepted."""
    if len(answer) > LONGEST:
        return Malformed("too long", f"{len(answer):,} characters")
    try:
        tree = canonical.loads(answer.encode(), PLACE)
    except (UsageError, UnicodeError):
        return Malformed("not JSON", "not one strict JSON object")
    try:
        return validated(model, tree, PLACE)
    except UsageError as error:
        return Malformed("not in the form", str(error))


def form(model: type[Scores] | type[Preference]) -> dict[str, Any]:
    """JSON Schema of an answer as strict modes of servers take it: without references, titles and lengths."""
    whole = model.model_json_schema()

    def _plain(node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in node:
            return _plain(whole["$defs"][node["$ref"].rsplit("/", 1)[1]])
        kept: dict[str, Any] = {
            name: node[name] for name in ("type", "enum", "required", "additionalProperties") if name in node
        }
        if "minimum" in node:
            kept["enum"] = list(range(node["minimum"], node["maximum"] + 1))
        if "properties" in node:
            kept["properties"] = {name: _plain(inner) for name, inner in node["properties"].items()}
        return kept

    return _plain(whole)


def grades(scores: Scores) -> dict[str, float]:
    """Scores by dimension."""
    return {name: float(getattr(scores, name).score) for name in DIMENSIONS}
