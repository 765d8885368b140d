"""Lines of a file of a release: where a finding stands, so that nobody need search for it."""

import json
from collections.abc import Callable
from itertools import zip_longest


def line_holding(data: bytes, holds: Callable[[bytes], bool]) -> int | None:
    """The first line of a file of which something holds, counted from 1; None where there is none."""
    return next((number for number, line in enumerate(data.splitlines(), 1) if holds(line)), None)


def line_differing(data: bytes, other: bytes) -> int | None:
    """The first line of a file that is not that of another file; None where they are the same."""
    pairs = zip_longest(data.splitlines(keepends=True), other.splitlines(keepends=True))
    return next((number for number, (one, two) in enumerate(pairs, 1) if one != two), None)


def line_of_key(data: bytes, key: str) -> int | None:
    """The first line of a JSON file that names a field; None where none does."""
    spelt = json.dumps(key, ensure_ascii=False).encode(errors="surrogatepass")
    return line_holding(data, lambda line: spelt in line)
