"""A deployment's own numbers as theorems: what is generated holds, says the right numbers, and fails for any less."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpspin import canonical, pipeline
from dpspin.accounting.calibration import LaplaceNoise, Peeling, calibrate, value_epsilon
from dpspin.corpus import embedded
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin_proofs import coq, instantiate, run
from dpspin_proofs.instantiate import Instance
from dpspin_proofs.register import register
from dpspin_proofs.sources import forbidden

UNIT = 2**20


def setting(example: str) -> pipeline.Setting:
    folder, file = embedded.EXAMPLES[example]
    known = embedded.files(folder)
    return pipeline.load(known[file], file, known.__getitem__)


def deployment(example: str, **change: Any) -> Deployment:
    """An example with other numbers; mechanism fields are given as a mapping."""
    tree = setting(example).deployment.model_dump(by_alias=True, mode="json")
    for name, value in change.items():
        tree[name] = tree[name] | value if isinstance(value, dict) else value
    return Deployment.model_validate(tree)


def made(example: str, atoms: int = 60, **change: Any) -> Instance:
    terms = deployment(example, **change)
    return instantiate.instance(terms, canonical.digest(terms.model_dump_json().encode()), atoms)


CHANGED = {
    "several admitted under replacement": deployment(
        "top-l-users-replacement", mechanism={"values": "laplace", "delta": "0"}
    ),
    "one atom admitted": deployment(
        "top-l-users-replacement", mechanism={"values": "laplace", "delta": "0"}, plan={"size": 1}
    ),
}
CASES: dict[str, Instance] = {
    **{example: made(example) for example in embedded.EXAMPLES},
    "one atom": made("laplace-users-replacement", 1),
    "two atoms": made("gaussian-replacement", 2),
    "a bound off the lattice": made("laplace-users-replacement", mass_bound="5/7"),
    "every atom admitted": made("top-l-users", 10),
    "every atom admitted, Gaussian values": made("top-l-replacement", 10),
    "values at a higher rate": made("top-l-users", mechanism={"selection_share": "1/50"}),
    **{case: instantiate.instance(terms, "cd" * 32, 60) for case, terms in CHANGED.items()},
}
A, V = Fraction(2, 15), Fraction(2, 3)
"""eta B and B / b of the example: epsilon 2, two thirds of it on ten rounds in tight mode, B = 1."""
AA, VV = Fraction(1, 250), Fraction(49, 25)
"""The same, with a fiftieth on admission."""


@pytest.fixture
def folder(shipped, tmp_path: Path) -> Path:
    """The shipped sources, compiled."""
    for file in shipped.folder.glob("*.vo"):
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / f"{instantiate.FILE}.vo").unlink()
    return tmp_path


def test_generated_theorems_hold_on_the_axioms_of_those_they_instantiate(coqc: str, folder: Path) -> None:
    heads, bodies = zip(*(one.source.split("\nDefinition atoms", 1) for one in CASES.values()), strict=True)
    head = max(heads, key=len)  # that of Gaussian noise requires a little more
    parts = [f"Module D{i}.\nOpen Scope Z_scope.\nDefinition atoms{body}\nEnd D{i}.\n" for i, body in enumerate(bodies)]
    cases = ("laplace-add-drop", "top-l-users", "top-l-replacement", "every atom admitted, Gaussian values")
    asked = [f"D{list(CASES).index(case)}" for case in cases]
    last = {f"D{i}": one.theorems[-1].name for i, one in enumerate(CASES.values())}
    ask = 'Goal True. idtac "@{0}". Abort.\nPrint Assumptions {0}.{1}.\n'
    text = head + "".join(parts) + "".join(ask.format(name, last[name]) for name in asked)
    said, finding = coq.compiled(coqc, folder, "Deployments", text)
    assert finding is None
    allowed = {f"D{i}": one.theorems[-1].axioms for i, one in enumerate(CASES.values())}
    assert list(run.axioms_in(said)) == asked
    assert not [name for name, axioms in run.axioms_in(said).items() if set(axioms) - set(allowed[name])]


@pytest.mark.parametrize(
    ("case", "moved", "l1", "l2", "coordinate"),
    [
        ("laplace-add-drop", "0 <= d j", UNIT, UNIT**2, UNIT),
        ("gaussian-replacement", "Z.abs (d j)", 2 * UNIT, 2 * UNIT**2, UNIT),
        ("laplace-users-replacement", "Z.abs (d j)", 4 * UNIT, 8 * UNIT**2, 2 * UNIT),
        ("gaussian-users", "0 <= d j", 2 * UNIT, 4 * UNIT**2, 2 * UNIT),
        ("one atom", "Z.abs (d j)", 2 * UNIT, 4 * UNIT**2, 2 * UNIT),
        ("a bound off the lattice", "Z.abs (d j)", 10 * UNIT // 7, 50 * UNIT**2 // 49, 5 * UNIT // 7),
    ],
)
def test_the_statement_holds_the_sensitivities_of_spec_section_2(
    case: str, moved: str, l1: int, l2: int, coordinate: int
) -> None:
    text = CASES[case].source
    assert (
        f"-> {moved} <= {coordinate}) /\\\n  zl1 (Z.to_nat atoms) d <= {l1} /\\ zl2sq (Z.to_nat atoms) d <= {l2}."
        in text
    )
    assert f"{l1} in total, and {l2} in the sum of squares." in CASES[case].theorems[0].says


def epsilon(case: str) -> Fraction:
    """The epsilon of a case's second theorem."""
    return epsilons(case)[0]


def epsilons(case: str) -> list[Fraction]:
    """The epsilons of a case's theorems about the plan."""
    found = re.findall(r"indistinct \((\d+) / (\d+)\)", CASES[case].source)
    return [Fraction(int(above), int(below)) for above, below in found]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("laplace-add-drop", Fraction(1)),
        ("laplace-users-replacement", Fraction(1)),
        ("one atom", Fraction(1)),
        ("a bound off the lattice", Fraction(1)),
        ("top-l-users", max(10 * A + V - A, A + V)),
        ("values at a higher rate", max(10 * AA + VV - AA, AA + VV)),
        ("every atom admitted", V),
    ],
)
def test_the_plan_costs_what_spec_section_3_says(case: str, expected: Fraction) -> None:
    assert epsilon(case) == expected
    assert f"at most epsilon {exact(expected)} where one " in CASES[case].theorems[1].says


@pytest.mark.parametrize(("case", "rounds"), [("several admitted under replacement", 10), ("one atom admitted", 1)])
def test_the_joint_cost_under_replacement_is_the_one_of_the_accounting(case: str, rounds: int) -> None:
    terms = CHANGED[case]
    noise = calibrate(terms, 60)
    assert isinstance(noise, Peeling)
    assert isinstance(noise.values, LaplaceNoise)
    most = int(terms.mass_bound * UNIT)
    a, v = noise.exponent * most, most / noise.values.scale
    assert epsilon(case) == (rounds * a + v + max(a, v) if rounds > 1 else 2 * a + v)


@pytest.mark.parametrize(
    ("case", "premise", "expected"),
    [
        ("gaussian-add-drop", f"covers variance (Z.to_nat atoms0) {UNIT**2} (1 / 1) (1 / 1000000)", Fraction(1)),
        ("gaussian-users", f"covers variance (Z.to_nat atoms0) {4 * UNIT**2} (1 / 1) (1 / 1000000)", Fraction(1)),
        ("top-l-replacement", f"covers variance (Z.to_nat 10) {2 * UNIT**2} (1 / 1) (1 / 1000000)", Fraction("1.55")),
        (
            "every atom admitted, Gaussian values",
            f"covers variance (Z.to_nat 10) {2 * UNIT**2} (1 / 1) (1 / 1000000)",
            Fraction(1),
        ),
    ],
)
def test_under_gaussian_noise_the_premise_is_the_pair_of_continuous_noise(
    case: str, premise: str, expected: Fraction
) -> None:
    assert premise.replace("atoms0", "60") + " ->" in CASES[case].source
    assert epsilon(case) == expected
    assert f"nearly_indistinct ({expected.numerator} / {expected.denominator}) (1 / 1000000)" in CASES[case].source
    theorem = CASES[case].theorems[1]
    assert theorem.gaps == (instantiate.GAP,)
    assert theorem.says.startswith("If rounded noise keeps the epsilon and delta of continuous noise ")
    assert instantiate.GAP in {gap.name for gap in register().gaps}


PREMISE = re.compile(r"covers variance \(Z\.to_nat \d+\) (\d+) \((\d+) / (\d+)\) \((\d+) / (\d+)\) ->")
VARIANCE = re.compile(r"variance : R := (\d+) / (\d+)\.")
UNDER_GAUSSIAN = [case for case, one in CASES.items() if "covers variance" in one.source]


def needed(squares: int, variance: mpmath.mpf, spent: mpmath.mpf) -> mpmath.mpf:
    """Delta of continuous noise at an epsilon (Balle and Wang 2018, Theorem 8)."""
    moved = mpmath.sqrt(squares / variance)
    upper = mpmath.ncdf(moved / 2 - spent / moved)
    return upper - mpmath.exp(spent) * mpmath.ncdf(-moved / 2 - spent / moved)


@pytest.mark.parametrize("case", UNDER_GAUSSIAN)
def test_the_premise_is_true_of_continuous_noise(case: str) -> None:
    [found] = PREMISE.findall(CASES[case].source)
    squares, *numbers = map(int, found)
    spent, delta = mpmath.mpf(numbers[0]) / numbers[1], mpmath.mpf(numbers[2]) / numbers[3]
    [(above, below)] = VARIANCE.findall(CASES[case].source)
    assert needed(squares, mpmath.mpf(int(above)) / int(below), spent) <= delta * (1 + mpmath.mpf(10) ** -12)


def test_less_noise_than_the_split_has_makes_the_premise_another_one() -> None:
    """Closer accounting lets sigma fall below the one of the share, so that the share is not what the values cost."""
    terms = deployment("top-l-users-replacement")
    [found] = PREMISE.findall(CASES["top-l-users-replacement"].source)
    assert Fraction(int(found[1]), int(found[2])) > value_epsilon(terms.mechanism)


@pytest.mark.parametrize("case", UNDER_GAUSSIAN)
def test_without_the_premise_epsilon_is_larger_by_a_tenth_at_most(case: str) -> None:
    assumed, proved = CASES[case].theorems[1:]
    assert (proved.name, proved.gaps) == ("deployment_plan_proved", ())
    assert "If" not in proved.says
    statement = CASES[case].source.partition("Theorem deployment_plan_proved")[2].partition("Proof.")[0]
    assert "covers" not in statement
    first, second = epsilons(case)
    assert second <= first * Fraction(11, 10)
    assert f"at most epsilon {exact(second)} with delta 0.000001 where one " in proved.says
    assert f"at most epsilon {exact(first)} with delta 0.000001 where one " in assumed.says


FAULTS = {
    "l1 too small": ("laplace-add-drop", f"zl1 (Z.to_nat atoms) d <= {UNIT}", f"zl1 (Z.to_nat atoms) d <= {UNIT - 1}"),
    "l2 of add/drop under replacement": ("gaussian-replacement", f"d <= {2 * UNIT**2}", f"d <= {UNIT**2}"),
    "a coordinate too small": ("gaussian-users", f"<= d j <= {2 * UNIT}", f"<= d j <= {UNIT}"),
    "noise too small": ("laplace-add-drop", f"rate : R := 1 / {UNIT}", f"rate : R := 1 / {UNIT - 1}"),
    "a smaller epsilon": ("laplace-users-replacement", "indistinct (1 / 1)", "indistinct (99 / 100)"),
    "a smaller joint cost": ("several admitted under replacement", "indistinct (", "indistinct (-1 / 1000000 + "),
    "add/drop for replacement": ("laplace-add-drop", "record_adjacent add_drop", "record_adjacent replacement"),
    "another variance": ("gaussian-add-drop", "(gaussian_record variance)", "(gaussian_record (variance / 2))"),
    "a smaller delta": ("gaussian-add-drop", ") (1 / 1000000) (fun", ") (1 / 1000001) (fun"),
    "a smaller square": ("gaussian-replacement", f"(Z.to_nat 60) {2 * UNIT**2}", f"(Z.to_nat 60) {2 * UNIT**2 - 1}"),
    "admission for nothing": ("top-l-replacement", "indistinct (31 / 20)", "indistinct (1 / 1)"),
    "a smaller epsilon than is proved": ("gaussian-add-drop", "indistinct (2719 / 2500)", "indistinct (27 / 25)"),
    "a smaller delta than is proved": ("gaussian-users", "(1 / 1000000)) by", "(1 / 1100000)) by"),
    "admission of all for less": ("every atom admitted, Gaussian values", "indistinct (1 / 1)", "indistinct (9 / 10)"),
    "a larger bound": ("laplace-add-drop", f"bound : Z := {UNIT}", f"bound : Z := {UNIT + 1}"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_better_figure_than_the_true_one_is_refused(coqc: str, folder: Path, fault: str) -> None:
    case, found, planted = FAULTS[fault]
    text = CASES[case].source
    assert found in text
    finding = coq.compiled(coqc, folder, "Deployment", text.replace(found, planted))[1]
    assert finding is not None
    assert finding.place.startswith("Deployment.v: line ")


def test_the_same_deployment_gives_the_same_bytes_and_another_gives_others() -> None:
    assert made("laplace-add-drop") == made("laplace-add-drop")
    digests = [instantiate.source_digest(one) for one in CASES.values()]
    assert len(set(digests)) == len(digests)
    assert instantiate.source_digest(made("laplace-add-drop")) == canonical.digest(
        CASES["laplace-add-drop"].source.encode()
    )


def test_lines_fit_and_no_word_replaces_a_proof() -> None:
    assert max(len(line) for one in CASES.values() for line in one.source.splitlines()) <= 120
    assert list(forbidden({case: one.source for case, one in CASES.items()})) == []
