import pytest

from dpspin_experiments.results import effect_claims as claims

SUPPORTS = (0, 10, 100)


def probes(made, rates, mentioned=None):
    return made.evidence(
        *(
            made.group(
                "probe",
                {"probe_admitted": rate, "probe_mentioned": rate if mentioned is None else mentioned},
                mechanism=name,
                probe_support=support,
            )
            for name in ("laplace", "gaussian", "private_top_l")
            for support, rate in zip(SUPPORTS, rates[name], strict=True)
        )
    )


RATES = {"laplace": (0, 0.5, 1), "gaussian": (0, 0.4, 1), "private_top_l": (0.1, 0.1, 0.6)}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "agrees"),
        ({"private_top_l": (0.1, 0.05, 0.6)}, "agrees"),  # a fall that is chance of twenty seeds
        ({"private_top_l": (0.5, 0.6, 0.9)}, "differs"),  # not rare
        ({"gaussian": (0, 0.9, 0.2)}, "differs"),  # falls by more than chance
        ({"laplace": (0, 0, 0)}, "differs"),
    ],
)
def test_the_probe(made, changed, verdict):
    found = claims.probe_admission_rises(probes(made, {**RATES, **changed}))
    assert found.verdict == verdict
    assert "s = 0, 10, 100" in found.measured


def test_mention(made):
    assert claims.mention_follows_admission(probes(made, RATES, 0.0)).verdict == "agrees"
    assert claims.mention_follows_admission(probes(made, RATES)).verdict == "agrees"
    above = claims.mention_follows_admission(probes(made, RATES, 0.9))
    assert above.verdict == "differs"
    assert above.measured == "mention is below admission in 2 of 9 groups, and above it in 7"


def ablation(made, name, rows):
    return made.evidence(*(made.group(f"ablation-{name}", figures, **changed) for figures, changed in rows))


@pytest.mark.parametrize(("gaps", "verdict"), [((9, 4, 6), "agrees"), ((4, 5, 6), "differs")])
def test_m(made, gaps, verdict):
    rows = [
        ({"boundary_gap": gap, "overlap": 0.9}, {"universe_size": m, "mechanism": "laplace"})
        for gap, m in zip(gaps, (20, 40, 80), strict=True)
    ]
    groups = [made.group("ablation-m", figures)._replace(universe_size=more["universe_size"]) for figures, more in rows]
    groups = [group._replace(condition=group.condition._replace(universe_size=group.universe_size)) for group in groups]
    found = claims.larger_m_narrows_the_gap(made.evidence(*groups))
    assert found.verdict == verdict
    assert found.measured.startswith("m 20: gap")


@pytest.mark.parametrize(("masses", "verdict"), [((10, 20, 30), "agrees"), ((10, 5, 3), "differs")])
def test_l(made, masses, verdict):
    rows = [
        ({"best_mass": mass, "loss": 1}, {"plan_size": size}) for mass, size in zip(masses, (3, 5, 10), strict=True)
    ]
    assert claims.larger_l_keeps_more(ablation(made, "L", rows)).verdict == verdict


@pytest.mark.parametrize(("floors", "verdict"), [((3, 3), "agrees"), ((3, 4), "differs")])
def test_n(made, floors, verdict):
    rows = [
        (
            {"sketch_mass": mass, "noise_floor": floor, "effective_units": mass},
            {"sampling_rate": rate},
        )
        for mass, rate, floor in zip((100, 200), ("1/2", "1"), floors, strict=True)
    ]
    found = claims.fewer_units_less_mass(ablation(made, "n", rows[::-1]))
    assert found.verdict == verdict
    assert found.measured.startswith("100 units")


@pytest.mark.parametrize(("floors", "verdict"), [((3, 6), "agrees"), ((3, 3), "differs")])
def test_b(made, floors, verdict):
    rows = [
        ({"sketch_mass": mass, "noise_floor": floor, "mass_retained": 1}, {"mass_bound": bound})
        for mass, bound, floor in zip((100, 200), "12", floors, strict=True)
    ]
    assert claims.larger_b_keeps_more(ablation(made, "B", rows)).verdict == verdict


def test_nothing_measured(made):
    for judge in (
        claims.probe_admission_rises, claims.mention_follows_admission, claims.larger_m_narrows_the_gap,
        claims.larger_l_keeps_more, claims.fewer_units_less_mass, claims.larger_b_keeps_more,
    ):  # fmt: skip
        assert judge(made.evidence()).verdict == "not measured"
