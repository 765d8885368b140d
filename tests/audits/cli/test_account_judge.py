"""`dpspin account judge`: verdicts with 0 or 1, bad tables with 2, extremes without NaN or a hang."""

import re

import pytest

from dpspin_audits.cli.account_judge import COLUMNS

HEADER = ",".join(COLUMNS) + "\n"


def test_judge_has_a_line_a_case_and_fails_on_a_violation(dpspin, tmp_path):
    path = tmp_path / "cases.csv"
    held = "a,gaussian,0x1.0e61239070a9dp+2,add_drop,1,1,1e-6,analytic\n"
    broken = "b,gaussian,4.2246,add_drop,1,1,1e-6,analytic\n"
    outside = "c,gaussian,2.5,add_drop,1,2,1e-5,classical\n"
    open_ = "d,discrete_gaussian,9,replacement,1,1,1e-4,\n"
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


def test_names_of_cases_cannot_write_to_the_terminal(dpspin, tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(HEADER + '"a\x1b[31m\nb",laplace,2,add_drop,1,1,0,\n')
    run = dpspin("account", "judge", path)
    assert (run.code, run.out.count("\n"), "\x1b" in run.out) == (0, 1, False)
    assert run.out.startswith("a\\x1b[31m\\nb: holds")


def test_discrete_noise_counts_whole_steps(dpspin, tmp_path):
    path = tmp_path / "cases.csv"
    row = "{},{},4.2246788893268360,add_drop,{},1,1e-6,\n"
    rows = [("real", "gaussian", "1"), ("discrete", "discrete_gaussian", "1"), ("pure", "discrete_laplace", "4")]
    path.write_text(HEADER + "".join(row.format(*cells) for cells in rows))
    run = dpspin("account", "judge", path)
    assert run.code == 1
    assert [line.split(": ")[1] for line in run.out.splitlines()] == ["holds", "violates", "holds"]
    assert "at least 1.0196" in run.out.splitlines()[1]
    path.write_text(HEADER + row.format("part", "discrete_laplace", "1/2"))
    run = dpspin("account", "judge", path)
    assert (run.code, run.out, ":2: mass_bound" in run.err) == (2, "", True)
