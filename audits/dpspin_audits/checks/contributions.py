"""The contribution map of a subject that shows it, searched for a record that breaks Eq. (1) of the paper."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import Any, NamedTuple, SupportsIndex

from dpspin.adjacency import MASS_UNIT
from dpspin.decimals import exact
from dpspin_audits.checks.check import at_least
from dpspin_audits.handed import hand
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import Claim, Record, Staged


class Searched(NamedTuple):
    """What a search found."""

    problem: str | None
    summary: str
    """What a pass says."""
    figures: Mapping[str, object]


class Limits(NamedTuple):
    """What one vector must keep."""

    width: int
    """Entries."""
    atoms: int
    """Most entries above zero."""
    total: Fraction
    """Largest sum, in units of mass."""


def searched(subject: Staged, claim: Claim, maker: Maker, texts: Sequence[str]) -> Searched:
    """Try the map on every text, forwards, and on a new instance backwards.

    Raises:
        SubjectError: when `contribution` raises.
    """
    records = maker.records(maker.members("search", [(text,) for text in texts]))
    found = [_contribution(subject, record) for record in records]
    again = fresh(subject, Staged)
    backwards = [_contribution(again, record) for record in reversed(records)][::-1]
    d = maker.setting.deployment
    limits = Limits(len(maker.setting.universe), d.assignment.max_atoms, _bound(claim))
    problem = next((p for vector in found if (p := broken(vector, limits))), None)
    if problem is None and found != backwards:
        problem = "the same record contributes something else in another order"
    figures = {
        "texts": len(records),
        "largest_total": exact(max(Fraction(sum(map(Fraction, vector))) for vector in found) / MASS_UNIT),
        "most_atoms": max(sum(value != 0 for value in vector) for vector in found),
    }
    most = f"more than {exact(limits.total)} or touches more than {limits.atoms} atoms"
    summary = f"No text of {len(records):,} contributes {most}."
    return Searched(problem, summary, figures)


def _bound(claim: Claim) -> Fraction:
    """The most that one record contributes: at user level, a total of one before the user's records are added."""
    return max(claim.mass_bound, Fraction(1)) if claim.unit == "user" else claim.mass_bound


def broken(vector: Sequence[object], limits: Limits) -> str | None:
    """What is wrong with a contribution in lattice units, or None (paper Eq. 1, spec.md section 1)."""
    if len(vector) != limits.width:
        return f"a contribution has {len(vector)} entries for {limits.width} atoms"
    values = [index(value) for value in vector if isinstance(value, SupportsIndex) and not isinstance(value, bool)]
    if len(values) < limits.width:
        return "a contribution holds something other than integers"
    if min(values) < 0:
        return "a contribution is negative"
    if sum(value > 0 for value in values) > limits.atoms:
        return f"a record touches {sum(value > 0 for value in values)} atoms, more than {limits.atoms}"
    if sum(values) > limits.total * MASS_UNIT:
        return f"a unit contributes {at_least(sum(values) / MASS_UNIT)} in total, more than {exact(limits.total)}"
    return None


def fresh(subject: Any, protocol: type) -> Any:
    """A new instance, or the subject itself where it makes none that offers as much."""
    again = getattr(subject, "fresh", lambda: subject)()
    return again if isinstance(again, protocol) else subject


def _contribution(subject: Staged, record: Record) -> list[int]:
    return list(hand([record], "contribution", lambda given: subject.contribution(given[0])))
