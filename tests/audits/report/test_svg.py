"""An SVG file stands alone: well-formed, with a text alternative, two colour schemes, no script and nothing to load."""

import re
from fractions import Fraction
from xml.etree import ElementTree

from dpspin_audits.report.curve import Figure, Place, Series, drawing
from dpspin_audits.report.svg import svg

PLACES = (Place(Fraction(0), Fraction(1, 2)), Place(Fraction(1), Fraction(1, 10**12)))
NAME = {"svg": "http://www.w3.org/2000/svg"}


def made(title="Title", description="in words"):
    return svg(drawing(Figure(title, "under it", description, Series("whole", PLACES), (), (), 12)))


def test_it_is_well_formed_and_has_a_text_alternative():
    root = ElementTree.fromstring(made())
    assert root.get("role") == "img"
    described = root.get("aria-labelledby").split()
    found = {node.get("id"): node.text for node in root.findall("svg:title", NAME) + root.findall("svg:desc", NAME)}
    assert [found[name] for name in described] == ["Title", "in words"]


def test_it_has_both_colour_schemes_and_every_class_has_a_colour():
    text = made().decode()
    assert "@media (prefers-color-scheme: dark)" in text
    used = set(re.findall(r'class="([^"]*)"', text))
    for name in {part for classes in used for part in classes.split()}:
        assert f".{name} {{" in text, name
    for variable in set(re.findall(r"var\((--\w+)\)", text)):
        assert text.count(f"{variable}: #") == 2, variable


def test_it_runs_nothing_and_loads_nothing():
    text = made().decode()
    assert not re.search(r"<script|href|url\(|@import|<image|<foreignObject| on\w+=", text)
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]


def test_what_a_stranger_wrote_is_escaped():
    text = made("<script>alert(1)</script>", '"&<b>').decode()
    assert "<script" not in text
    assert ElementTree.fromstring(text).find("svg:title", NAME).text == "<script>alert(1)</script>"
