"""The exact sketch of a subject that shows it: every unit keeps the bound, and the sketch is the sum over units.

The sum finds what a bound on single units cannot: records of one user that are clipped one by one or grouped by an id
that was normalised, records without an id that are pooled, and weights that depend on the other records.
"""

from collections.abc import Sequence
from itertools import chain, cycle, islice

from dpspin.adjacency import MASS_UNIT
from dpspin.decimals import exact
from dpspin_audits.checks.check import at_most
from dpspin_audits.checks.contributions import Limits, Searched, broken, fresh
from dpspin_audits.handed import hand
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.pairs.families import ALIKE
from dpspin_audits.subject import Claim, Record, Records, Sketches

UNITS = 60
SIZES = (1, 2, 9, 40)
"""Records of a user; at record level there is one."""


def searched(subject: Sketches, claim: Claim, maker: Maker, texts: Sequence[str]) -> Searched:
    """Try single units, then all of them together in another order.

    Raises:
        SubjectError: when `sketch` raises.
    """
    width = len(maker.setting.universe)
    members = [*_units(maker, texts), *_alike(maker)]
    nameless = _nameless(maker)
    corpora = [*([record] for record in nameless), *(maker.records([member]) for member in members)]
    found = [_sketch(subject, records) for records in corpora]
    limits = Limits(width, width, claim.mass_bound)
    problem = next((p for vector in found if (p := broken(vector, limits))), None)
    if problem is None and claim.missing_ids == "drop" and any(map(any, found[: len(nameless)])):
        problem = "a record without a user's id contributes, and the claim says that it does not"
    together = [record for records in corpora for record in records]
    mixed = [*together[1::2], *together[::2]]
    if problem is None and _sketch(fresh(subject, Sketches), mixed) != list(map(sum, zip(*found, strict=True))):
        problem = "the sketch of all units is not the sum of their sketches: one unit changes what another contributes"
    largest = max(sum(vector) for vector in found) / MASS_UNIT
    figures = {"units": len(corpora), "records": len(together), "largest_unit": at_most(largest)}
    bound = exact(claim.mass_bound)
    summary = f"None of {len(corpora)} units has more mass than {bound}, and the sketch is their sum."
    return Searched(problem, summary, figures)


def _units(maker: Maker, texts: Sequence[str]) -> list[Member]:
    """Ordinary texts, and users full of the texts that weigh most."""
    supply = cycle(texts)
    sizes = [SIZES[number % len(SIZES)] if maker.by_user else 1 for number in range(UNITS)]
    full = [maker.overfull(found) for found in maker.probes.single[:3]]
    return maker.members("sum", [*(tuple(islice(supply, size)) for size in sizes), *full])


def _alike(maker: Maker) -> list[Member]:
    """Users whose ids a program may take for one, each with as much mass as a user may have."""
    if not maker.by_user:
        return []
    texts = maker.full(maker.probes.single[0])
    names = [pattern.format(number) for number in range(1, 30) for pattern in sorted(set(chain(*ALIKE)))]
    return [Member(name, texts) for name in names if maker.kept(name)]


def _nameless(maker: Maker) -> list[Record]:
    """Records without a user's id, more than one user could have."""
    if not maker.by_user:
        return []
    texts = maker.overfull(maker.probes.single[0])
    return [maker.record(name, text) for name, text in zip(maker.identifiers("nameless"), texts, strict=False)]


def _sketch(subject: Sketches, records: Records) -> list[int]:
    return list(hand(records, "sketch", subject.sketch))
