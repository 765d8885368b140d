"""The rules of one domain for phrases: which words count, and which phrases are one (paper sections 5.4 and 6.4).

The paper's own lists are not published; those in `profiles/` are this project's.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from dpspin import canonical
from dpspin.errors import UsageError

FOLDER = "profiles"
LISTS = ("stop", "generic", "sentiment", "foreign", "domain")
MAPS = ("words", "phrases")


@dataclass(frozen=True, slots=True)
class Profile:
    """Word lists and rewriting rules; all words are of letters a to z."""

    name: str
    stop: frozenset[str]
    """Words that are left out before phrases are formed, beside those of `dpspin.corpus.fit`."""
    generic: frozenset[str]
    """Words that say nothing of the domain ("product"): a phrase with one of them is dropped."""
    sentiment: frozenset[str]
    """Words of praise and blame: a phrase of them alone is dropped."""
    foreign: frozenset[str]
    """Words of other domains: a phrase with one of them is dropped."""
    domain: frozenset[str]
    """Words of the domain: a phrase without any of them is dropped."""
    words: Mapping[str, str]
    """Variants of a word: wasted -> waste."""
    phrases: Mapping[tuple[str, str], tuple[str, str]]
    """Variants of a phrase, after those of words, and phrases that mean one theme: staff friendly -> friendly staff."""
    digest: str
    """SHA-256 of the rules."""


def load(name: str) -> Profile:
    """The profile of a domain that is shipped: amazon-beauty or yelp-restaurants.

    Raises:
        UsageError: when there is none of that name.
    """
    place = files(__package__).joinpath(FOLDER, f"{name}.toml")
    if not place.is_file():
        raise UsageError(f"profile {name!a:.80}", "not shipped", "name amazon-beauty or yelp-restaurants")
    return parsed(place.read_bytes(), name)


def parsed(data: bytes, name: str) -> Profile:
    """A profile from TOML: word lists as texts, maps as tables.

    Raises:
        UsageError: naming the table that cannot be used, or the rule that leads on to another rule.
    """
    try:
        tree: dict[str, Any] = tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(name, f"not TOML ({error})", "correct it") from error
    if set(tree) != {*LISTS, *MAPS}:
        raise UsageError(name, "other tables than a profile has", f"write {', '.join((*LISTS, *MAPS))}")
    lists = {field: frozenset(tree[field].split()) for field in LISTS}
    rewritten = {_pair(old, name): _pair(new, name) for old, new in tree["phrases"].items()}
    for table in (tree["words"], rewritten):
        if chained := sorted(str(new) for new in table.values() if new in table):
            raise UsageError(name, f"a rule leads to {chained[0]}, which another rule changes", "write its end")
    return Profile(name=name, **lists, words=tree["words"], phrases=rewritten, digest=canonical.digest(data))


def _pair(text: str, place: str) -> tuple[str, str]:
    parts = text.split()
    if len(parts) != 2:
        raise UsageError(place, f"{text!a:.80} is not two words", "write two words")
    return parts[0], parts[1]
