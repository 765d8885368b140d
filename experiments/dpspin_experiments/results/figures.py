"""The figures of a sweep: utility against epsilon (3 to 5), the probe against its support (6), and the ablations."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.marks import Drawing
from dpspin_experiments.results.evidence import NAMES
from dpspin_experiments.results.figure import Lines, Point, drawing
from dpspin_experiments.sweep.groups import Group, Spread
from dpspin_experiments.sweep.settings import Grid, Sweep


class Measure(NamedTuple):
    """One panel."""

    figure: str
    name: str
    top: float | None
    paper: str
    """The figure of the paper, or empty."""


RECORD = (
    Measure("mass_retained", "MassRetained", 1, "figure 3"),
    Measure("overlap", "Overlap@L", 1, "figure 3"),
    Measure("loss", "Loss", None, "figure 4"),
)
USER = (
    Measure("mass_retained", "MassRetained", 1, "figure 5"),
    Measure("overlap", "Overlap@L", 1, ""),
    Measure("loss", "Loss", None, ""),
)
PROBE = (
    Measure("probe_admitted", "probe admitted", 1, "figure 6"),
    Measure("probe_mentioned", "probe mentioned", 1, "figure 6"),
)
ABLATION = (Measure("overlap", "Overlap@L", 1, ""), Measure("loss", "Loss", None, ""))
VARIED: dict[str, tuple[str, Callable[[Group], Fraction]]] = {
    "universe_sizes": ("m, as realised", lambda group: Fraction(group.universe_size or 0)),
    "max_atoms": ("K", lambda group: Fraction(group.condition.max_atoms)),
    "plan_sizes": ("L", lambda group: Fraction(group.condition.plan_size)),
    "sampling_rates": ("share of units", lambda group: Fraction(group.condition.sampling_rate)),
    "mass_bounds": ("B", lambda group: Fraction(group.condition.mass_bound)),
}


def figures(sweep: Sweep, groups: Sequence[Group]) -> list[Drawing]:
    """Every figure that the groups give."""
    return [drawing(lines) for grid in sweep.grids for lines in _of_grid(sweep, grid, groups)]


def _of_grid(sweep: Sweep, grid: Grid, groups: Sequence[Group]) -> Iterator[Lines]:
    members = [group for group in groups if grid.name in group.grids and group.figures]
    if grid.purpose == "plan":
        for bound in grid.mass_bounds:
            chosen = [group for group in members if group.condition.mass_bound == bound.text]
            suffix = f"-B{bound.text}" if grid.unit == "user" else ""
            measures = USER if grid.unit == "user" else RECORD
            for measure in measures:
                axis = Varied("epsilon", True, lambda group: Fraction(group.condition.epsilon))
                yield from _lines(sweep, f"{grid.name}{suffix}", measure, axis, chosen)
    elif grid.purpose == "probe":
        for measure in PROBE:
            axis = Varied("injected support s", False, lambda group: Fraction(group.condition.probe_support or 0))
            yield from _lines(sweep, grid.name, measure, axis, members)
    else:
        name, of = next((VARIED[field] for field in VARIED if len(getattr(grid, field)) > 1), VARIED["plan_sizes"])
        for measure in ABLATION:
            yield from _lines(sweep, grid.name, measure, Varied(name, False, of), members)


class Varied(NamedTuple):
    """What is varied."""

    name: str
    logarithmic: bool
    of: Callable[[Group], Fraction]


def _lines(sweep: Sweep, grid: str, measure: Measure, axis: Varied, groups: Sequence[Group]) -> Iterator[Lines]:
    points: dict[str, Sequence[Point]] = {}
    for name in NAMES:
        found = {
            axis.of(group): group.figures[measure.figure]
            for group in groups
            if group.condition.mechanism == name and measure.figure in group.figures
        }
        if found:
            points[name] = [_point(at, values, measure) for at, values in sorted(found.items())]
    if points:
        title = f"{measure.name}, {sweep.name}, {grid}" + (f" ({measure.paper} of the paper)" if measure.paper else "")
        id_ = f"{sweep.name}-{grid}-{measure.figure}".replace(".", "_")
        yield Lines(id_, title, axis.name, measure.name, axis.logarithmic, measure.top, points)


def _point(at: Fraction, values: Spread, measure: Measure) -> Point:
    """A rate has no range worth drawing: every run is 0 or 1."""
    if measure in PROBE:
        return Point(at, values.mean, values.mean, values.mean)
    return Point(at, values.mean, values.least, values.most)
