"""Introductions: one for each part, in the unit's words, and all of them stand on a page."""

from dpspin_audits.report import introductions, render
from dpspin_audits.report.prose import plain


def test_the_unit_is_named():
    assert "differ in one user;" in plain(introductions.view("user")["measure"])
    assert introductions.view("user").keys() == introductions.view("record").keys()


def test_every_introduction_is_used(evidence):
    template = render.environment().loader.get_source(render.environment(), "sections.html.j2")[0]
    assert all(f"said.{name})" in template for name in introductions.view("record"))
