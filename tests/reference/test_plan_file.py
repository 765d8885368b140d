"""The layout of plan.json: rules that bind several rows, and numbers from strangers."""

import json
from fractions import Fraction

import pytest

from dpspin import plan
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin.plan_file import PlanFile, completed, contradictions, is_close
from dpspin.settings import validated


@pytest.fixture
def tree_of_plan(demo, five):
    masses = [(4, 9 * MASS_UNIT), (0, -3), (2, 2000 * MASS_UNIT + 1)]
    return json.loads(plan.encode(plan.build(masses, plan.terms_of(demo, five, 7 * 2**20))))


def broken(tree):
    found = [(field, problem) for wrong, field, problem, _ in contradictions(validated(PlanFile, tree, "f")) if wrong]
    return found[0] if found else None


def test_a_released_plan_breaks_no_rule(tree_of_plan):
    assert broken(tree_of_plan) is None


def _swap(rows):
    rows[0], rows[1] = rows[1], rows[0]


@pytest.mark.parametrize(("change", "complaint"), [
    (lambda t: _swap(t["universe"]), ("universe", "not in order")),
    (lambda t: t["universe"].pop(2), ("universe", "not in order")),
    (lambda t: t["universe"].pop(4), ("released", "an atom outside the universe")),
    (lambda t: t["universe"][2].update(index=1), ("universe", "not in order")),
    (lambda t: t["released"].append(t["released"][0]), ("released", "an atom stands twice")),
    (lambda t: t["released"].pop(), ("released", "2 atoms")),
    (lambda t: t["released"].clear(), ("released", "0 atoms")),
    (lambda t: t.update(plan_size=9), ("released", "3 atoms")),
    (lambda t: t["bins"].pop(0), ("bins.0", "another bin")),
    (lambda t: t["bins"][0].update(lower="0"), ("bins.0", "another bin")),
    (lambda t: t["bins"][1].update(lower="0.01"), ("bins", "no bin begins at 0")),
    (lambda t: t["bins"][1].update(lower=None), ("bins", "no bin begins at 0")),
    (lambda t: t["bins"][2].update(lower=None), ("bins", "cuts do not ascend")),
    (lambda t: t["bins"][3].update(lower="0.05"), ("bins", "cuts do not ascend")),
    (lambda t: _swap(t["bins"][2:]) or t["bins"].append(t["bins"].pop(2)), ("bins", "cuts do not ascend")),
    (lambda t: t["bins"][3].update(name="low"), ("bins", "a name stands twice")),
    (lambda t: t["bins"].__delitem__(slice(1, None)), ("bins", "no bin begins at 0")),
    (lambda t: t.update(noise_floor="-1"), ("noise_floor", "missing or below zero")),
    (lambda t: t.pop("noise_floor"), ("noise_floor", "missing or below zero")),
    (lambda t: t.pop("display"), ("display", "missing")),
    (lambda t: t.update(margin="1/3"), ("margin", "a fraction")),
    (lambda t: t.update(noise_floor="1/3"), ("noise_floor", "a fraction")),
    (lambda t: t.update(public_denominator="1/7"), ("public_denominator", "a fraction")),
    (lambda t: t["released"][1].update(noisy_mass="1/11"), ("released.1.noisy_mass", "a fraction")),
    (lambda t: t["released"][1].update(noisy_mass="7/8"), None),
])  # fmt: skip
def test_rows_that_contradict_each_other_are_named(tree_of_plan, change, complaint):
    change(tree_of_plan)
    assert broken(tree_of_plan) == complaint


@pytest.mark.parametrize(("field", "value"), [
    ("schema", "dpspin-plan/2"), ("public_denominator", "0"), ("public_denominator", -1), ("public_denominator", True),
    ("margin", "-0"), ("margin", "1e999"), ("plan_size", 0), ("plan_size", "three"), ("plan_size", True),
    ("plan_size", Fraction(5, 2)), ("plan_size", "３"), ("margin", None), ("plan_size", "-1"),
    ("bins", [{"name": "low", "lower": "0"}] * 101),
    ("epsilon", "0"), ("epsilon", "NaN"), ("delta", "-1e-9"), ("universe", []), ("released", {}), ("bins", []),
    ("public_text", {"a": 1}), ("stamp", 5), ("plan_id", None), ("mechanism", None),
    ("display", {"mass_dp": 10**9, "support_dp": 0}),
    ("display", {"mass_dp": 0, "support_dp": -1}), ("display", {"mass_dp": 7, "support_dp": 0}),
    ("display", {"mass_dp": 0, "support_dp": 7}),
])  # fmt: skip
def test_values_out_of_range_are_refused(tree_of_plan, field, value):
    with pytest.raises(UsageError, match=f"^f: {field}"):
        validated(PlanFile, tree_of_plan | {field: value}, "f")


@pytest.mark.parametrize("digits", [0, 6])
def test_all_digits_that_a_deployment_may_declare_are_read(tree_of_plan, digits):
    read = validated(PlanFile, tree_of_plan | {"display": {"mass_dp": digits, "support_dp": digits}}, "f")
    assert (read.display.mass_dp, read.display.support_dp) == (digits, digits)


@pytest.mark.parametrize("given", [3, "3", Fraction(3), "03"])
def test_whole_numbers_may_be_written_as_a_stranger_writes_them(tree_of_plan, given):
    assert validated(PlanFile, tree_of_plan | {"plan_size": given}, "f").plan_size == 3


@pytest.mark.parametrize(
    ("given", "value"), [(5, 5), (Fraction(1, 4), Fraction(1, 4)), ("0.25", Fraction(1, 4)), (0, 0)]
)
def test_numbers_may_be_written_as_numbers(tree_of_plan, given, value):
    assert validated(PlanFile, tree_of_plan | {"margin": given}, "f").margin == value


def test_every_field_is_described():
    schema = PlanFile.model_json_schema()
    models = [schema, *schema["$defs"].values()]
    assert all(inner.get("description") for model in models for inner in model["properties"].values())


def stranger(tree, *missing, **fields):
    kept = {name: value for name, value in tree.items() if name not in ("schema", "stamp", *missing)}
    return validated(PlanFile, kept | fields, "f")


def row(index, mass, bin_):
    return {"index": index, "label": "x", "noisy_mass": mass, "support": "0.25", "bin": bin_, "rank": 1}


LOW, HIGH, BELOW = ({"name": name, "lower": lower} for name, lower in (("low", 0), ("high", "0.5"), ("odd", None)))


@pytest.mark.parametrize(("bins", "names", "lowers"), [
    ([BELOW, LOW, HIGH], ("odd", "low", "high"), (0, Fraction(1, 2))),
    ([LOW, HIGH], ("below noise floor", "low", "high"), (0, Fraction(1, 2))),
    ([LOW | {"lower": None}, HIGH], ("below noise floor", "low", "high"), (0, Fraction(1, 2))),
    ([{"name": "Below noise floor", "lower": None}, HIGH], ("Below noise floor", "high"), (Fraction(1, 2),)),
    ([BELOW, BELOW | {"name": "b"}, LOW], ("odd", "b", "low"), (-1, 0)),
])  # fmt: skip
def test_a_bin_without_a_cut_is_below_the_floor_unless_no_other_begins_at_zero(tree_of_plan, bins, names, lowers):
    filled = completed(stranger(tree_of_plan, bins=bins))
    assert (filled.bins, filled.lowers) == (names, lowers)


@pytest.mark.parametrize(("rows", "floor"), [
    ([row(0, 9, "low"), row(1, "-2.5", "odd"), row(2, 4, "odd")], 4), ([row(0, 9, "low")], -1),
    ([row(0, "-2.5", "low"), row(1, 9, "low")], Fraction(-7, 2)), ([], -1),
])  # fmt: skip
def test_a_missing_floor_is_read_off_the_bins(tree_of_plan, rows, floor):
    given = {"bins": [BELOW, LOW, HIGH], "released": rows}
    assert completed(stranger(tree_of_plan, "noise_floor", **given)).floor == floor
    assert completed(stranger(tree_of_plan, noise_floor="1.5", **given)).floor == Fraction(3, 2)


def test_missing_digits_are_those_of_the_longest_number(tree_of_plan):
    rows = [row(0, "9.25", "low"), row(1, 4, "low"), row(2, "0.123456789", "low") | {"support": "1"}]
    first, whole = (completed(stranger(tree_of_plan, "display", released=part)) for part in (rows[:2], rows))
    assert (first.mass_digits, first.support_digits, whole.mass_digits) == (2, 2, 6)


@pytest.mark.parametrize(("change", "complaint"), [
    (lambda t: t["universe"][2].update(index=1), ("universe", "an index stands twice")),
    (lambda t: t["universe"].pop(4), ("released", "an atom outside the universe")),
    (lambda t: t.update(plan_size=2), ("released", "3 atoms")),
    (lambda t: t["bins"].reverse(), ("bins", "no bin begins at 0")),
    (lambda t: (t["released"].pop(), t["universe"].reverse()), None),
    (lambda t: [r.update(index=10 * r["index"] + 7) for name in ("universe", "released") for r in t[name]], None),
])  # fmt: skip
def test_a_stranger_may_number_atoms_freely_and_admit_fewer(tree_of_plan, change, complaint):
    del tree_of_plan["schema"]
    change(tree_of_plan)
    assert broken(tree_of_plan) == complaint


@pytest.mark.parametrize(("support", "close"), [
    ("0.059", True), ("0.0592", True), ("0.05922", True), ("0.0592191086685617", True), ("0.06", False),
    ("0.058", False), ("0.0593", False), ("0.05921", False), ("0.0592191086685618", False),
])  # fmt: skip
def test_a_stranger_may_write_a_support_in_more_digits(support, close):
    assert is_close(Fraction(support), Fraction("118.43821733712345") / 2000, 3) is close
