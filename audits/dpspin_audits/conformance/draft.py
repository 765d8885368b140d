"""A case before it is answered, and what its flags mean."""

from typing import Any, NamedTuple

UNIT = 1 << 20
BIG = 1 << 60


class Draft(NamedTuple):
    """A case before it is answered."""

    comment: str
    input: dict[str, Any]
    flags: tuple[str, ...] = ()


NOTES = {
    "Tie": "Equal values: the lower position, or the lower atom, comes first.",
    "RoundDown": "Every division rounds down, also where entries then lose their share.",
    "HalfEven": "A half goes to the even neighbour.",
    "Negative": "Negative numbers: floor division rounds towards minus infinity.",
    "Large": "Integers beyond 2^53 stand in quotes and stay exact.",
    "Empty": "Nothing to work on.",
    "Bound": "A bound that is reached exactly.",
    "Ids": "Ids are compared as they are, code point by code point.",
    "Replacement": "Replacement moves twice as much mass as adding, on another atom.",
    "Random": "Drawn from a fixed seed.",
    "Refused": "An input that no implementation may accept.",
    "Optional": "Accepting or refusing this text are both right.",
    "Wording": "The reference's own wording; another implementation may skip it.",
}
