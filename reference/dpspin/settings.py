"""How settings are declared: exact numbers, strict models, and complaints in one line.

Models are frozen, refuse unknown fields and convert nothing, so that a misspelt setting never falls back to a default.
"""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails

from dpspin.errors import UsageError

EXACT = r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,2})?|-?[0-9]{1,400}/[1-9][0-9]{0,399}"
NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
SHA256 = r"[0-9a-f]{64}"


class Exact(Fraction):
    """An exact rational that remembers how it was written."""

    text: str

    def __new__(cls, text: object) -> "Exact":
        """Read a decimal or a fraction such as "1", "0.05", "1e-6" or "1/3"."""
        if not (isinstance(text, str) and re.fullmatch(EXACT, text, re.ASCII)):
            raise ValueError('write an exact decimal or fraction in quotes, such as "1", "0.05", "1e-6" or "1/3"')
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> tuple[type["Exact"], tuple[str]]:
        return Exact, (self.text,)

    def __copy__(self) -> "Exact":
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> "Exact":
        return self


def bounded(allowed: Callable[[Exact], bool], remedy: str) -> AfterValidator:
    """A check of a number, for `Annotated`; a minus sign is refused with it, before a zero too."""

    def _check(number: Exact) -> Exact:
        if number.text.startswith("-") or not allowed(number):
            raise ValueError(remedy)
        return number

    return AfterValidator(_check)


def spelt(pattern: str, remedy: str) -> AfterValidator:
    """A check of a text, for `Annotated`."""

    def _check(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(remedy)
        return text

    return AfterValidator(_check)


Number = Annotated[
    Exact,
    BeforeValidator(Exact),
    WithJsonSchema({"type": "string", "pattern": f"^({EXACT})$"}),
]
NonNegative = Annotated[Number, bounded(lambda n: n >= 0, "write a number that is not negative")]
Positive = Annotated[Number, bounded(lambda n: n > 0, "write a number above zero")]
Share = Annotated[Number, bounded(lambda n: 0 < n <= 1, "write a number above 0 and at most 1")]
Between = Annotated[Number, bounded(lambda n: 0 < n < 1, "write a number above 0 and below 1")]
Probability = Annotated[Number, bounded(lambda n: 0 <= n < 1, "write a number that is not negative and below 1")]

Name = Annotated[
    str,
    spelt(NAME, 'write up to 100 letters, digits, dots, dashes and underscores, such as "hair-care"'),
    WithJsonSchema({"type": "string", "pattern": f"^{NAME}$"}),
]


def _margin(value: object) -> Exact | Literal["rule"]:
    if value == "rule":
        return "rule"
    if not isinstance(value, str) or value.startswith("-"):
        raise ValueError('write rule, or a number that is not negative in quotes, such as "12"')
    return Exact(value)


Margin = Annotated[
    Exact | Literal["rule"],
    PlainValidator(_margin),
    WithJsonSchema({"type": "string", "pattern": f"^(rule|{EXACT})$"}),
]
Sha256 = Annotated[
    str,
    spelt(SHA256, "write 64 hexadecimal digits in lower case"),
    WithJsonSchema({"type": "string", "pattern": f"^{SHA256}$"}),
]


class Strict(BaseModel):
    """Base of all settings."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True, populate_by_name=False,
        use_attribute_docstrings=True,
    )  # fmt: skip


Model = TypeVar("Model", bound=Strict)


def validated(model: type[Model], tree: Any, place: str) -> Model:
    """A tree as a model.

    Raises:
        UsageError: for the first field that cannot be used: its path, its value and a remedy.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        raise _complaint(error.errors(include_url=False)[0], tree, place) from None


def _complaint(first: ErrorDetails, tree: Any, place: str) -> UsageError:
    kind, path, value = first["type"], _path(first["loc"], tree), first["input"]
    if kind.startswith("union_tag"):
        path, value = f"{path}.kind", value.get("kind")
        kind = "missing" if kind == "union_tag_not_found" else kind
    where = f"{place}: {path}" if path else place
    if kind == "missing":
        return UsageError(where, "missing", "add it (see `dpspin schema`)")
    if kind == "extra_forbidden":
        return UsageError(where, "unknown field", "remove it or correct its name")
    context = {name: str(item).replace("'", '"') for name, item in first.get("ctx", {}).items()}
    remedy = REMEDIES[kind].format(**context) if kind in REMEDIES else first["msg"]
    return UsageError(where, f"cannot use {_shown(value)}", remedy)


REMEDIES = {
    "value_error": "{error}",
    "string_type": "write a text, in quotes where it looks like a number",
    "string_unicode": "write whole characters, no halves of a surrogate pair",
    "string_too_short": "write at least {min_length} characters",
    "string_too_long": "write at most {max_length} characters",
    "int_type": "write a whole number without quotes",
    "greater_than_equal": "write a whole number from {ge} on",
    "less_than_equal": "write a whole number up to {le}",
    "bool_type": "write true or false",
    "literal_error": "write {expected}",
    "union_tag_invalid": "write one of {expected_tags}",
    "too_short": "write at least {min_length} of them",
    "too_long": "write at most {max_length} of them",
    "tuple_type": "write a list",
    "dict_type": "write fields, one a line",
    "model_type": "write fields, one a line",
    "model_attributes_type": "write fields, one a line",
}


def _path(location: tuple[int | str, ...], tree: Any) -> str:
    """The path of a field in the file; pydantic puts the kind of a union's member between the steps."""
    steps: list[str] = []
    for step in location:
        if isinstance(tree, Mapping) and step not in tree and step == tree.get("kind"):
            continue
        steps.append(str(step))
        inside = isinstance(step, int) if isinstance(tree, list) else isinstance(tree, Mapping) and step in tree
        tree = tree[step] if inside else None
    return ".".join(steps)


def _shown(value: Any) -> str:
    """A value in a message: scalars as they are written, shortened; the rest by its kind."""
    if isinstance(value, Mapping):
        return "a group of fields"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else f"{text[:77]}..."
