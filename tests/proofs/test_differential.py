"""Python and the program that Coq extracts from the translation compute the same, and raise in the same places."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dpspin import kernel
from dpspin_proofs import differential, extract, run
from dpspin_proofs.differential import Call
from dpspin_proofs.register import theories

SOURCE = run.running_kernel().decode()
NAMED = extract.signatures(SOURCE)
FUNCTIONS: dict[str, Any] = {name: getattr(kernel, name) for name in NAMED}
CALLS = list(differential.calls(NAMED, differential.COUNT, 7))


@pytest.fixture(scope="module")
def program(coqc: str, ocaml: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return extract.build(coqc, ocaml, tmp_path_factory.mktemp("program"), SOURCE, theories()["PySem"])


def test_every_function_of_the_kernel_agrees_on_20000_calls(program: Path) -> None:
    compared = differential.compare(program, FUNCTIONS, CALLS)
    assert compared.differences == ()
    assert compared.calls == 20_000
    assert compared.raising >= 500


def test_the_calls_reach_every_function_every_kind_of_claim_and_every_way_to_raise() -> None:
    found: Counter[Any] = Counter()
    for name, arguments in CALLS:
        try:
            value = FUNCTIONS[name](*arguments)
        except differential.RAISES as error:
            found[name, type(error)] += 1
            continue
        found[name] += 1
        if name == "claim_supported":
            found[arguments[1][0], value] += 1
    assert min(found[name] for name in FUNCTIONS) >= 100
    assert min(found[kind, value] for kind in range(kernel.MENTION, kernel.COUNT + 1) for value in (True, False)) >= 5
    for name in ("add", "absorb", "sketch", "total_of", "group_by_user", "user_sketch"):
        assert found[name, IndexError] >= 10, name
    assert found["rounded", ZeroDivisionError] >= 10


def test_some_numbers_are_beyond_64_bits_and_some_vectors_are_uneven() -> None:
    scores = [arguments[0] for name, arguments in CALLS if name == "contribution"]
    assert sum(abs(score) > 2**64 for row in scores for score in row) >= 50
    units = [arguments[0] for name, arguments in CALLS if name == "sketch"]
    assert sum(len({len(unit) for unit in rows}) > 1 for rows in units) >= 50
    assert sum(len(set(row)) < len(row) for row in scores) >= 100


def test_calls_follow_from_the_seed() -> None:
    assert list(differential.calls(NAMED, 50, 7)) == CALLS[:50]
    assert list(differential.calls(NAMED, 50, 8)) != CALLS[:50]


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("compare", lambda left, right, margin: 1 if left - right >= margin else -1 if right - left >= margin else 0),
        ("highest", lambda values, count: sorted(range(len(values)), key=lambda i: -values[i])[: max(count, 0)]),
        ("add", lambda vectors, width: [sum(v[a] for v in vectors if a < len(v)) for a in range(width)]),
        ("rounded", lambda numerator, denominator, scale: round(scale * numerator / denominator)),
    ],
    ids=["compares equals", "counts from zero", "never raises", "rounds floats"],
)
def test_another_meaning_in_python_is_found(program: Path, name: str, planted: Any) -> None:
    calls = [call for call in CALLS if call.name == name]
    compared = differential.compare(program, FUNCTIONS | {name: planted}, calls)
    assert compared.differences
    assert compared.differences[0].startswith(f"{name}(")


def test_another_meaning_in_coq_is_found(coqc: str, ocaml: str, tmp_path: Path) -> None:
    meaning, found = theories()["PySem"], "if i <? 0 then i + py_len l else i"
    assert found in meaning
    wrong = extract.build(coqc, ocaml, tmp_path, SOURCE, meaning.replace(found, "i"))
    [difference, *_] = differential.compare(wrong, FUNCTIONS, [Call("highest", ([3, 1, 2], -1))]).differences
    assert difference == "highest([3, 1, 2], -1): Python '1 2 0 10', Coq '1 0'"
