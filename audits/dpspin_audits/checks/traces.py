"""What records leave behind in released bytes: tokens, digests, exact counts and exact masses."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from dpspin import canonical
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.checks.leaves import Leaves, leaves
from dpspin_audits.lines import line_holding
from dpspin_audits.subject import Record, Records

ALGORITHMS = ("sha256", "sha1", "md5", "sha512", "blake2b")
TELLING = 16
"""So many characters of a digest are taken for it: 64 bits in hexadecimal."""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+|/[1-9][0-9]*)?")
ALONE = re.compile(r"(?<![0-9.])[0-9]+(?![0-9]|\.[0-9])")
FEWEST = 3
DIGITS = 7
"""A number with fewer significant digits may be an exact mass by chance."""
DECIMALS = 9
"""A decimal with so many places that is a multiple of 1/n is a share of n."""

Files = Mapping[str, bytes]


class Counted(NamedTuple):
    """A corpus of prime size, and a release of it."""

    primes: tuple[int, ...]
    """Numbers of records and of units, as far as they are protected."""
    masses: tuple[int, ...]
    """Exact masses, lattice units."""
    files: Files


def marks(texts: Iterable[str], corpora: Iterable[Records], id_field: str) -> list[bytes]:
    """Digests of texts, of corpora as files and of their ids, as they may be written.

    Args:
        texts: what was planted: fields and whole records.
        corpora: the adjacent ones.
        id_field: name of the field of a record's id.
    """
    plain = [*texts, *(text for records in corpora for text in _whole(records, id_field))]
    digests = (
        hashlib.new(name, text.encode(), usedforsecurity=False).digest() for name in ALGORITHMS for text in plain
    )
    return [mark for digest in digests for mark in _written(digest)]


def spellings(record: Record) -> list[str]:
    """A record as JSON, as common programs write it."""
    kept = dict(record)
    return [
        json.dumps(kept),
        json.dumps(kept, sort_keys=True),
        json.dumps(kept, separators=(",", ":")),
        canonical.dumps(kept).decode().strip(),
    ]


def _whole(records: Records, id_field: str) -> Iterator[str]:
    """A corpus as JSON Lines, and the list of its ids."""
    lines = [spellings(record) for record in records]
    for spelling in zip(*lines, strict=True):
        yield from ("\n".join(spelling), "\n".join((*spelling, "")))
    ids = [record[id_field] for record in records if id_field in record]
    for order in (ids, sorted(ids)):
        yield from ("".join(order), ",".join(order), "\n".join(order), json.dumps(order))


def _written(digest: bytes) -> Iterator[bytes]:
    """Raw, hexadecimal and base64, cut to what tells."""
    yield digest[:TELLING]
    yield digest.hex()[:TELLING].encode()
    yield digest.hex()[:TELLING].upper().encode()
    for code in (base64.standard_b64encode, base64.urlsafe_b64encode):
        yield code(digest)[:TELLING]


def holder(files: Files, token: str, written: Iterable[bytes]) -> str | None:
    """The first file that holds the token, in either case or base64, or one of the written digests."""
    marks = list(written)
    wholes = ((name, name.encode(errors="replace") + b"\n" + data) for name, data in files.items())
    return next((name for name, whole in wholes if _holds(whole, token, marks)), None)


def line(data: bytes, token: str, written: Iterable[bytes]) -> int | None:
    """The first line that holds it; None where it stands in the name of the file, or runs over the end of a line."""
    return line_holding(data, partial(_holds, token=token, written=list(written)))


def _holds(data: bytes, token: str, written: Iterable[bytes]) -> bool:
    coded = base64.b64encode(token.encode() + bytes(2))[: len(token) * 4 // 3]
    return token.lower().encode() in data.lower() or coded in data or any(mark in data for mark in written)


def counts(releases: Sequence[Counted]) -> str | None:
    """The path, or the file, that tells a prime count or an exact mass in every release; None where none does.

    Fewer than FEWEST releases tell nothing: a chance hit would be too likely.
    """
    if len(releases) < FEWEST:
        return None
    found = [leaves(one.files) for one in releases]
    for tells in (_is_count, _is_mass):
        paths = set.intersection(*({path for path, value in each.items() if tells(value, one)}
                                   for each, one in zip(found, releases, strict=True)))  # fmt: skip
        if paths:
            return min(paths)
    for says in (_says_count, _says_mass):
        places = set.intersection(*({place for place, text in _texts(each, one) if says(text, one)}
                                    for each, one in zip(found, releases, strict=True)))  # fmt: skip
        if places:
            return min(places)
    return None


def _is_count(value: str, one: Counted) -> bool:
    """Whether a number is a multiple of a prime count, or a share of one."""
    if not NUMBER.fullmatch(value) or len(value) > 40:
        return False
    number = Fraction(value)
    for prime in one.primes:
        if number.denominator == 1 and number >= prime and number % prime == 0:
            return True
        if "/" in value and number.denominator % prime == 0:
            return True
        places = len(value.partition(".")[2])
        if places >= DECIMALS and number and abs(number * prime - round(number * prime)) <= Fraction(prime, 10**places):
            return True
    return False


def _is_mass(value: str, one: Counted) -> bool:
    """Whether a number is the exact mass of an atom, as a lattice integer or in units of mass as far as it is shown."""
    if not NUMBER.fullmatch(value) or len(value) > 40 or len(re.sub("[^1-9]", "", value)) == 0:
        return False
    if len(value.lstrip("-0.").replace(".", "")) < DIGITS:
        return False
    number, places = Fraction(value), len(value.partition(".")[2])
    shown = (round(Fraction(mass, MASS_UNIT), places) for mass in one.masses)
    return number in one.masses or number in shown or number * MASS_UNIT in one.masses


def _texts(found: Leaves, one: Counted) -> Iterator[tuple[str, str]]:
    """Texts that may hold numbers among other things: strings of JSON files by their paths, other files by name."""
    yield from ((path, value) for path, value in found.items() if ": word " not in path and not NUMBER.fullmatch(value))
    for name, data in one.files.items():
        if not name.endswith((".json", ".jsonl")):
            yield name, data.decode(errors="replace")


def _says_count(text: str, one: Counted) -> bool:
    """Whether a prime count stands by itself in a text."""
    return not {str(prime) for prime in one.primes}.isdisjoint(ALONE.findall(text))


def _says_mass(text: str, one: Counted) -> bool:
    """Whether an exact mass stands in a text."""
    return any(_is_mass(number, one) for number in NUMBER.findall(text))
