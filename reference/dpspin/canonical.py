"""One canonical JSON, so that equal values have equal bytes and every digest can be recomputed by a stranger.

UTF-8, sorted keys, no blanks, no floats, one newline at the end; rationals, and integers of 2^53 or more, are strings.
"""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpspin.errors import ImpossibleError, UsageError

EXACT_IN_DOUBLES = 2**53  # readers that parse numbers as binary64 would change larger integers
LONGEST_NUMBER = 400  # characters; the time to read a number grows faster than its length
LARGEST_EXPONENT = 999  # "1e999999999" is short, and its value would fill the memory


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < EXACT_IN_DOUBLES else str(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise ImpossibleError("canonical JSON has string keys only")
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise ImpossibleError(f"canonical JSON cannot hold a {type(value).__name__}")


def dumps(value: object) -> bytes:
    """The canonical bytes of a value made of None, bool, int, str, Fraction, sequences and string-keyed mappings.

    Raises:
        ImpossibleError: for any other type, floats included, and for text that UTF-8 cannot hold.
    """
    text = json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return (text + "\n").encode()
    except UnicodeEncodeError as error:
        raise ImpossibleError("canonical JSON cannot hold a lone surrogate") from error


def digest(data: bytes) -> str:
    """SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int(text)


def _fraction(text: str) -> Fraction:
    exponent = text.lower().partition("e")[2]
    if len(text) > LONGEST_NUMBER or abs(int(exponent or 0)) > LARGEST_EXPONENT:
        raise ValueError("a number is too long or its exponent too large")
    return Fraction(text)


def loads(data: bytes, place: str) -> Any:
    """Read JSON strictly; numbers with a fraction or exponent come back as exact `Fraction`s.

    Raises:
        UsageError: naming `place`, when the bytes are not UTF-8 JSON with unique keys and numbers of bounded size.
    """
    try:
        value = _decoder.decode(data.decode())
        if b"\\u" in data:  # only an escape can make a lone surrogate, which cannot be written back
            json.dumps(value, default=str, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise UsageError(
            place, f"not strict JSON ({_kind(error)})", "write UTF-8 JSON without duplicate keys"
        ) from error
    return value


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_fraction, parse_int=_integer
)


def _kind(error: Exception) -> str:
    """What was wrong, without quoting the bytes: they may be records."""
    if isinstance(error, UnicodeError):
        return "a lone surrogate" if isinstance(error, UnicodeEncodeError) else "not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"{error.msg.lower()}, {line}column {error.colno}"
    return "too deeply nested" if isinstance(error, RecursionError) else str(error)
