"""Where atoms come from is declared; which atoms they are is checked."""

from dataclasses import replace

from dpspin_audits.checks import provenance


def test_the_declared_universe_passes_as_declared(setting):
    found = provenance.check(setting)
    assert (found.status, found.strength, found.figures["provenance"]) == ("pass", "declared", "public")


def test_another_universe_is_a_finding(setting):
    found = provenance.check(replace(setting, universe_bytes=setting.universe_bytes + b" "))
    assert (found.status, found.location.file) == ("fail", "universe.json")
