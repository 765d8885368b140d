import pytest

from dpspin_experiments.baselines.methods import CATEGORIES, KEYWORDS, METHODS, PLAN, URANIA
from dpspin_experiments.baselines.standing import Standing
from dpspin_experiments.results import method_claims as claims
from dpspin_experiments.sweep.groups import spread


def stood(name, overlap):
    measures = {"overlap": spread([overlap]), "retained": spread([overlap]), "reach": spread([0.25])}
    return Standing(name, *METHODS[name], 1.0, 0.0, (), 0.5, False, measures, None)


def seen(made, **overlaps):
    names = {"plan": PLAN, "words": KEYWORDS, "categories": CATEGORIES, "urania": URANIA}
    return made.evidence()._replace(standings=[stood(names[key], value) for key, value in overlaps.items()])


@pytest.mark.parametrize(
    ("words", "categories", "verdict"), [(1, 1, "agrees"), (1, 0.5, "differs"), (0.5, 1, "differs")]
)
def test_histograms(made, words, categories, verdict):
    found = claims.histograms_do_well(seen(made, plan=0.8, words=words, categories=categories))
    assert found.verdict == verdict
    assert "DP-SPIN plan: Overlap 0.80" in found.measured
    assert "25%, 25%, 25%" in found.why
    assert claims.histograms_do_well(seen(made, plan=1)).verdict == "not measured"


@pytest.mark.parametrize(
    ("words", "urania", "verdict"), [(1, 0.5, "agrees"), (0.5, 0.5, "differs"), (0.5, 1, "differs")]
)
def test_clusters(made, words, urania, verdict):
    assert claims.clusters_are_no_aggregates(seen(made, words=words, urania=urania)).verdict == verdict
    assert claims.clusters_are_no_aggregates(seen(made, words=words)).verdict == "not measured"


@pytest.mark.parametrize(("least", "verdict"), [(0.9, "agrees"), (0.1, "differs")])
def test_a_difference_that_chance_can_make_decides_nothing(made, least, verdict):
    """Ten releases whose MassRetained is 0.95 at the most, or now and then far below."""
    found = seen(made, words=1, urania=0.9)
    rows = {each.name: each for each in found.standings}
    many = spread([least] + [0.95] * 9)
    rows[URANIA] = rows[URANIA]._replace(measures=rows[URANIA].measures | {"retained": many})
    judged = claims.clusters_are_no_aggregates(found._replace(standings=list(rows.values())))
    assert judged.verdict == verdict
    assert ("chance" in judged.why) == (verdict == "differs")
