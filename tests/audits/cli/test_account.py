"""`dpspin account`: certificates written and checked, forgeries refused with 5, bad input with 2."""

import contextlib
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from mpmath import MPContext

from dpspin import canonical
from dpspin_proofs import certcheck

CLAIM = ("--mechanism", "gaussian", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "add_drop", "--mass-bound", "1")
PURE = ("--mechanism", "laplace", "--epsilon", "1/7", "--adjacency", "replacement", "--mass-bound", "1/3")


def test_a_certificate_goes_to_stdout_or_to_a_file_with_the_same_bytes(dpspin, tmp_path):
    path = tmp_path / "c.json"
    run = dpspin("account", "calibrate", *CLAIM, "-o", path)
    assert (run.code, "sigma = 4.224678889326836 (0x1.0e61239070a9dp+2)" in run.out) == (0, True)
    assert dpspin("account", "calibrate", *CLAIM).out.encode() == path.read_bytes()


@pytest.mark.parametrize("claim", [CLAIM, PURE])
def test_the_command_and_the_file_alone_accept_it(dpspin, tmp_path, claim):
    path = tmp_path / "c.json"
    assert dpspin("account", "calibrate", *claim, "-o", path).code == 0
    run = dpspin("account", "check", path)
    assert (run.code, run.err, "holds" in run.out) == (0, "", True)
    assert subprocess.run([sys.executable, "-I", certcheck.__file__, path], check=False).returncode == 0


@pytest.mark.parametrize("claim", [CLAIM, PURE])
def test_every_altered_byte_is_exit_code_5(dpspin, tmp_path, claim):
    path = tmp_path / "c.json"
    data = dpspin("account", "calibrate", *claim).out.encode()
    for place in range(0, len(data), 37):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        run = dpspin("account", "check", path)
        assert (run.code, run.out, run.err.count("\n")) == (5, "", 1), place


def test_a_second_opinion_is_held_and_an_altered_one_refused(dpspin, tmp_path):
    path = tmp_path / "c.json"
    assert dpspin("account", "calibrate", *CLAIM, "--second-opinion", "-o", path).code == 0
    (opinion,) = json.loads(path.read_bytes())["second_opinions"]
    assert opinion["tool"] == "dp-accounting"
    assert abs(float(opinion["epsilon"]) - 1) < 1e-3
    assert dpspin("account", "check", path).code == 0
    good = path.read_bytes()
    path.write_bytes(good.replace(opinion["epsilon"].encode(), b"0.5"))
    assert dpspin("account", "check", path).code == 5
    path.write_bytes(resealed(good, second_opinions=[opinion | {"epsilon": "0.5"}]))
    run = dpspin("account", "check", path)
    assert (run.code, "the second opinions" in run.err) == (5, True)
    path.write_bytes(resealed(good, second_opinions=[opinion | {"version": "0.0.0"}]))
    run = dpspin("account", "check", path)
    assert (run.code, "not asked for again" in run.err) == (0, True)


def resealed(data, **change):
    tree = {name: value for name, value in json.loads(data).items() if name != "seal"} | change
    return canonical.dumps(tree | {"seal": canonical.digest(canonical.dumps(tree))})


def test_why_there_is_no_second_opinion_is_said(dpspin):
    run = dpspin("account", "calibrate", *CLAIM[:3], "1", "--delta", "1e-12", *CLAIM[6:], "--second-opinion")
    assert (run.code, "no second opinion" in run.err, json.loads(run.out)["second_opinions"]) == (0, True, [])


@pytest.mark.parametrize(("option", "value", "message"), [
    ("--delta", "0", "no Gaussian noise has delta 0"), ("--delta", "1", "not from 0 to below 1"),
    ("--delta", "2", "not from 0 to below 1"), ("--delta", "nan", "write an exact decimal"),
    ("--epsilon", "-1", "negative"), ("--epsilon", "inf", "write an exact decimal"),
    ("--epsilon", "1e99", "do not decide"),
    ("--epsilon", "1e300", "do not decide"), ("--epsilon", "1e9999", "write an exact decimal"),
    ("--mass-bound", "0", "not positive"), ("--mechanism", "laplace", "not spent by Laplace noise"),
    ("--adjacency", "other", "is not one of"),
])  # fmt: skip
def test_bad_claims_are_exit_code_2(dpspin, option, value, message):
    run = dpspin("account", "calibrate", *CLAIM, option, value)
    assert (run.code, run.out) == (2, "")
    assert message in run.err.replace("\n", " ")


@pytest.mark.parametrize(("option", "value"), [
    ("--epsilon", "0"), ("--epsilon", "1e-300"), ("--mass-bound", "1/3"), ("--delta", "1e-300"),
])  # fmt: skip
def test_corners_are_certified(dpspin, tmp_path, option, value):
    path = tmp_path / "c.json"
    assert dpspin("account", "calibrate", *CLAIM, option, value, "-o", path).code == 0
    assert dpspin("account", "check", path).code == 0


DENORMAL = "0x0.0000000000001p-1022"
EXTREMES = ("0", "1", "2", "1e-300", "1/3", "1e300", DENORMAL, "nan", "-1")
COMMANDS = {
    "calibrate": ("--mechanism", "gaussian", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "replacement"),
    "calibrate laplace": ("--mechanism", "laplace", "--epsilon", "1", "--delta", "0", "--adjacency", "replacement"),
    "tight": ("--sigma", "4", "--epsilon", "1", "--adjacency", "add_drop"),
    "tight at delta": ("--sigma", "4", "--delta", "1e-6", "--adjacency", "add_drop"),
    "curve": ("--gaussian", "4", "--delta", "1e-6", "--adjacency", "add_drop"),
    "curve of laplace": ("--laplace", "4", "--delta", "1e-6", "--adjacency", "replacement"),
    "curve of both": ("--laplace", "4", "--gaussian", "4", "--delta", "1e-6", "--adjacency", "replacement"),
}
OPTIONS = ("--epsilon", "--delta", "--mass-bound", "--sigma", "--gaussian", "--laplace")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("value", EXTREMES)
def test_extreme_numbers_are_answered_or_refused_and_never_hang(dpspin, name, value):
    """Delta 0, 1 and above, epsilon 1e-300 and 1e300, a denormal sigma, no mass, a third: an answer or one line."""
    known = COMMANDS[name]
    for option in (*(o for o in OPTIONS if o in known and (o, value) != ("--delta", DENORMAL)), "--mass-bound"):
        arguments = list(known)
        if option in known:
            arguments[arguments.index(option) + 1] = value
        else:
            arguments += [option, value]
        run = dpspin("account", name.split()[0], *arguments)
        assert run.code in {0, 2}, (option, run.err)
        assert bool(run.out) == (run.code == 0), (option, run.err)
        assert run.err == "" if run.code == 0 else "internal error" not in run.err
        assert not re.search(r"\b(nan|inf)\b", run.out, re.IGNORECASE)


def test_contradictory_units_and_mechanisms_are_refused(dpspin, folder):
    for arguments, named in (
        ((folder / "deployment.yaml", "--gaussian", "4", "--adjacency", "add_drop", "--unit", "user"), "unit"),
        ((folder / "deployment.yaml", "--gaussian", "4", "--adjacency", "replacement"), "adjacency"),
        (("--gaussian", "4"), "adjacency"),
    ):
        run = dpspin("account", "curve", *arguments)
        assert (run.code, run.out, run.err.count("\n"), named in run.err) == (2, "", 1, True)


def test_more_atoms_released_than_there_are_is_an_answer(dpspin, folder):
    """L > m: every atom is admitted, and only the values cost."""
    path = folder / "deployment.yaml"
    text = re.sub(r"(?m)^(  size:) +[0-9]+", r"\1 100000", path.read_text())
    path.write_text(text)
    assert dpspin("account", "curve", path).code == 0


def test_tight_answers_the_inverse_questions(dpspin):
    sigma = ("--sigma", "0x1.0e61239070a9dp+2", "--adjacency", "add_drop")
    assert dpspin("account", "tight", *sigma, "--epsilon", "1").out == "delta from 9.999999999e-07 to 1e-06\n"
    word, _, low, _, high = dpspin("account", "tight", *sigma, "--delta", "1e-6").out.split()
    assert (word, Fraction(low) <= 1 <= Fraction(high)) == ("epsilon", True)
    assert Fraction(high) - Fraction(low) < Fraction(1, 10**9)
    assert dpspin("account", "tight", *sigma).code == 2
    assert dpspin("account", "tight", *sigma, "--delta", "0").code == 2
    assert dpspin("account", "tight", "--sigma", "0", "--adjacency", "add_drop", "--epsilon", "1").code == 2


def test_the_page_shows_what_the_commands_say(dpspin, tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "accounting.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    dpspin (account calibrate .*) -o certificate.json$", page, re.MULTILINE)
    path = tmp_path / "certificate.json"
    assert dpspin(*line.split(), "-o", path).out.split(" (")[0] in page
    rows = re.findall(r"^    ((?:case|ours|textbook),.*)$", page, re.MULTILINE)
    (tmp_path / "cases.csv").write_text("\n".join(rows) + "\n")
    run = dpspin("account", "judge", tmp_path / "cases.csv")
    assert (run.code, [line.split(": ")[1] for line in run.out.splitlines()]) == (1, ["holds", "violates"])


def test_the_number_by_hand_has_the_digits_that_stand_there():
    page = (Path(__file__).parents[3] / "docs" / "accounting.md").read_text(encoding="utf-8")
    chapter = page.split("## One number by hand")[1].split("\n## ")[0]
    steps = dict(re.findall(r"^\| ([^|]+?) \| ([0-9.e-]+) \|$", chapter, re.MULTILINE))
    context = MPContext()
    context.dps = 40
    mu = 1 / context.mpf(float.fromhex("0x1.0e61239070a9dp+2"))
    near, far = 1 / mu - mu / 2, 1 / mu + mu / 2
    first, second = context.ncdf(-near), context.ncdf(-far)
    values = [mu, near, far, first, second, context.e * second, first - context.e * second]
    assert len(steps) == len(values)
    for text, value in zip(steps.values(), values, strict=True):
        assert abs(context.mpf(text) / value - 1) < 1e-9
    shown = re.search(r"at this sigma delta is ([\d.e-]+), and at the float below it ([\d.e-]+)\.", chapter).groups()
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert f"# {' '.join(shown)}\n" in readme  # what the snippet there prints


def test_the_readme_computes_the_number_of_the_certificate_by_hand(dpspin):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "ncdf" in block)
    saved, out = mpmath.mp.dps, io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {})
    finally:
        mpmath.mp.dps = saved
    printed = out.getvalue().strip()
    assert printed in code
    at, below = map(Fraction, printed.split())
    assert at <= Fraction(1, 10**6) < below
    (line,) = re.findall(r"^dpspin (account calibrate .*) -o certificate.json$", readme, re.MULTILINE)
    sigma = float.fromhex(json.loads(dpspin(*line.split()).out)["sigma_hex"])
    assert f"sigma = {sigma!r}" in readme
    assert f"sigma = {sigma!r}\n" in code
