"""DP-SPIN on each library, by the whole audit; wrong about a pipeline that keeps its claim with probability <= 1e-6."""

import pytest

from dpspin.adjacency import MASS_UNIT

UNIT = float(MASS_UNIT)
MUST_PASS = {"distribution.ideal", "distribution.bits", "sensitivity", "locality", "grouping", "canary", "contract"}


def clean(pipeline, checks, figure):
    figure(f"claimed 1; epsilon at least {pipeline.least(checks['distribution.ideal'])}")
    assert pipeline.faults(checks) == {}
    assert {name for name in MUST_PASS if checks[name]["status"] != "pass"} == set()


def test_opendp_laplace(opendp, pipeline, setting_of, figure):
    asked = {"scale": UNIT, "whole": True}
    draw = pipeline.everywhere(lambda exact, runs: opendp.ask("laplace", values=exact, runs=runs, **asked))
    clean(pipeline, pipeline.audit(setting_of(), draw, "opendp Laplace"), figure)


def test_opendp_gaussian(opendp, pipeline, setting_of, figure):
    setting = setting_of(mechanism="gaussian")
    asked = {"scale": float(setting.noise.sigma), "whole": True}
    draw = pipeline.everywhere(lambda exact, runs: opendp.ask("gaussian", values=exact, runs=runs, **asked))
    clean(pipeline, pipeline.audit(setting, draw, "opendp Gaussian"), figure)


def test_opendp_top_k(opendp, pipeline, setting_of, figure):
    """Half of epsilon for three admissions, where a score moves by at most one unit; the other half for the values."""
    terms = {"k": 3, "scale": 12 * UNIT, "measure": "pure"}
    assert opendp.ask("top_k_loss", **terms) * UNIT <= 0.5 * (1 + 1e-9)
    draw = pipeline.admitted(
        lambda exact, runs: opendp.ask("top_k", scores=exact, runs=runs, **terms),
        lambda values, runs: opendp.ask("laplace", values=values, scale=2 * UNIT, whole=True, runs=runs),
    )
    setting = setting_of(mechanism="top_l")
    clean(pipeline, pipeline.audit(setting, draw, "opendp top-k", pipeline.FEWER, bare=True), figure)


@pytest.mark.parametrize("library", ["tmlt", "diffprivlib", "opendp", "python-dp"])
def test_programs_in_the_environment_of_a_library(request, pipeline, setting_of, figure, library):
    """By DPSP/1: the Python sample with noise of tmlt.core, diffprivlib's Geometric, opendp and python-dp."""
    request.getfixturevalue(library.replace("-", "_"))  # skips where it is not installed
    clean(pipeline, pipeline.audit_of_command(setting_of(), library, pipeline.FEWER), figure)


def test_python_dp_laplace(python_dp, pipeline, setting_of, figure):
    draw = pipeline.in_units(lambda masses, runs: python_dp.ask("laplace", values=masses, epsilon=1.0, runs=runs))
    clean(pipeline, pipeline.audit(setting_of(), draw, "python-dp", bare=True), figure)


def test_diffprivlib_laplace_is_caught_by_its_low_order_bits(diffprivlib, pipeline, released_whole, figure):
    """All atoms are released: low bits show where noise cancels a mass, and such a mass is seldom among the highest."""
    asked = {"mechanism": "Laplace", "epsilon": 1.0, "sensitivity": 1.0}
    draw = pipeline.in_units(lambda masses, runs: diffprivlib.ask("noisy", values=masses, runs=runs, **asked))
    checks = pipeline.audit(released_whole, draw, "diffprivlib Laplace", pipeline.MANY)
    figure(f"claimed 1; epsilon at least {pipeline.least(checks['distribution.bits'])}")
    assert set(pipeline.faults(checks)) == {"distribution.bits"}


def test_python_dp_laplace_passes_where_all_atoms_are_released(python_dp, pipeline, released_whole, figure):
    draw = pipeline.in_units(lambda masses, runs: python_dp.ask("laplace", values=masses, epsilon=1.0, runs=runs))
    clean(pipeline, pipeline.audit(released_whole, draw, "python-dp", pipeline.MANY, bare=True), figure)


def test_half_of_the_noise_is_caught(opendp, pipeline, setting_of):
    """The planted fault: the same pipeline with a scale of half a unit."""
    asked = {"scale": 0.5 * UNIT, "whole": True}
    draw = pipeline.everywhere(lambda exact, runs: opendp.ask("laplace", values=exact, runs=runs, **asked))
    assert "distribution.ideal" in pipeline.faults(pipeline.audit(setting_of(), draw, "half"))
