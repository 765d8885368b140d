"""Reading evidence: a way through the JSON tree that knows where it is, so that an error can name the field."""

from fractions import Fraction
from typing import Any

from dpspin.errors import UsageError
from dpspin.settings import Exact

SCHEMA = "dpspin-evidence/1"
REMEDY = "make the evidence with `dpspin audit`"
EMPTY: dict[str, Any] = {
    "certificates": [], "exposures": [], "gate": None, "not_assessed": [], "plan": None, "proofs": None,
    "strengths": {}, "summary": [], "utility": None,
}  # fmt: skip
"""Sections that evidence may lack, and what stands for each: nothing."""
NAMES = {
    "certificates": "Calibration certificates", "exposures": "Objects that leave the curator",
    "plan": "The released plan", "summary": "The summary, sentence by sentence", "utility": "Utility and bias",
}  # fmt: skip
"""Those of them whose absence is a gap of the audit, in words."""


class Node:
    """One object of the evidence and the path that leads to it."""

    def __init__(self, tree: Any, path: str = "evidence.json") -> None:
        if not isinstance(tree, dict):
            raise UsageError(path, "not an object", REMEDY)
        self.tree, self.path = tree, path

    def _get(self, key: str) -> Any:
        if key not in self.tree:
            raise UsageError(f"{self.path}: {key}", "missing", REMEDY)
        return self.tree[key]

    def wrong(self, key: str, wanted: str) -> UsageError:
        """The error for a field of the wrong kind."""
        return UsageError(f"{self.path}: {key}", f"not {wanted}", REMEDY)

    def has(self, key: str) -> bool:
        """Whether the field exists and holds something other than null."""
        return self.tree.get(key) is not None

    def node(self, key: str) -> "Node":
        """An object; {} where it is null or missing is an error."""
        return Node(self._get(key), f"{self.path}: {key}")

    def maybe_node(self, key: str) -> "Node | None":
        """An object, or None for null."""
        return None if self._get(key) is None else self.node(key)

    def nodes(self, key: str) -> list["Node"]:
        """A list of objects."""
        return [Node(item, f"{self.path}: {key}[{at}]") for at, item in enumerate(self._list(key))]

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        found = self._list(key)
        if not all(isinstance(item, str) for item in found):
            raise self.wrong(key, "a list of texts")
        return found

    def _list(self, key: str) -> list[Any]:
        found = self._get(key)
        if not isinstance(found, list):
            raise self.wrong(key, "a list")
        return found

    def text(self, key: str) -> str:
        """A text; numbers are given back as they are written."""
        found = self._get(key)
        if isinstance(found, bool) or not isinstance(found, str | int | Fraction):
            raise self.wrong(key, "a text")
        return str(found)

    def maybe_text(self, key: str) -> str | None:
        """A text, or None for null."""
        return None if self._get(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """True or false."""
        found = self._get(key)
        if not isinstance(found, bool):
            raise self.wrong(key, "true or false")
        return found

    def number(self, key: str) -> Fraction:
        """An exact number: an integer, or a decimal or fraction in quotes."""
        text = self.text(key)
        try:
            return Fraction(Exact(text))
        except ValueError:
            raise self.wrong(key, "an exact number") from None

    def maybe_number(self, key: str) -> Fraction | None:
        """An exact number, or None for null."""
        return None if self._get(key) is None else self.number(key)

    def count(self, key: str) -> int:
        """A whole number that is not negative."""
        found = self.number(key)
        if found.denominator != 1 or found < 0:
            raise self.wrong(key, "a whole number")
        return int(found)


def opened(tree: Any) -> Node:
    """The root of an evidence tree; a section that is missing is empty, and listed among what was not assessed.

    Raises:
        UsageError: when the schema is another one.
    """
    root = Node(tree)
    if root.text("schema") != SCHEMA:
        raise UsageError("evidence.json: schema", f"{root.text('schema')!a} is unknown", f"this version reads {SCHEMA}")
    return Node(completed(tree))


def completed(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree with an empty section in the place of each that it lacks."""
    whole = EMPTY | tree
    why = "the evidence has no such section"
    Node(whole).nodes("not_assessed")
    gaps = [{"id": name, "what": NAMES[name], "why": why} for name in NAMES if name not in tree]
    return whole | {"not_assessed": [*whole["not_assessed"], *gaps]} if gaps else whole
