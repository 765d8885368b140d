"""The declared shape of plans: which names, digits and sizes may be declared."""

import pytest

from dpspin.errors import UsageError
from dpspin.plan_shape import PlanShape
from dpspin.settings import validated


@pytest.mark.parametrize("name", ["low", "very high", "below the line"])
def test_bin_names_are_one_to_three_lower_case_words(tree, name):
    tree["plan"]["bins"][0]["name"] = name
    assert validated(PlanShape, tree["plan"], "f").bins[0].name == name


@pytest.mark.parametrize("name", ["", "Low", "low ", " low", "a b c d", "low\n", "a  b", "a-b", "a1", "ä", "a\u00a0b"])
def test_other_bin_names_are_refused(tree, name):
    tree["plan"]["bins"][0]["name"] = name
    with pytest.raises(UsageError, match=r"^f: bins.0.name: cannot use .*; write one to three words in lower-case"):
        validated(PlanShape, tree["plan"], "f")


@pytest.mark.parametrize("written", ["0", "12", "1/3", "0.000001", "1e-6", "rule"])
def test_margins_are_rule_or_exact_numbers(tree, written):
    tree["plan"]["margin"] = written
    margin = validated(PlanShape, tree["plan"], "f").margin
    assert (margin if margin == "rule" else margin.text) == written


@pytest.mark.parametrize(("path", "value"), [
    (("size",), 0), (("size",), -1), (("public_denominator",), "0"), (("noise_beta",), "0"), (("noise_beta",), "1"),
    (("display", "mass_digits"), -1), (("display", "mass_digits"), 7), (("display", "support_digits"), 7),
    (("bins",), []), (("bins", 0, "from"), "-1"), (("margin",), "-0.1"), (("margin",), "-0"), (("margin",), "Rule"),
])  # fmt: skip
def test_values_out_of_range_are_refused(tree, path, value):
    *outer, last = path
    inner = tree["plan"]
    for step in outer:
        inner = inner[step]
    inner[last] = value
    field = ".".join(map(str, path))
    with pytest.raises(UsageError, match=f"^f: {field}: cannot use .*; write "):
        validated(PlanShape, tree["plan"], "f")
