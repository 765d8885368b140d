"""An assignment rule of the user's own: texts in, integer scores out, admitted only if it is local (spec.md section 8).

The contribution of a record must be a function of that record and of public data.  A rule that scores texts in batches
is therefore tried alone, in parts, backwards and twice before it is used: what a language model or a float matrix
product makes of a text often depends on the texts beside it (row 10).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dpspin.errors import UsageError
from dpspin_experiments.assignment.batch import ROWS_AT_ONCE, Shares, contributions

Rule = Callable[[Sequence[str]], Sequence[Sequence[int]]]
"""One score for every atom (an int, higher is nearer, at most 2^40) for every text."""

LARGEST_SCORE = 2**40
SIZES = (2, 3, 5, 17)
"""Small batches: float matrix products score records otherwise when fewer than twenty stand together."""
FAULT = "the scores of a text depend on "


def check_local(rule: Rule, texts: Sequence[str], universe_size: int) -> None:
    """Refuse a rule that does not score one text at a time; a pass shows this for these texts alone.

    Args:
        rule: the rule.
        texts: public or generated texts to try it on, no protected record; an empty and a long one are added.
        universe_size: m.

    Raises:
        UsageError: naming what the scores depend on, or what they are besides integers.
    """
    tried = [*texts, "", " ".join(texts)[:10_000]]
    alone = [_scored(rule, [text], universe_size)[0] for text in tried]
    for what, order in _orders(len(tried)):
        batch = [tried[place] for place in order]
        if _scored(rule, batch, universe_size) != [alone[place] for place in order]:
            raise UsageError("assignment rule", FAULT + what, "score one text at a time, in integers")


def shares(rule: Rule, texts: Sequence[str], universe_size: int, max_atoms: int) -> Shares:
    """The contributions of records under a rule that `check_local` has passed, one a row.

    Raises:
        UsageError: when a score is no integer or out of range.
    """
    rows = []
    for start in range(0, len(texts), ROWS_AT_ONCE):
        rows += _scored(rule, texts[start : start + ROWS_AT_ONCE], universe_size)
    return contributions(np.array(rows, np.int64).reshape(len(texts), universe_size), max_atoms)


def _orders(count: int) -> Iterator[tuple[str, list[int]]]:
    """Batches to try, as places of texts, and what differs in them from a text alone."""
    forward = list(range(count))
    yield "the texts scored with it", forward
    yield "the order of the texts", forward[::-1]
    yield "how often a text stands in the batch", [place for place in forward for _ in range(3)]
    for size in SIZES:
        yield "the size of the batch", forward[:size]
    yield "the texts scored before it", forward


def _scored(rule: Rule, texts: Sequence[str], universe_size: int) -> list[list[int]]:
    found = [list(row) for row in rule(list(texts))]
    if len(found) != len(texts) or any(len(row) != universe_size for row in found):
        raise UsageError("assignment rule", "not one score for every text and atom", f"give {universe_size} a text")
    if not all(type(score) is int and abs(score) <= LARGEST_SCORE for row in found for score in row):
        raise UsageError("assignment rule", "a score is no integer up to 2^40", "round every score by itself")
    return found
