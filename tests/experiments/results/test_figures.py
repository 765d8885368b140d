from fractions import Fraction
from importlib.resources import files as resources
from xml.etree import ElementTree

import pytest

from dpspin.settings import Exact
from dpspin_audits.report.numerals import brief
from dpspin_experiments.results.figures import figures
from dpspin_experiments.results.store import read
from dpspin_experiments.sweep.groups import spread
from dpspin_experiments.sweep.settings import load


def test_every_grid_has_its_figures(folder):
    seen = read(folder)
    found = {each.id: each for each in figures(seen.sweep, seen.groups)}
    assert set(found) == {
        *(f"small-record-level-{name}" for name in ("mass_retained", "overlap", "loss")),
        *(f"small-user-level-B1-{name}" for name in ("mass_retained", "overlap", "loss")),
        *(f"small-probe-probe_{name}" for name in ("admitted", "mentioned")),
        *(f"small-ablation-{which}-{name}" for which in "Ln" for name in ("overlap", "loss")),
    }
    assert found["small-record-level-loss"].title.endswith("(figure 4 of the paper)")
    assert "figure 5" in found["small-user-level-B1-mass_retained"].title
    assert "figure 6" in found["small-probe-probe_admitted"].title
    assert "tight" in found["small-record-level-loss"].description
    assert "share of units" in found["small-ablation-n-loss"].description


def test_no_groups_no_figures(folder):
    assert figures(read(folder).sweep, []) == []


def test_a_line_begins_and_ends_at_the_means_of_its_groups(folder):
    seen = read(folder)
    found = {each.id: each.description for each in figures(seen.sweep, seen.groups)}
    for name, figure in (("mass_retained", "mass_retained"), ("overlap", "overlap"), ("loss", "loss")):
        first, last = (group for group in seen.plans("record") if group.condition.mechanism == "laplace")
        said = f"Laplace sketch: {first.mean(figure):.3g} at 0.2, {last.mean(figure):.3g} at 4"
        assert said in found[f"small-record-level-{name}"]


def test_a_mean_that_is_changed_changes_its_own_figure_alone(folder):
    """The fault: one group's Loss is another one's."""
    seen = read(folder)
    first = seen.plans("record")[0]
    wrong = first._replace(figures={**first.figures, "loss": spread([1e4])})
    groups = [wrong if group is first else group for group in seen.groups]
    before, after = ({each.id: each for each in figures(seen.sweep, some)} for some in (seen.groups, groups))
    assert {name for name in before if before[name] != after[name]} == {"small-record-level-loss"}


@pytest.mark.parametrize(
    ("field", "values", "names"),
    [
        ("universe_sizes", (20, 60), (None, "m, as realised")),
        ("max_atoms", (1, 3), ("max_atoms", "K")),
        ("plan_sizes", (3, 5), ("plan_size", "L")),
        ("sampling_rates", ("1/4", "1"), ("sampling_rate", "share of units")),
        ("mass_bounds", ("1", "5"), ("mass_bound", "B")),
    ],
)
def test_every_ablation_stands_on_its_own_axis(folder, made, field, values, names):
    condition, axis = names
    sweep = read(folder).sweep
    listed = tuple(Exact(value) if isinstance(value, str) else value for value in values)
    grid = sweep.grids[-1].model_copy(update={"name": "ablation", "sampling_rates": (Exact("1"),), field: listed})
    groups = [
        made.group(
            "ablation", {"overlap": 0.25 * (at + 1), "loss": 4.0},
            universe_size=value if condition is None else 20, **({} if condition is None else {condition: value}),
        )
        for at, value in enumerate(values)
    ]  # fmt: skip
    overlap, loss = figures(sweep.model_copy(update={"grids": (grid,)}), groups)
    assert f"against {axis}," in overlap.description
    assert f"Laplace sketch: 0.25 at {_brief(values[0])}, 0.5 at {_brief(values[1])}" in overlap.description
    assert loss.title == "Loss, small, ablation"


def _brief(value):
    return brief(Fraction(value))


def test_every_shipped_sweep_varies_what_the_paper_does():
    for name, varied in (("embedded", "mKLnB"), ("cfpb", "mKLn"), ("amazon", "KLnB"), ("yelp", "mKLnB")):
        data = (resources("dpspin_experiments") / "sweeps" / f"{name}.yaml").read_bytes()
        assert {f"ablation-{each}" for each in varied} <= {grid.name for grid in load(data, name).grids}


def test_files_are_the_figures_with_their_words(folder):
    seen = read(folder)
    for each in figures(seen.sweep, seen.groups):
        root = ElementTree.fromstring((folder / "curator_only" / f"{each.id}.svg").read_bytes())
        assert [child.text for child in root[:2]] == [each.title, each.description]
