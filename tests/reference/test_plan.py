"""Plans: what is released is read back, and nothing that contradicts the released masses is."""

import copy
import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import canonical, deployment, plan
from dpspin.adjacency import MASS_UNIT
from dpspin.enclosure import laplace_floor
from dpspin.errors import UsageError
from dpspin.universe import Universe

FLOOR = laplace_floor(Fraction(2 * MASS_UNIT), 5, Fraction(1, 20))
MASSES = (
    st.integers(-(2**50), 2**50)
    | st.integers(-3, 3)
    | st.sampled_from([MASS_UNIT, 250 * MASS_UNIT, 250 * MASS_UNIT - 1])
)


@pytest.fixture(scope="session")
def terms(demo, five):
    return plan.terms_of(demo, five, FLOOR)


@pytest.fixture(scope="session")
def released(terms):
    return plan.build([(4, 9 * MASS_UNIT), (1, -3), (2, 2000 * MASS_UNIT + 1)], terms)


@st.composite
def plans(draw, terms):
    """Plans over 1 to 6 atoms, with L below, at and above m, ties and negative masses."""
    width, size = draw(st.integers(1, 6)), draw(st.integers(1, 8))
    labels = tuple(f"theme number {at}, of {width}" for at in range(width))
    atoms = draw(st.permutations(range(width)))[: min(width, size)]
    own = replace(
        terms,
        universe=Universe(labels, tuple(draw(st.none() | st.text("ab")) for _ in labels)),
        plan_size=size,
        denominator=draw(st.integers(1, 10**12)),
        floor=draw(st.integers(0, 300 * MASS_UNIT)),
        margin=draw(st.integers(0, 10**9)),
        mass_digits=draw(st.integers(0, 6)),
        support_digits=draw(st.integers(0, 6)),
        stamp=draw(st.none() | st.just(plan.SEEDED)),
    )
    return plan.build([(atom, draw(MASSES)) for atom in atoms], own)


@given(st.data())
def test_what_is_written_is_read_back(terms, data):
    value = data.draw(plans(terms))
    written = plan.encode(value)
    assert plan.decode(written, "plan.json") == value
    assert canonical.dumps(json.loads(written)) == written
    tree = json.loads(written)
    assert [row["rank"] for row in tree["released"]] == list(range(1, len(value.atoms) + 1))
    assert tree["plan_id"] == canonical.digest(canonical.dumps({k: v for k, v in tree.items() if k != "plan_id"}))[:16]


@given(st.data())
def test_bins_ranks_and_supports_follow_from_the_masses(terms, data):
    value = data.draw(plans(terms))
    order = sorted(value.pairs, key=lambda pair: (-pair[1], pair[0]))
    assert value.pairs == order
    for rank, atom in enumerate(value.atoms, 1):
        support = Fraction(max(atom.mass, 0), value.terms.denominator)
        cuts = [Fraction(1, 20), Fraction(1, 3)]
        assert (atom.rank, atom.label) == (rank, value.terms.universe.labels[atom.index])
        assert atom.bin == (0 if atom.mass <= value.terms.floor else 1 + sum(support >= cut for cut in cuts))
        shown = Decimal(plan.shown_support(value, atom).replace(",", ""))
        assert Fraction(shown) == round(support * 10**value.terms.support_digits, 0) / 10**value.terms.support_digits


def test_terms_follow_from_the_deployment(demo, five, terms):
    with mpmath.workdps(50):  # P(max of 5 > k) with b = 2 units of mass, from the law itself
        b = mpmath.mpf(2 * MASS_UNIT)

        def exceeded(k):
            return 1 - (1 - 2 * mpmath.exp(-(k + 1) / b) / (1 + mpmath.exp(-1 / b))) ** 5

        assert exceeded(terms.floor) <= mpmath.mpf(1) / 20 < exceeded(terms.floor - 1)
    assert terms.margin == 2 * terms.floor
    assert (terms.mass_unit, terms.denominator, terms.plan_size) == (MASS_UNIT, 5000 * MASS_UNIT, 3)
    assert terms.bins == ("below noise floor", "low", "moderate", "high")
    assert [Fraction(cut, terms.cut_scale) for cut in terms.cuts] == [Fraction(1, 20), Fraction(1, 3)]
    assert (terms.epsilon, terms.delta, terms.mechanism, terms.stamp) == ("0.5", "0", "laplace", None)
    assert (terms.mass_digits, terms.support_digits) == (1, 3)
    assert terms.public_text == demo.decoder.public_text
    assert plan.terms_of(demo, five, FLOOR, plan.SEEDED).stamp == plan.SEEDED


@pytest.mark.parametrize(("written", "margin"), [
    ("0", 0), ("12", 12 * MASS_UNIT), ("1e-9", 1), ("1/3", MASS_UNIT // 3 + 1), ("1/1048576", 1),
    ("1.0000001", MASS_UNIT + 1),
])  # fmt: skip
def test_a_declared_margin_is_rounded_up_to_the_lattice(tree, five, written, margin):
    tree["plan"]["margin"] = written
    assert plan.terms_of(deployment.load(json.dumps(tree).encode(), "d"), five, FLOOR).margin == margin


CHANGES = {
    "universe": Universe(tuple(f"theme {w}" for w in ("ash", "bay", "cob", "dew", "elms")), (None,) * 5),
    "mechanism": "gaussian", "epsilon": "0.50", "delta": "0.0", "plan_size": 4, "denominator": 4000 * MASS_UNIT,
    "bins": ("below noise floor", "low", "moderate", "top"), "cuts": (3, 21), "floor": 7, "margin": 7, "mass_digits": 2,
    "support_digits": 2, "public_text": {"about": "Other."}, "stamp": plan.SEEDED,
}  # fmt: skip


def test_the_plan_id_changes_with_every_term_and_every_mass(released):
    def id_of(value):
        return json.loads(plan.encode(value))["plan_id"]

    fields = {field for field in released.terms.__dataclass_fields__ if field not in ("mass_unit", "cut_scale")}
    assert fields == set(CHANGES)  # the lattice itself is not written: only the values on it are
    variants = [plan.build(released.pairs, replace(released.terms, **{f: v})) for f, v in CHANGES.items()]
    variants += [plan.build([*released.pairs[:2], pair], released.terms) for pair in ((1, -4), (0, -3))]
    assert len({id_of(released), *map(id_of, variants)}) == len(CHANGES) + 3
    assert id_of(plan.build(released.pairs[::-1], released.terms)) == id_of(released)


def refuse(tree):
    with pytest.raises(UsageError) as caught:
        plan.decode(json.dumps(tree).encode(), "plan.json")
    assert str(caught.value).isprintable()
    return str(caught.value).removeprefix("plan.json: ")


@pytest.mark.parametrize(("path", "value", "message"), [
    (("released", 0, "label"), "theme bay", "released.0.label: 'theme bay' does not follow; write 'theme cob'"),
    (("released", 0, "support"), "0.401", "released.0.support: '401/1000' does not follow; write '2/5'"),
    (("released", 0, "bin"), "low", "released.0.bin: 'low' does not follow; write 'high'"),
    (("released", 2, "bin"), "low", "released.2.bin: 'low' does not follow; write 'below noise floor'"),
    (("released", 0, "rank"), 2, "released.0.rank: '2' does not follow; write '1'"),
    (("released", 0, "noisy_mass"), "1", "released.0.support: '2/5' does not follow"),
    (("noise_floor",), "3000", "released.0.bin: 'high' does not follow; write 'below noise floor'"),
    (("plan_id",), "0" * 16, "plan_id: '0000000000000000' does not follow; write '"),
    (("epsilon",), "0.25", "plan_id: "), (("stamp",), "x", "plan_id: "), (("public_text",), {}, "plan_id: "),
    (("margin",), "1", "plan_id: "),
])  # fmt: skip
def test_what_does_not_follow_is_refused(released, path, value, message):
    tree = json.loads(plan.encode(released))
    reduce(lambda inner, step: inner[step], path[:-1], tree)[path[-1]] = value
    assert refuse(tree).startswith(message)


def test_labels_that_differ_by_a_comma_are_told_apart(terms):
    own = replace(terms, universe=Universe(("one, two", "three"), (None, None)), plan_size=1)
    tree = json.loads(plan.encode(plan.build([(0, 5)], own)))
    tree["released"][0]["label"] = "one two"
    assert refuse(tree).startswith("released.0.label: 'one two' does not follow; write 'one, two'")


def test_a_strangers_plan_needs_no_schema_and_may_write_numbers_as_numbers(released):
    tree = json.loads(plan.encode(released))
    del tree["schema"], tree["stamp"]
    tree |= {"plan_id": "mine", "public_denominator": 5000, "epsilon": 0.5, "noise_floor": 12.25, "margin": 24}
    tree["released"] = [row | {"noisy_mass": float(row["noisy_mass"])} for row in tree["released"][::-1]]
    read = plan.decode(json.dumps(tree).encode(), "plan.json")
    assert (read.terms.epsilon, Fraction(read.terms.floor, read.terms.mass_unit)) == ("0.5", Fraction(49, 4))
    assert [Fraction(mass, read.terms.mass_unit) for _, mass in read.pairs] == [
        Fraction(str(row["noisy_mass"])) for row in tree["released"][::-1]
    ]


def neutral(released, *missing):
    tree = json.loads(plan.encode(released))
    return {name: value for name, value in tree.items() if name not in ("schema", "stamp", *missing)}


def test_what_a_stranger_leaves_out_is_read_off_the_rest(released):
    tree = neutral(released, "noise_floor", "display", "public_text")
    tree["universe"] = [row | {"index": 3 * row["index"] + 1} for row in tree["universe"][::-1]]
    tree["released"] = [row | {"index": 3 * row["index"] + 1} for row in tree["released"]]
    tree["bins"] = tree["bins"][1:]
    read = plan.decode(json.dumps(tree).encode(), "plan.json")
    assert [(atom.index, atom.label, atom.rank) for atom in read.atoms] == [
        (atom.index, atom.label, atom.rank) for atom in released.atoms
    ]
    assert [read.terms.bins[atom.bin] for atom in read.atoms] == [
        released.terms.bins[atom.bin] for atom in released.atoms
    ]
    floor = Fraction(read.terms.floor, read.terms.mass_unit)
    assert floor == Fraction(released.atoms[1].mass, MASS_UNIT)  # the largest mass "below noise floor"
    assert (read.terms.mass_digits, read.terms.support_digits, dict(read.terms.public_text)) == (6, 3, {})


@given(st.data())
def test_a_neutral_plan_keeps_masses_bins_and_ranks_however_it_numbers_atoms(terms, data):
    value = data.draw(plans(terms))
    number = sorted(
        data.draw(st.sets(st.integers(0, 99), min_size=len(value.terms.universe), max_size=len(value.terms.universe)))
    )
    tree = neutral(value, *data.draw(st.sets(st.sampled_from(["noise_floor", "display", "public_text"]))))
    for name in ("universe", "released"):
        rows = [row | {"index": number[row["index"]]} for row in tree[name]]
        tree[name] = data.draw(st.permutations(rows))
    read = plan.decode(json.dumps(tree).encode(), "plan")
    told = [(a.index, a.label, a.bin, a.rank, Fraction(a.mass, read.terms.mass_unit)) for a in read.atoms]
    assert told == [(a.index, a.label, a.bin, a.rank, Fraction(a.mass, MASS_UNIT)) for a in value.atoms]
    assert (read.terms.bins, read.terms.plan_size) == (value.terms.bins, value.terms.plan_size)


@pytest.mark.parametrize(("field", "value", "message"), [
    ("bin", "high", "released.2.bin: 'high' does not follow"),
    ("support", "0.1", "released.2.support: '1/10' does not follow; write '0'"),
    ("description", "a bush", "released.2.description: 'a bush' does not follow; write 'a tree'"),
    ("noisy_mass", "NaN", 'released.2.noisy_mass: cannot use "NaN"'),
    ("index", "x", 'released.2.index: cannot use "x"'),
    ("noisy_mass", "1/3", 'released.2.noisy_mass: a fraction; write a decimal'),
    ("extra", 1, "released.2.extra: unknown field"),
])  # fmt: skip
def test_a_strangers_plan_that_contradicts_itself_is_refused(released, field, value, message):
    tree = neutral(released, "noise_floor")
    tree["released"][2][field] = value
    assert refuse(tree).startswith(message)


def test_a_thousand_long_numbers_are_read_in_bounded_memory(released):
    tree = neutral(released, "noise_floor", "display")
    tree["universe"] = [{"index": at, "label": f"atom {at}"} for at in range(1000)]
    tree |= {"plan_size": 1000, "bins": [{"name": "low", "lower": 0}], "public_denominator": "1"}
    tree["released"] = [
        {"index": at, "label": f"atom {at}", "noisy_mass": f"{at}." + "7" * 300, "support": f"{at}." + "7" * 300,
         "bin": "low", "rank": 1000 - at} for at in range(1000)
    ]  # fmt: skip
    read = plan.decode(json.dumps(tree).encode(), "plan.json")
    assert read.terms.mass_unit.bit_length() < 2000
    tree["released"][3]["noisy_mass"] = f"1/{3**200}"
    assert refuse(tree).startswith("released.3.noisy_mass: a fraction")


def places(tree, path=()):
    for step, inner in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield (*path, step)
        yield from places(inner, (*path, step))


JUNK = st.sampled_from([
    None, True, False, 0, -1, 7, 10**30, 1.5, "", "x", "NaN", "1e999999999", "1/0", "１", [], {}, [[]], ["x"], {"x": 1},
    [None], "9" * 5000, "-1", "0", "1", "theme ash", "low", [{"index": 0}], {"mass_dp": 10**9},
])  # fmt: skip


@given(st.data())
def test_malformed_files_never_raise_anything_but_usage_errors(released, data):
    tree = json.loads(plan.encode(released))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(tree))))
        group = reduce(lambda inner, step: inner[step], path[:-1], tree)
        action = data.draw(st.sampled_from(["drop", "replace", "repeat"]))
        if action == "drop":
            del group[path[-1]]
        elif action == "replace":
            group[path[-1]] = copy.deepcopy(data.draw(JUNK))
        elif isinstance(group, list):
            group.append(copy.deepcopy(group[path[-1]]))
        if not tree:
            break
    try:
        read = plan.decode(json.dumps(tree).encode(), "plan.json")
    except UsageError as error:
        text = str(error)
    else:
        if "schema" in tree:
            assert read == plan.decode(plan.encode(read), "again")
        return
    assert text.isprintable()
    assert len(text) < 400
