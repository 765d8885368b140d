"""Units made to move the sums as far as an implementation lets them: what a search for sensitivity begins with.

Each is one unit, whatever its records look like, so that a corpus with it and one without it are adjacent.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import Record

TEXTS = (
    "", " ", "\x00", "\ufeff", "\u202e", "\ud7ff", "'", '"', "\\", "%s", "{0}", "${x}", "<b>", "null", "NaN", "-1",
    "1e999", "\n\n", "\t", "a" * 50_000, "é" * 1000, "ｆｕｌｌ", "ß", "İ", "ﬁ", "\U0001f525" * 50, "़" * 100, "0" * 400,
)  # fmt: skip
"""Texts that programs stumble over."""
NUMBERS = ("NaN", "inf", "-inf", "1e308", "-1", "99999999999999999999", "0x10", "1_000", "١٢", "²")
"""Texts and fields that a program may take for a number."""
SIZES = (1, 2, 9, 40)
"""Records of a user; at record level there is one."""
MOST_RECORDS, LONGEST = 50, 20_000
"""Of a mutated unit."""
LONG = 30_000
"""Times that a text is repeated in a very long one."""
FIELDS = {"weight": "1e9", "count": "1000", "score": "-inf", "user": "other", "label": "NaN", "mass": "99"}
"""Fields that no deployment names."""

Unit = tuple[Record, ...]


def units(maker: Maker) -> list[Unit]:
    """Units of every strategy, each with an id of its own."""
    made = []
    for identifier, texts in zip(maker.identifiers("hostile"), _texts(maker), strict=False):
        made.append(unit(maker, identifier, texts))
    name = next(maker.identifiers("odd"))
    strongest = maker.overfull(maker.probes.single[0])
    plain = unit(maker, name, strongest)
    made.append(tuple({**record, **FIELDS} for record in plain))
    made.append(tuple({key: value for key, value in record.items() if key != _text_field(maker)} for record in plain))
    if maker.by_user:
        made.append(tuple({**record, _id_field(maker): "the same"} for record in plain))
        made.append(tuple({key: value for key, value in r.items() if key != _id_field(maker)} for r in plain))
    return made


def unit(maker: Maker, identifier: str, texts: Sequence[str]) -> Unit:
    """One unit: at record level, of the first text alone."""
    kept = texts if maker.by_user else texts[:1]
    return tuple(
        maker.record(f"{identifier}-r{number}" if maker.by_user else identifier, text, identifier)
        for number, text in enumerate(kept)
    )


def _text_field(maker: Maker) -> str:
    return maker.setting.deployment.corpus.text_field


def _id_field(maker: Maker) -> str:
    return maker.setting.deployment.corpus.id_field


def _texts(maker: Maker) -> Iterator[tuple[str, ...]]:
    """Texts of one unit after the other."""
    probes = [*maker.probes.single[:3], *maker.probes.wide[:3]]
    for found in probes:
        yield maker.full(found)
        yield maker.overfull(found)
    best = probes[0].text
    every = " ".join(found.text for found in maker.probes.single)
    yield (f"{best} " * 5000,)
    yield (f"{best} " * LONG,)
    for text in (every, f"{every} " * 20, best.upper()):
        yield from ((text,) * size for size in SIZES)
    for odd in (*NUMBERS, *TEXTS):
        yield (f"{best}{odd} {best}", odd, best)


def mutated(maker: Maker, found: Unit, other: Unit, coin: np.random.Generator) -> Unit:
    """A unit near to one: texts joined, doubled or cut, more records or fewer."""
    field = _text_field(maker)
    mine, theirs = ([record.get(field, "") for record in each] for each in (found, other))
    texts = _changed(mine, theirs, int(coin.integers(5)))
    identifier = next(maker.identifiers(f"search-{int(coin.integers(2**40))}"))
    return unit(maker, identifier, [text[:LONGEST] for text in texts])


def _changed(mine: list[str], theirs: list[str], kind: int) -> list[str]:
    if kind == 0:
        return [*mine, *theirs][:MOST_RECORDS]
    if kind == 1:
        return [f"{text} {theirs[0]}" for text in mine]
    if kind == 2:
        return [f"{text} {text}" for text in mine]
    if kind == 3:
        return [text[: max(1, len(text) // 2)] for text in mine]
    return (mine * 2)[:MOST_RECORDS]
