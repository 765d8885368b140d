"""`dpspin account curve`: what it prints and writes, what it composes, and what it refuses."""

import json
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from dpspin_audits import curve_views
from dpspin_audits.cli import account_curve

STATED = ("--gaussian", "0x1.0e61239070a9dp+2", "--adjacency", "add_drop")
GAUSSIAN = "gaussian-add-drop.yaml"


@pytest.fixture
def other(folder):
    """The embedded deployment with another mechanism, or another word in it."""

    def make(name, **words):
        text = (folder / "deployment.yaml").read_text()
        for old, new in words.values():
            assert old in text
            text = text.replace(old, new, 1)
        path = folder / name
        path.write_text(text)
        return path

    return make


def test_without_arguments_the_embedded_deployment_is_shown(dpspin):
    run = dpspin("account", "curve")
    assert (run.code, run.err) == (0, "")
    assert "pure loss: 1\n" in run.out
    assert "sum of the claims: epsilon 1, delta 0" in run.out


def test_stated_noise_has_its_claim_on_its_curve(dpspin):
    run = dpspin("account", "curve", *STATED, "--delta", "1e-6", "--json")
    tree = json.loads(run.out)
    (row,) = tree["epsilon_at"]
    assert Fraction(row["epsilon_lo"]) <= 1 <= Fraction(row["epsilon_hi"])
    assert (tree["bound"], tree["native"]["pure"], tree["unit"]) == ("exact", None, "record")
    assert run.out.endswith("}\n")
    assert not run.out.endswith("}\n\n")


def test_files_are_written_whole_and_svg_and_csv_agree_with_json(dpspin, tmp_path):
    svg, csv = tmp_path / "c.svg", tmp_path / "c.csv"
    run = dpspin("account", "curve", *STATED, "--laplace", "2", "--svg", svg, "--csv", csv, "--json")
    assert run.code == 0
    assert ElementTree.fromstring(svg.read_bytes()).tag.endswith("svg")
    lines = csv.read_text().splitlines()
    assert lines[0] == "epsilon,delta_lo,delta_hi"
    assert len(lines) - 1 == len(json.loads(run.out)["points"])
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix) == ["c.csv", "c.svg"]


def test_a_place_that_cannot_be_written_is_exit_code_2(dpspin, tmp_path):
    run = dpspin("account", "curve", *STATED, "--svg", tmp_path / "none" / "c.svg")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


def test_several_releases_are_composed_and_their_sum_stands_beside_them(dpspin, other):
    paths = [other("a.yaml"), other("b.yaml")]
    run = dpspin("account", "curve", *paths, "--json", "--delta", "1e-3")
    tree = json.loads(run.out)
    assert (len(tree["releases"]), tree["bound"], tree["claimed"]["epsilon"]) == (2, "upper", "2")
    assert Fraction(tree["epsilon_at"][0]["epsilon_hi"]) < 2
    assert tree["native"]["pure"] == "2"


def test_k_records_cost_k_times_as_much(dpspin):
    one, five = (
        json.loads(dpspin("account", "curve", *STATED, "--records", k, "--json").out)["native"]["mu"] for k in (1, 5)
    )
    assert abs(Fraction(five) / Fraction(one) - 5) < Fraction(1, 10**8)


def test_another_population_unit_or_adjacency_is_refused(dpspin, other):
    here = other("a.yaml")
    for words, named in (
        ({"population": ("population: ", "population: other-")}, "population"),
        ({"adjacency": ("adjacency: add_drop", "adjacency: replacement")}, "different promises"),
    ):
        run = dpspin("account", "curve", here, other("b.yaml", **words))
        assert (run.code, run.out, named in run.err) == (2, "", True)
    for option in (("--adjacency", "replacement"), ("--unit", "user", "--adjacency", "add_drop")):
        run = dpspin("account", "curve", here, "--gaussian", "4", *option)
        assert (run.code, run.out, "different promises" in run.err) == (2, "", True)


def test_a_figure_that_nothing_explains_is_a_finding(dpspin, monkeypatch):
    said = dpspin("account", "curve", *STATED, "--delta", "1e-6", "--second-opinion")
    assert (said.code, said.out.count("agrees with ours")) == (0, 1)
    monkeypatch.setattr(account_curve, "UNEXPLAINED", "agrees with ours")
    assert dpspin("account", "curve", *STATED, "--delta", "1e-6", "--second-opinion").code == 1


@pytest.mark.parametrize(("arguments", "message"), [
    (("--gaussian", "4"), "--gaussian needs it"), (("--laplace", "0", "--adjacency", "add_drop"), "not positive"),
    (("--gaussian", "-1", "--adjacency", "add_drop"), "not positive"),
    ((*STATED, "--mass-bound", "0"), "not positive"), ((*STATED, "--delta", "1"), "not from 0 to below 1"),
    ((*STATED, "--delta", "nan"), "write an exact decimal"), ((*STATED, "--records", "0"), "not in the range"),
    (("--gaussian", "1e-300", "--adjacency", "add_drop"), ""), (("nowhere.yaml",), "cannot be read"),
])  # fmt: skip
def test_bad_input_is_exit_code_2(dpspin, arguments, message):
    run = dpspin("account", "curve", *arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err.replace("\n", " ")


def test_the_picture_is_the_one_of_the_answer(dpspin, tmp_path, monkeypatch):
    monkeypatch.setattr(curve_views, "picture", lambda answer: answer.unit.encode())
    dpspin("account", "curve", *STATED, "--unit", "user", "--svg", tmp_path / "c.svg")
    assert (tmp_path / "c.svg").read_bytes() == b"user"
