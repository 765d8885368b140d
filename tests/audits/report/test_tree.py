from fractions import Fraction

import pytest

from dpspin.errors import UsageError
from dpspin_audits.report.tree import Node, completed, opened

ROOT = Node({"a": {"b": [{"n": "1e-6"}, {"n": 3}]}, "t": "x", "f": True, "none": None, "words": ["y"], "half": "1/2"})


def test_values_come_back_in_their_types():
    rows = ROOT.node("a").nodes("b")
    assert [row.number("n") for row in rows] == [Fraction(1, 10**6), 3]
    assert (rows[1].count("n"), ROOT.text("t"), ROOT.flag("f"), ROOT.texts("words")) == (3, "x", True, ["y"])
    assert ROOT.maybe_node("none") is None
    assert ROOT.maybe_number("none") is None
    assert ROOT.has("t")
    assert not ROOT.has("none")


@pytest.mark.parametrize(
    ("read", "named"),
    [
        (lambda: ROOT.node("a").text("absent"), "evidence.json: a: absent"),
        (lambda: ROOT.node("a").nodes("b")[0].count("n"), r"a: b\[0\]: n"),
        (lambda: ROOT.number("t"), "t: not an exact number"),
        (lambda: ROOT.number("f"), "f: not a text"),
        (lambda: ROOT.count("half"), "half: not a whole number"),
        (lambda: ROOT.flag("t"), "t: not true or false"),
        (lambda: ROOT.texts("a"), "a: not a list"),
        (lambda: Node({"w": [1]}).texts("w"), "w: not a list of texts"),
        (lambda: ROOT.node("t"), "t: not an object"),
        (lambda: opened({"schema": "dpspin-evidence/9"}), "dpspin-evidence/9"),
        (lambda: Node({"n": "1e999999999"}).number("n"), "not an exact number"),
    ],
)
def test_an_error_names_the_field(read, named):
    with pytest.raises(UsageError, match=named):
        read()


def test_a_missing_section_is_empty_and_listed(evidence):
    whole = evidence()
    assert completed(whole) == whole
    lacking = {key: value for key, value in whole.items() if key not in ("utility", "strengths", "not_assessed")}
    found = completed(lacking)
    assert found["utility"] is None
    assert found["strengths"] == {}
    assert [row["id"] for row in found["not_assessed"]] == ["utility"]
    assert completed(found) == found
    assert "utility" not in lacking
