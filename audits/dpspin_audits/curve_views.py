"""The answer to a question about a privacy curve as data, as a table, in words and as a figure."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpspin.accounting.curve import Point
from dpspin.accounting.guarantee import Guarantee, order
from dpspin.decimals import exact
from dpspin_audits.curves import LEAST, Answer, Reading, mu_of
from dpspin_audits.ends import between, rounded
from dpspin_audits.report.curve import Figure, Place, Series, Spot, drawing
from dpspin_audits.report.plot import ten
from dpspin_audits.report.svg import svg

POWER = len(str(LEAST.denominator)) - 1
ORDERS = {"stronger": "less than the sum", "equal": "the same", "weaker": "more than the sum"}
NAMED = 4
"""So many kinds of releases are named and drawn; more are only counted."""
LONGEST = 76
"""Characters of a title that fit on the paper."""


def tree(answer: Answer) -> dict[str, Any]:
    """`{schema: dpspin-curve/1, ...}`: exact numbers as rationals, enclosed ones as two decimals, rounded outwards."""
    known, claimed, beside = answer.native, answer.claimed, answer.beside
    return {
        "schema": "dpspin-curve/1",
        "unit": answer.unit,
        "adjacency": answer.adjacency,
        "records": answer.records,
        "releases": [release.name for release in answer.releases],
        "bound": "exact" if answer.attained else "upper",
        "native": {"pure": known.pure, "rho": _up(known.rho), "mu": _up(mu_of(known.mu_squared))},
        "claimed": claimed and {"epsilon": claimed.epsilon, "delta": claimed.delta},
        **_with_universes(answer),
        "curve_at_claimed": beside and {"epsilon": _up(beside.epsilon), "order": order(beside, claimed or beside)},
        "epsilon_at": [_row(row) for row in answer.readings],
        "points": [
            {"epsilon": exact(p.epsilon), "delta_lo": rounded(p.delta.low), "delta_hi": _up(p.delta.high)}
            for p in answer.places[0]
        ],
    }


def _with_universes(answer: Answer) -> dict[str, Any]:
    """What universes cost that were built from protected records, and the sum with the claims; else nothing."""
    sums = {"universes": answer.built, "claimed_with_universes": answer.built and answer.exposed}
    return {name: {"epsilon": sum_.epsilon, "delta": sum_.delta} for name, sum_ in sums.items() if sum_}


def _up(value: Fraction) -> str:
    return rounded(value, up=True)


def _row(row: Reading) -> dict[str, Any]:
    return {
        "delta": row.delta,
        "epsilon_lo": row.epsilon and rounded(row.epsilon.low),
        "epsilon_hi": row.epsilon and _up(row.epsilon.high),
        "why_none": row.why_none or None,
        "second_opinions": [
            {"tool": o.tool, "version": o.version, "epsilon": f"{o.epsilon:.9g}", "note": o.note} for o in row.opinions
        ],
    }


def table(answer: Answer) -> bytes:
    """Points of the curve as CSV: epsilon exact, delta between its two columns."""
    rows = (f"{exact(p.epsilon)},{rounded(p.delta.low)},{_up(p.delta.high)}\n" for p in answer.places[0])
    return ("epsilon,delta_lo,delta_hi\n" + "".join(rows)).encode()


def text(answer: Answer) -> str:
    """The answer in lines."""
    return "\n".join(_lines(answer))


def _lines(answer: Answer) -> Iterator[str]:
    yield subtitle(answer)
    yield from (f"  {release.name}" for release in answer.releases)
    known = answer.native
    yield f"pure loss: {'none' if known.pure is None else _short(known.pure)}"
    word = "" if known.pure is None and answer.attained else "at most "
    yield f"zero-concentrated rho: {word}{_short(known.rho)}"
    yield f"Gaussian-DP mu: {word}{_up(mu_of(known.mu_squared))}"
    for row in answer.readings:
        yield f"epsilon at delta {_short(row.delta)}: {_epsilon(row, answer)}"
        yield from (f"  {o.tool} {o.version} says {o.epsilon:.9g}: {o.note}" for o in row.opinions)
        if row.silent:
            yield f"  no second opinion: {row.silent}"
    if answer.claimed is not None:
        of = "" if answer.records == 1 else f", for {answer.records} units"
        yield f"sum of the claims{of}: epsilon {_short(answer.claimed.epsilon)}, delta {_short(answer.claimed.delta)}"
        if answer.beside is not None:
            word = ORDERS[order(answer.beside, answer.claimed)]
            yield f"  the curve at that delta: epsilon {_short(answer.beside.epsilon)}, {word}"
    if answer.built is not None:
        parts = [f"their universes, built from the records: {_loss(answer.built)}"]
        parts += [f"all together: {_loss(answer.exposed)}"] if answer.exposed else []
        yield "; ".join(parts)


def _loss(one: Guarantee) -> str:
    return f"epsilon {_short(one.epsilon)}, delta {_short(one.delta)}"


def _epsilon(row: Reading, answer: Answer) -> str:
    if row.epsilon is None:
        return f"none: {row.why_none}"
    if row.epsilon.low == row.epsilon.high:
        return _short(row.epsilon.high)
    return between(row.epsilon) if answer.attained else f"at most {_up(row.epsilon.high)}"


def _short(value: Fraction) -> str:
    """In full where that is short, else rounded up."""
    written = exact(value)
    plain = len(written) <= 12 and "/" not in written and (value == 0 or value >= Fraction(1, 1000))
    return written if plain else _up(value)


def subtitle(answer: Answer) -> str:
    """What is composed and protected."""
    count = len(answer.releases)
    releases = "1 release" if count == 1 else f"{count} releases of one population, fixed in advance"
    units = f"one {answer.unit}" if answer.records == 1 else f"{answer.records} {answer.unit}s together"
    return f"{releases}; protects {units}, {answer.adjacency.replace('_', '/')}"


def picture(answer: Answer) -> bytes:
    """The figure as an SVG file."""
    return svg(drawing(figure(answer)))


def figure(answer: Answer) -> Figure:
    """What is drawn."""
    whole, *places = answer.places
    names = Counter(release.name for release in answer.releases)
    singles = {release.name: found for release, found in zip(answer.releases, places, strict=False)}
    listed = [f"{name}, {count} times" if count > 1 else name for name, count in names.items()]
    few = len(listed) <= NAMED
    title = f"Privacy curve: {' + '.join(listed)}"
    if len(title) > LONGEST or not few:
        title = f"Privacy curve: {len(answer.releases)} releases" if places else f"{title[: LONGEST - 1]}…"
    drawn = names.items() if places and few else ()
    series = tuple(Series(f"each {name}" if count > 1 else name, _series(singles[name])) for name, count in drawn)
    whole_series = Series("together", _series(whole))
    return Figure(title, subtitle(answer), _description(answer), whole_series, series, tuple(_spots(answer)), POWER)


def _series(points: tuple[Point, ...]) -> tuple[Place, ...]:
    return tuple(Place(point.epsilon, point.delta.high) for point in points)


def _spots(answer: Answer) -> Iterator[Spot]:
    for row in answer.readings:
        if row.epsilon is not None and row.delta >= LEAST:
            yield Spot(Place(row.epsilon.high, row.delta), f"ε {float(row.epsilon.high):.6g}", other=False)
    if answer.claimed is not None and len(answer.releases) > 1:
        place = Place(answer.claimed.epsilon, answer.claimed.delta)
        yield Spot(place, "sum of the claims", other=True)


def _description(answer: Answer) -> str:
    """The figure in words, for those who do not see it."""
    said = [
        f"at delta {_short(row.delta)} epsilon is {_epsilon(row, answer)}" for row in answer.readings if row.epsilon
    ]
    pure = "" if answer.native.pure is None else f" Delta is 0 from epsilon {_short(answer.native.pure)} on."
    start = f"Delta on a logarithmic scale down to {ten(-POWER)}, falling as epsilon grows from 0."
    return f"{start} {'; '.join(said).capitalize()}.{pure}"
