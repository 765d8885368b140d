"""`dpspin account`: certificates written and checked, forgeries refused with 5, violations with 1, bad input with 2."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import MPContext

from dpspin_audits.cli.account import COLUMNS, number
from dpspin_proofs import certcheck

HEADER = ",".join(COLUMNS) + "\n"
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
    path.write_bytes(path.read_bytes().replace(opinion["epsilon"].encode(), b"0.5"))
    assert dpspin("account", "check", path).code == 5


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


def test_tight_answers_the_inverse_questions(dpspin):
    sigma = ("--sigma", "0x1.0e61239070a9dp+2", "--adjacency", "add_drop")
    assert dpspin("account", "tight", *sigma, "--epsilon", "1").out == "delta from 9.999999999e-07 to 1e-06\n"
    assert dpspin("account", "tight", *sigma, "--delta", "1e-6").out == "epsilon from 9.999999999e-01 to 1e+00\n"
    assert dpspin("account", "tight", *sigma).code == 2
    assert dpspin("account", "tight", *sigma, "--delta", "0").code == 2
    assert dpspin("account", "tight", "--sigma", "0", "--adjacency", "add_drop", "--epsilon", "1").code == 2


def test_judge_has_a_line_a_case_and_fails_on_a_violation(dpspin, tmp_path):
    path = tmp_path / "cases.csv"
    held = "a,gaussian,0x1.0e61239070a9dp+2,add_drop,1,1,1e-6,analytic\n"
    broken = "b,gaussian,4.2246,add_drop,1,1,1e-6,analytic\n"
    outside = "c,gaussian,2.5,add_drop,1,2,1e-5,classical\n"
    open_ = "d,laplace,1,replacement,1,1,0.3,\n"
    path.write_text(HEADER + held + outside + open_)
    run = dpspin("account", "judge", path)
    assert run.code == 0
    words = [line.split(": ")[1] for line in run.out.splitlines()]
    assert words == ["holds", "holds outside the rule's range", "not decidable"]
    path.write_text(HEADER + held + broken + outside)
    run = dpspin("account", "judge", path)
    line = run.out.splitlines()[1]
    assert run.code == 1
    assert line.startswith("b: violates: delta is certified to be more than the claim")
    assert "times the claim" in line
    assert "enough would be 4.2246788894e+00, stated 4.2246e+00" in line


@pytest.mark.parametrize(("text", "where"), [
    ("case,other\n", ":1"), ("", ":1"), (HEADER + "a,gaussian,1\n", ":2"),
    (HEADER + "a,gaussian,1,add_drop,1,1,1e-6,,more\n", ":2"),
    (HEADER + "a,gauss,1,add_drop,1,1,1e-6,\n", ":2: mechanism"),
    (HEADER + "a,gaussian,nan,add_drop,1,1,1e-6,\n", ":2: scale"),
    (HEADER + "a,gaussian,0,add_drop,1,1,1e-6,\n", ":2: scale"),
    (HEADER + "a,gaussian,1,add_drop,0,1,1e-6,\n", ":2: mass-bound"),
    (HEADER + "a,gaussian,1,add_drop,1,1,1,\n", ":2: delta"),
    (HEADER + "a,gaussian,0x1p+9999,add_drop,1,1,1e-6,\n", ":2: scale"), (HEADER + '"a', "not a CSV"),
])  # fmt: skip
def test_cases_that_cannot_be_read_are_exit_code_2_with_line_and_column(dpspin, tmp_path, text, where):
    path = tmp_path / "cases.csv"
    path.write_text(text)
    run = dpspin("account", "judge", path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert where in run.err


def test_extreme_cases_are_judged_without_a_hang_or_an_overflow(dpspin, tmp_path):
    path, numbers = tmp_path / "cases.csv", ("1e-300", "1/3", "1e300", "1e999")
    rows = [f"{m} {s} {e} {d},{m},{s},add_drop,1,{e},{d},classical" for m in ("gaussian", "laplace")
            for s in numbers for e in ("0", *numbers) for d in ("0", "1e-300", "0.999")]  # fmt: skip
    path.write_text(HEADER + "\n".join(rows) + "\n")
    run = dpspin("account", "judge", path)
    assert (run.code, run.err) == (1, "")
    assert len(run.out.splitlines()) == len(rows)
    assert not re.search(r"nan|inf", run.out)
    assert {line.split(": ")[1] for line in run.out.splitlines()} >= {"holds", "violates", "not decidable"}


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
    steps = dict(re.findall(r"^\| ([^|]+?) \| ([0-9.e-]+) \|$", page, re.MULTILINE))
    context = MPContext()
    context.dps = 40
    mu = 1 / context.mpf(float.fromhex("0x1.0e61239070a9dp+2"))
    near, far = 1 / mu - mu / 2, 1 / mu + mu / 2
    first, second = context.ncdf(-near), context.ncdf(-far)
    values = [mu, near, far, first, second, context.e * second, first - context.e * second]
    assert len(steps) == len(values)
    for text, value in zip(steps.values(), values, strict=True):
        assert abs(context.mpf(text) / value - 1) < 1e-9


def test_numbers_are_read_exactly():
    assert number("0x1.8p+1") == 3
    assert number("1/3") == Fraction(1, 3)
    assert number("0.1") == Fraction(1, 10)
    for text in ("", "0x", "nan", "1e9999", "0x1p+99999", "1_0"):
        with pytest.raises((ValueError, OverflowError)):
            number(text)
