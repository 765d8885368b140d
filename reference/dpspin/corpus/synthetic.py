"""The embedded synthetic corpus: invented complaints of invented people, identical on every machine.

Products, issues and sentences are this project's own (`complaints.json`).  A record is a function of the seed and its
number alone, through one hash.  Shares of atoms and of users are skewed, as real ones are.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from itertools import accumulate
from typing import Any, NamedTuple

LABEL_FIELDS = ("product", "issue", "sub_issue")
USERS = 1800
"""People who may complain.  Their shares fall with the square root of their number, so that a few write often."""
ORDER = b"order 182"
"""Key of the order of frequency: one in which a frequent label is the beginning of a rarer one, as real labels are."""
NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
MONTHS = "January February March April May June July August September October November December".split()
KIN = ("wife", "husband", "mother", "father", "sister", "brother", "daughter", "son")


class Leaf(NamedTuple):
    """One kind of complaint."""

    product: str
    issue: str
    sub_issue: str
    """Empty where the issue is not divided."""
    facts: Sequence[str]
    """Sentences that only this kind of complaint holds."""


class _Dice:
    """Choices from one hash: each takes one digit of a 512-bit number, in mixed radix."""

    def __init__(self, *names: object) -> None:
        text = "\x1f".join(map(str, names))
        self._rest = int.from_bytes(blake2b(text.encode()).digest(), "big")

    def below(self, count: int) -> int:
        self._rest, choice = divmod(self._rest, count)
        return choice

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[str], count: int) -> list[str]:
        """Up to `count` different ones, in random order."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


@cache
def _phrases() -> Mapping[str, Any]:
    tree: Mapping[str, Any] = json.loads(files(__package__).joinpath("complaints.json").read_bytes())
    return tree


@cache
def leaves() -> tuple[Leaf, ...]:
    """Every kind of complaint, the most frequent first; the order is that of a hash."""
    found = [
        Leaf(product, issue, sub_issue, facts)
        for product, entry in _phrases()["products"].items()
        for issue, parts in entry["issues"].items()
        for sub_issue, facts in parts.items()
    ]
    return tuple(sorted(found, key=lambda leaf: blake2b("/".join(leaf[:3]).encode(), key=ORDER).digest()))


@cache
def _cumulative_shares() -> tuple[int, ...]:
    """Share of rank r proportional to 1 / (r + 2), summed up."""
    return tuple(accumulate(10**6 // (rank + 2) for rank in range(len(leaves()))))


def records(n: int, seed: str = "dpspin") -> Iterator[dict[str, str]]:
    """The first n complaints, with id, user, product, issue, sub_issue and text; record k is the same for every n."""
    return (_record(_Dice(seed, number)) for number in range(n))


def _record(dice: _Dice) -> dict[str, str]:
    shares = _cumulative_shares()
    leaf = leaves()[bisect_right(shares, dice.below(shares[-1]))]
    draw = dice.below(2**32)
    return {
        "id": f"C{dice.below(2**48):012x}",
        "user": f"U{USERS * draw**2 >> 64:04d}",
        "product": leaf.product,
        "issue": leaf.issue,
        "sub_issue": leaf.sub_issue,
        "text": " ".join(_story(leaf, dice)),
    }


def _story(leaf: Leaf, dice: _Dice) -> list[str]:
    """A few sentences in one tone: opening, background, facts, perhaps a second matter, efforts, request."""
    product = _phrases()["products"][leaf.product]
    tone = _phrases()["tones"][dice.below(len(_phrases()["tones"]))]
    tell = _Teller(product, dice)
    facts = tell.some(leaf.facts, (1, 2, 2, 3)[dice.below(4)])
    request = tell.some(tone["request"], min(dice.below(6), 1))
    if dice.below(16) == 0:  # some people write very little
        return facts[:1] + request
    opening = tell.some(tone["opening"], 1)
    background = tell.some(product["background"], min(dice.below(3), 1))
    efforts = tell.some(tone["effort"], (0, 1, 1, 2, 3)[dice.below(5)])
    effect = tell.some(tone["effect"], dice.below(2))
    start = opening + background if dice.below(2) else background + opening
    middle = efforts + effect if dice.below(2) else effect + efforts
    return start + facts + _second_matter(leaf, tell, dice) + middle + request


def _second_matter(leaf: Leaf, tell: "_Teller", dice: _Dice) -> list[str]:
    """In three of ten complaints, a fact of another kind, so that one record may belong to several atoms."""
    fate = dice.below(10)
    other = leaves()[dice.below(len(leaves()))]
    if fate > 2 or other == leaf:
        return []
    if other.product == leaf.product:
        return [*tell.some(_phrases()["bridge"], 1), *tell.some(other.facts, 1)]
    teller = _Teller(_phrases()["products"][other.product], dice)
    return [*teller.some(_phrases()["aside"], 1), *teller.some(other.facts, 1)]


class _Teller:
    """Fills the gaps of sentences: one company, one amount and one relative a story, in the manner of redacted text."""

    def __init__(self, product: Mapping[str, Any], dice: _Dice) -> None:
        who = dice.pick(product["who"])
        self._dice = dice
        self._fixed = {
            "who": who,
            "Who": who[0].upper() + who[1:],
            "kin": dice.pick(KIN),
            "money": f"{{${12 + dice.below(40) ** 2 + dice.below(60)}.00}}",
            "date": f"XX/XX/{2019 + dice.below(6)}",
        }
        self._fixed["about"] = self._fill(dice.pick(product["about"]))

    def _fill(self, sentence: str) -> str:
        return sentence.format(n=self._dice.pick(NUMBERS), month=self._dice.pick(MONTHS), **self._fixed)

    def some(self, sentences: Sequence[str], count: int) -> list[str]:
        """Up to `count` different sentences, filled."""
        return [self._fill(sentence) for sentence in self._dice.some(sentences, count)]
