"""Two audits side by side: guarantee, figures, exposures and findings, and whether the second is worse.

Losses of different units, relations or deltas are not on one scale; such a pair is refused.  The second audit is worse
where it promises or costs more, finds or exposes something new, or no longer answers a question that the first
answered.  A measured bound that moved is shown and never counted: it rests on other runs.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin.decimals import exact
from dpspin.errors import UsageError, printable
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.formats.words import escaped, in_table, quoted
from dpspin_audits.report.case import Case, Check, is_covered
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import STATUSES, STRENGTHS

SCHEMA = "dpspin-comparison/1"


class Difference(NamedTuple):
    """One thing that differs, or a figure that a reader wants to see beside the other."""

    part: str
    """guarantee, figures, exposures or checks."""
    what: str
    first: str
    second: str
    worse: bool
    """Whether the second is worse for it."""


class Comparison(NamedTuple):
    """Both audits."""

    first: str
    second: str
    """Digests of both evidence files."""
    differences: tuple[Difference, ...]

    @property
    def worse(self) -> bool:
        """Whether the second is worse in any respect."""
        return any(row.worse for row in self.differences)


def compare(first: Evidence, second: Evidence) -> Comparison:
    """Hold two audits against each other.

    Raises:
        UsageError: when their losses are not on one scale.
    """
    for field, named in (("unit", "units"), ("adjacency", "relations")):
        _same(first, second, field, named)
    one, other = (evidence.root.node("claim").number("delta") for evidence in (first, second))
    if one != other:
        raise _refusal(first, second, "deltas", exact(one), exact(other))
    rows = (*_guarantee(first, second), *_figures(first, second), *_exposures(first, second), *_checks(first, second))
    return Comparison(first.digest, second.digest, rows)


def _same(first: Evidence, second: Evidence, field: str, named: str) -> None:
    one, other = (evidence.root.node("claim").text(field) for evidence in (first, second))
    if one != other:
        raise _refusal(first, second, named, one, other)


def _refusal(first: Evidence, second: Evidence, named: str, one: str, other: str) -> UsageError:
    places = f"{first.place} and {second.place}"
    return UsageError(places, f"claims about different {named}: {one} and {other}", "compare claims of one kind")


def _guarantee(first: Evidence, second: Evidence) -> Iterator[Difference]:
    one, other = first.root.text("verdict"), second.root.text("verdict")
    ranks = [str(status) for status in STATUSES]
    yield Difference("guarantee", "verdict", one, other, ranks.index(other) < ranks.index(one))
    before, after = first.root.node("claim"), second.root.node("claim")
    yield _bound("guarantee", "claimed epsilon", before.number("epsilon"), after.number("epsilon"))
    yield from _universe(first.case, second.case)
    for name in ("mass_bound", "mechanism", "scale", "exponent", "missing_ids"):
        yield from _changed(name.replace("_", " "), before, after, name)
    for name in ("name", "population", "declared_at", "provenance"):
        words = f"deployment {name}".replace("_", " ")
        yield from _changed(words, first.case.deployment, second.case.deployment, name)
    if first.root.maybe_text("stamp") != second.root.maybe_text("stamp"):
        found = (evidence.root.maybe_text("stamp") or "none" for evidence in (first, second))
        yield Difference("guarantee", "stamp", next(found), next(found), second.root.has("stamp"))


def _universe(first: Case, second: Case) -> Iterator[Difference]:
    """What building the universe is declared to cost, and the sums, where either was built from the records."""
    if first.built or second.built:
        one, other = ((b.epsilon, b.delta) if b else (Fraction(0), Fraction(0)) for b in (first.built, second.built))
        for at, name in enumerate(("epsilon", "delta")):
            yield _bound("guarantee", f"universe {name}", one[at], other[at])
            yield _bound("guarantee", f"total {name}", first.exposed[at], second.exposed[at])


def _changed(what: str, first: Node, second: Node, name: str) -> Iterator[Difference]:
    """A field that differs; whether that is worse shows in the losses."""
    before, after = (node.text(name) if node.has(name) else "none" for node in (first, second))
    if before != after:
        yield Difference("guarantee", what, before, after, worse=False)


def _shown(value: Fraction | None) -> str:
    return "not assessed" if value is None else exact(value)


def _bound(part: str, what: str, one: Fraction | None, other: Fraction | None) -> Difference:
    """An upper bound: more is worse, and so is none where there was one."""
    worse = one is not None and (other is None or other > one)
    return Difference(part, what, _shown(one), _shown(other), worse)


def _figures(first: Evidence, second: Evidence) -> Iterator[Difference]:
    one, other = first.case.losses, second.case.losses
    yield _bound("figures", "accounted epsilon", one.accounted, other.accounted)
    yield _bound("figures", "accounted delta", one.needed, other.needed)
    lost = one.measured is not None and other.measured is None
    yield Difference("figures", "measured epsilon, at least", _shown(one.measured), _shown(other.measured), lost)
    before, after = (evidence.case.deployment.number("noise_floor") for evidence in (first, second))
    yield Difference("figures", "noise floor, in mass", exact(before), exact(after), worse=False)


def _exposures(first: Evidence, second: Evidence) -> Iterator[Difference]:
    """Objects that only one bundle shows, or that are covered in one of them only."""
    one, other = _seen(first), _seen(second)
    for name in sorted(one.keys() | other.keys()):
        before, after = one.get(name, "not there"), other.get(name, "not there")
        if before != after:
            yield Difference("exposures", name, before, after, after == "not covered")


def _seen(evidence: Evidence) -> dict[str, str]:
    synthetic = evidence.case.deployment.flag("synthetic")
    rows = evidence.root.nodes("exposures")
    return {
        row.text("name"): row.text("role") if is_covered(row, synthetic=synthetic) else "not covered" for row in rows
    }


def _checks(first: Evidence, second: Evidence) -> Iterator[Difference]:
    """Checks that end otherwise; one that was answered and no longer is counts as worse."""
    one, other = ({check.id: check for check in evidence.case.checks} for evidence in (first, second))
    for id_ in [*one, *(name for name in other if name not in one)]:
        before, after = one.get(id_), other.get(id_)
        known, now = before.status if before else "not_run", after.status if after else "not_run"
        weaker = bool(before and after and known == now == "pass" and _is_weaker(after.strength, before.strength))
        if known != now or weaker:
            worse = weaker or (known == "pass" and now != "pass") or (now == "fail" and known != "fail")
            yield Difference("checks", id_, _ended(before), _ended(after), worse)


def _ended(check: Check | None) -> str:
    return f"{check.status}, {check.strength}" if check else "not_run"


def _is_weaker(one: str, other: str) -> bool:
    order = [name.replace(" ", "_") for name, _ in STRENGTHS]
    return one in order and other in order and order.index(one) > order.index(other)


def tree(found: Comparison) -> dict[str, Any]:
    """The comparison for canonical JSON."""
    return {
        "schema": SCHEMA,
        "first_sha256": found.first,
        "second_sha256": found.second,
        "worse": found.worse,
        "differences": [row._asdict() for row in found.differences],
    }


def text(found: Comparison) -> str:
    """The comparison in lines."""
    lines: list[str] = []
    for part in ("guarantee", "figures", "exposures", "checks"):
        rows = [row for row in found.differences if row.part == part]
        lines += [part, *(_line(row) for row in rows)] if rows else [part, "  no difference"]
    return "\n".join([*lines, _verdict(found)]) + "\n"


def _line(row: Difference) -> str:
    change = row.first if row.first == row.second else f"{row.first} -> {row.second}"
    return printable(f"{'!' if row.worse else ' '} {row.what}: {change}")


def _verdict(found: Comparison) -> str:
    count = sum(row.worse for row in found.differences)
    return f"the second is worse in {count} respect{'s' * (count != 1)}" if count else "the second is not worse"


def markdown(found: Comparison) -> str:
    """The comparison as a table for a pull request."""
    rows = [
        "| " + " | ".join((row.part, *(in_table(quoted(words)) for words in row[1:4]), "worse" * row.worse)) + " |"
        for row in found.differences
    ]
    head = ["| Part | What | First | Second | |", "| --- | --- | --- | --- | --- |"]
    digests = f"{escaped(_verdict(found)).capitalize()}: `{found.first[:12]}` against `{found.second[:12]}`."
    return "\n".join([digests, "", *head, *rows]) + "\n"
