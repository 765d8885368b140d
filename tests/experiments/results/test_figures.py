from dpspin_experiments.results.figures import figures
from dpspin_experiments.results.store import read


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
