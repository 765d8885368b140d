"""Words in a text that address its judge: flagged, because a language model may follow them whatever it is told.

A pattern finds only what it was written for.  A flag is a reason to read the text; no flag is no clearance.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_NUMBER = r"(?:[1-5]|five|full|highest|perfect|maximum|top)"
RULES = (
    ("orders", r"\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instruction|prompt|rules?\b|previous|above)"),
    ("a score", rf"\b(?:give|assign|award)\b[^.!?]{{0,60}}\b{_NUMBER}\b"),
    ("a score", r"\b(?:rate|score|grade|mark)\s+(?:this|it|me|us|the\s+(?:summary|text|answer|object))\b"),
    ("a score", r"\b(?:faithfulness|coverage|insightfulness|clarity|text[ _]safety)\b\W{0,6}(?:score\W{0,6})?\d"),
    ("a preference", r"\b(?:prefer|choose|pick|select)\b.{0,30}\b(?:first|second|this|other)\b"),
    ("a judge", r"\b(?:judge|evaluator|grader|assistant|language model|llm|chatbot)\b"),
    ("a role", r"<\|.{0,40}\|>|\[/?inst\]|(?:^|\n)\s*(?:system|assistant|user)\s*:"),
)  # fmt: skip
"""What the words speak of, and the pattern."""
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in RULES)


def addressed(text: str) -> tuple[str, ...]:
    """What the text speaks of to a judge; each once, in the order of the rules."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return tuple(dict.fromkeys(name for name, pattern in _COMPILED if pattern.search(plain)))


def in_object(tree: Any) -> tuple[str, ...]:
    """The same for every text inside an object."""
    return tuple(dict.fromkeys(name for text in _texts(tree) for name in addressed(text)))


def _texts(tree: Any) -> Iterator[str]:
    match tree:
        case str():
            yield tree
        case dict():
            for value in tree.values():
                yield from _texts(value)
        case list():
            for value in tree:
                yield from _texts(value)
