"""locality: whether every record counts by itself, whatever stands beside it and in whatever order.

The exact masses of two corpora together are the sum of those of each, for tiny corpora too: scores of fewer than twenty
records at once are where batched arithmetic differs (spec.md section 8, row 10).  Weights that are fitted to the batch,
shares of a total, dropped duplicates and counts of records all break the sum.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, count
from typing import NamedTuple

from dpspin_audits.checks.check import Check
from dpspin_audits.noise.exposed import Exposed, Masses, beside, exposed
from dpspin_audits.noise.held import NEEDS, holding
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import BlackBox, Record, Records

ID = "locality"
REMEDY = "score one record at a time, with nothing but public data beside it"
FEWEST = 2
"""Atoms, at least, that a way must show to count."""


class Sum(NamedTuple):
    """Corpora of different units, to be seen apart and together."""

    what: str
    parts: tuple[Records, ...]
    in_any_order: bool = False
    """Whether the records are also tried backwards."""


def sums(maker: Maker) -> list[Sum]:
    """What is added up: alike and unlike, few and many, light and heavy."""
    probes = maker.probes.single
    numbers = count()

    def units(texts: Iterable[tuple[str, ...]]) -> Records:
        return maker.records(maker.members(f"local{next(numbers)}", texts))

    one, other = (units([maker.full(found)]) for found in (probes[0], probes[min(1, len(probes) - 1)]))
    words = maker.probes.words
    mixed = [(" ".join(words[(5 * row + 3 * at) % len(words)] for at in range(2 + row % 7)),) for row in range(18)]
    return [
        Sum("a unit beside another", (one, other)),
        Sum("a unit beside its like", (one, units([maker.full(probes[0])]))),
        Sum("a unit beside an empty one", (one, units([("",)]))),
        Sum("a unit beside a long one", (one, units([(f"{probes[-1].text} " * 3000,)]))),
        Sum("eighteen units one by one", tuple(units([text]) for text in mixed), in_any_order=True),
        Sum("two units beside seventeen", (units(mixed[:2]), units(mixed[1:]))),
        Sum("forty like units", (units([maker.full(probes[0])] * 39), one)),
    ]


def check(subject: BlackBox, maker: Maker) -> Check:
    """The verdict, by every way that shows exact masses.

    Raises:
        SubjectError: when a release raises.
    """
    tried, made = [], sums(maker)
    first = tuple(dict.fromkeys(atom for found in maker.probes.single[:2] for atom in found.atoms))
    with holding(subject) as held:
        for way in exposed(subject, held, beside(maker), first):
            found = [problem(way, each) for each in made]
            bad = next((each for each in found if each), None)
            if bad is not None:
                return Check(
                    ID, "fail", "exact_on_hit", "One record changes what another contributes.",
                    {"seen_by": way.variant, "sums": len(made)}, bad, REMEDY,
                )  # fmt: skip
            if None in found:
                tried.append(way.variant)
    return verdict(ID, tried, f"The masses of corpora together are the sum of their masses, in {len(made)} sums.")


def verdict(name: str, tried: Sequence[str], summary: str) -> Check:
    """A pass by the ways that showed something, or a check that was not run."""
    if not tried:
        return Check(name, "not_run", "exact_on_hit", "Exact masses could not be seen.", {}, NEEDS, "offer `sketch`")
    return Check(name, "pass", "exact_on_hit", summary, {"seen_by": list(tried)})


def problem(way: Exposed, together: Sum) -> str | None:
    """What is wrong; the empty string where too little is seen to tell."""
    joined: list[Record] = list(chain.from_iterable(together.parts))
    whole, apart = way.masses(joined), [way.masses(part) for part in together.parts]
    if together.in_any_order and any(differ(whole, way.masses(joined[::-1]), way)):
        return f"{together.what}: another order of the records gives other masses"
    seen = set(whole).intersection(*apart)
    if not seen or len(seen) < min(FEWEST, len(whole)):
        return ""
    added = {key: sum((masses[key] for masses in apart), Fraction(0)) for key in seen}
    if any(differ(whole, added, way)):
        return f"{together.what}: the masses of all are not the sum of the masses of each"
    return None


def differ(one: Masses, two: Masses, way: Exposed) -> Iterator[bool]:
    """Whether masses that both hold differ by more than rounding explains."""
    return (abs(one[key] - two[key]) > way.slack for key in set(one) & set(two))
