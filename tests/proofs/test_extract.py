"""The program that Coq extracts reads calls, answers them, and says what it cannot build."""

from pathlib import Path

import pytest

from dpspin.errors import UsageError
from dpspin_proofs import extract
from dpspin_proofs.register import theories

SOURCE = """\
Pair = tuple[int, bool, list[int]]

def add(a: int, b: int) -> int:
    return a + b

def turn(p: Pair, rows: list[list[int]]) -> Pair:
    number, truth, values = p
    return (-number, not truth, [values[0], len(rows)])

def over(a: int, b: int) -> bool:
    return a // b > 0
"""


@pytest.fixture(scope="module")
def program(coqc: str, ocaml: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return extract.build(coqc, ocaml, tmp_path_factory.mktemp("program"), SOURCE, theories()["PySem"])


def test_parameters_and_shapes_are_read_from_the_source() -> None:
    named = extract.signatures(SOURCE)["turn"]
    assert named.parameters == ("p", "rows")
    assert [str(shape) for shape in named.signature.parameters] == ["tuple[int, bool, list[int]]", "list[list[int]]"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (5, "101"), (-2, "-10"), (True, "1"), (False, "0"), ([], "0"), ([3, -1], "2 11 -1"),
        ((1, [4]), "1 1 100"), ([(1, 2), (3, 4)], "2 1 10 11 100"), ([[], [1]], "2 0 1 1"),
    ],
)  # fmt: skip
def test_values_are_written_as_lines(value: object, text: str) -> None:
    assert extract.words(value) == text


def test_calls_are_answered_with_their_value_or_refused(program: Path) -> None:
    calls = [
        f"add {extract.words(2**90)} -1",  # a name that the extracted library has too
        "turn 101 1 2 111 0 1 0",
        "turn 101 1 0 1 0",
        "over 111 11",
        "over 1 0",
    ]
    assert extract.answers(program, calls) == [f"1 {extract.words(2**90 - 1)}", "1 -101 0 2 111 1", "0", "1 1", "0"]


def test_a_line_that_is_no_call_stops_the_program(program: Path) -> None:
    for line in ("divide 1 1", "add 1"):
        with pytest.raises(UsageError, match="kernel: "):
            extract.answers(program, [line])


def test_what_a_compiler_refuses_is_said(coqc: str, ocaml: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"PySem\.v: line 1"):
        extract.build(coqc, ocaml, tmp_path, SOURCE, "Definition")
    with pytest.raises(UsageError, match=r"main\.ml: "):
        extract.build(coqc, "false", tmp_path, SOURCE, theories()["PySem"])
