"""Where atoms come from is declared; which atoms they are is checked."""

from dataclasses import replace

from dpspin_audits.checks import provenance


def test_the_declared_universe_passes_as_declared(setting):
    found = provenance.check(setting)
    assert (found.status, found.strength, found.figures["provenance"]) == ("pass", "declared", "public")


def test_another_universe_is_a_finding(setting):
    found = provenance.check(replace(setting, universe_bytes=setting.universe_bytes + b" "))
    assert (found.status, found.location.file) == ("fail", "universe.json")


def test_a_charged_universe_is_declared_with_its_cost(setting_of):
    found = provenance.check(setting_of(built=("0.50", "1e-7")))
    assert (found.status, found.strength) == ("pass", "declared")
    assert "protected records, at a cost of their own of epsilon 0.50, delta 1e-7, as declared" in found.summary
    assert {name: found.figures[name] for name in ("epsilon", "delta")} == {"epsilon": "0.50", "delta": "1e-7"}
    assert not {"epsilon", "delta"} & provenance.check(setting_of()).figures.keys()
