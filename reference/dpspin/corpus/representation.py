"""From one text to integer scores over the atoms, by integer term weights (paper section 3.3; Salton & Buckley 1988).

A score is a pure function of one text and of public weights.  There is no float anywhere: a float matrix product gives
other scores to the same record when the batch around it changes, and other scores on other machines.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from dpspin import canonical
from dpspin.errors import UsageError

SCHEMA = "dpspin-weights/1"
TERM = re.compile(r"[a-z]{2,}")

Row = tuple[tuple[int, int], ...]


def log2(numerator: int, denominator: int = 1) -> int:
    """The logarithm to base 2 of a ratio of at least 1, in 256ths, rounded down; exact.

    floor(256 log2 x) = floor(log2 x^256), and x^256 is a ratio of integers, so that bit lengths decide.
    """
    top, bottom = numerator**256, denominator**256
    bits = top.bit_length() - bottom.bit_length()
    return bits - (top < bottom << bits)


DAMPED = tuple(log2(count + 1) for count in range(65))
"""Weight of a term that stands `count` times in a text, log2(1 + count) in 256ths; 64 times count for more."""


def damped(count: int) -> int:
    """The term frequency as scores use it."""
    return DAMPED[min(count, len(DAMPED) - 1)]


def terms(text: str) -> Counter[str]:
    """How often each word stands in a text: runs of at least two letters a to z, case folded."""
    return Counter(TERM.findall(text.casefold()))


@dataclass(frozen=True, slots=True)
class Weights:
    """Integer weights of terms for atoms.  They come from auxiliary text and stay with the curator."""

    rule: str
    """How they were fitted: label or centroid."""
    atoms: int
    """Size of the universe."""
    rows: Mapping[str, Row]
    """Term -> (atom, weight above zero), atoms ascending."""

    def scores(self, text: str | None) -> list[int]:
        """One score per atom; all zero for a record without text, which then contributes nothing."""
        totals = [0] * self.atoms
        row_of = self.rows.get
        for term, count in terms(text or "").items():
            if row := row_of(term):
                factor = damped(count)
                for atom, weight in row:
                    totals[atom] += factor * weight
        return totals


def encode(weights: Weights) -> bytes:
    """Canonical bytes of a weights file."""
    return canonical.dumps(
        {"schema": SCHEMA, "rule": weights.rule, "atoms": weights.atoms, "terms": dict(weights.rows)}
    )


def decode(data: bytes, place: str) -> Weights:
    """Read a weights file.

    Raises:
        UsageError: naming the field or term, when the layout or a row cannot be used.
    """
    tree = canonical.loads(data, place)
    if not isinstance(tree, dict) or set(tree) != {"schema", "rule", "atoms", "terms"} or tree["schema"] != SCHEMA:
        raise UsageError(place, "not a weights file", "build one with `dpspin corpus universe`")
    rule, atoms, rows = tree["rule"], tree["atoms"], tree["terms"]
    for field, usable, remedy in (
        ("rule", isinstance(rule, str), "write the rule that fitted the weights"),
        ("atoms", type(atoms) is int and atoms > 0, "write the number of atoms"),
        ("terms", isinstance(rows, dict), "write each term with its [[atom, weight], ...]"),
    ):
        if not usable:
            raise UsageError(f"{place}: {field}", f"cannot use {tree[field]!a:.80}", remedy)
    for term, row in rows.items():
        if not TERM.fullmatch(term):
            raise UsageError(f"{place}: terms", f"{term!a:.80} can match no text", "write two or more letters a to z")
        if not _is_row(row, atoms):
            remedy = f"write [[atom, weight], ...] with ascending atoms below {atoms} and weights above zero"
            raise UsageError(f"{place}: terms.{term:.80}", "not a row of weights", remedy)
    return Weights(rule, atoms, {term: tuple(map(tuple, row)) for term, row in rows.items()})


def _is_row(row: object, universe_size: int) -> bool:
    if not isinstance(row, list) or not row:
        return False
    for pair in row:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)):
            return False
        if not (0 <= pair[0] < universe_size and pair[1] > 0):
            return False
    return all(left[0] < right[0] for left, right in pairwise(row))
