"""`dpspin account calibrate` and `check` for admission: figures, forgeries with 5, bad input with 2."""

import json
import subprocess
import sys
from hashlib import sha256

import pytest

from dpspin_proofs import admission_check, certcheck

CLAIM = (
    "--mechanism", "private_top_l", "--epsilon", "1", "--delta", "1e-6", "--adjacency", "add_drop", "--plan-size", "3",
    "--universe-size", "30",
)  # fmt: skip


@pytest.fixture
def written(dpspin, tmp_path):
    path = tmp_path / "c.json"
    assert dpspin("account", "calibrate", *CLAIM, "-o", path).code == 0
    return path


def test_a_certificate_goes_to_stdout_or_to_a_file_with_the_same_bytes(dpspin, written):
    run = dpspin("account", "calibrate", *CLAIM)
    assert run.out.encode() == written.read_bytes()
    assert [line.partition(":")[0] for line in run.err.splitlines()[1:]] == [
        "bounded-range composition", "zero-concentrated composition", "lower bound",
    ]  # fmt: skip


def test_why_there_is_no_second_opinion_is_said(dpspin):
    run = dpspin("account", "calibrate", *CLAIM, "--second-opinion")
    assert (run.code, "no second opinion: dp-accounting" in run.err) == (0, True)


def test_the_figures_are_the_scales_and_every_other_bound(dpspin, tmp_path):
    lines = dpspin("account", "calibrate", *CLAIM[:8], "--plan-size", "10", "--universe-size", "60", "-o",
                   tmp_path / "c.json").out.splitlines()  # fmt: skip
    assert lines[0].startswith("1/eta = 11.9212, sigma = 4.802")  # 20 and 8.0576 times 0.596059
    assert "0.596059 of the split" in lines[0]
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "bounded-range composition", "zero-concentrated composition", "lower bound",
    ]  # fmt: skip


def test_the_command_and_the_file_alone_accept_it(dpspin, written):
    run = dpspin("account", "check", written)
    assert (run.code, run.err, "holds: 1/eta" in run.out) == (0, "", True)
    assert subprocess.run([sys.executable, admission_check.__file__, written], check=False).returncode == 0


def test_every_altered_byte_is_exit_code_5(dpspin, written):
    data = written.read_bytes()
    for place in range(0, len(data), 61):
        written.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        run = dpspin("account", "check", written)
        assert (run.code, run.out, run.err.count("\n")) == (5, "", 1), place


@pytest.mark.parametrize(("name", "value"), [
    ("lower", None), ("universe_size", 3), ("checker_sha256", "0" * 64), ("plan_size", 4),
    ("schema", "dpspin-certificate/1"),
])  # fmt: skip
def test_a_forgery_under_a_new_seal_is_exit_code_5(dpspin, written, name, value):
    tree = {key: held for key, held in json.loads(written.read_bytes()).items() if key != "seal"} | {name: value}
    written.write_bytes(certcheck._dumps(tree | {"seal": sha256(certcheck._dumps(tree)).hexdigest()}))
    assert dpspin("account", "check", written).code == 5


@pytest.mark.parametrize(("changed", "message"), [
    (CLAIM[:8], "--plan-size or --universe-size is missing"),
    ((*CLAIM, "--epsilon", "0"), "not positive"), ((*CLAIM, "--delta", "0"), "not between 0 and 1"),
    ((*CLAIM, "--delta", "1"), "not between 0 and 1"), ((*CLAIM, "--selection-share", "1"), "not between 0 and 1"),
    ((*CLAIM, "--selection-share", "0"), "not between 0 and 1"),
    ((*CLAIM, "--plan-size", "0"), "not positive"), ((*CLAIM, "--mass-bound", "0"), "not positive"),
    ((*CLAIM, "--mechanism", "gaussian"), "without effect"), ((*CLAIM, "--epsilon", "1e300"), "out of the range"),
    ((*CLAIM, "--delta", "1e-300"), "1e-40"),
    ((*CLAIM, "--plan-size", "1000", "--universe-size", "2000"), "at most 64"),
])  # fmt: skip
def test_bad_claims_are_exit_code_2(dpspin, changed, message):
    run = dpspin("account", "calibrate", *changed)
    assert (run.code, run.out) == (2, "")
    assert message in run.err.replace("\n", " ")


@pytest.mark.parametrize("changed", [("--mass-bound", "1/3"), ("--plan-size", "99"), ("--epsilon", "1e-2")])
def test_unusual_claims_are_certified(dpspin, tmp_path, changed):
    path = tmp_path / "c.json"
    assert dpspin("account", "calibrate", *CLAIM, *changed, "-o", path).code == 0
    assert dpspin("account", "check", path).code == 0
