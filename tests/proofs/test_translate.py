"""The translation is the committed one, means what Python does, and refuses all else at its line."""

import subprocess
from pathlib import Path

import pytest

from dpspin import kernel
from dpspin_proofs.register import theories
from dpspin_proofs.shapes import Refusal
from dpspin_proofs.translate import translate

SOURCE = Path(kernel.__file__).read_bytes().decode()
INT = "def f(a: int, b: int, c: list[int]) -> int:\n    return "

BODIES = {
    "a // 2 + 1 % b": ("((a_ / 2) + (1 mod b_))", "(negb (2 =? 0) && negb (b_ =? 0))"),
    "-a if a < b <= 3 else abs(a)": ("(if ((a_ <? b_) && (b_ <=? 3)) then (Z.opp a_) else (Z.abs a_))", "true"),
    "sum([a, max(b, 1)])": ("(py_sum [a_; (Z.max b_ 1)])", "true"),
    "len([[a], c])": ("(py_len [[a_]; c_])", "true"),
    "c[-1]": ("(py_index c_ (Z.opp 1))", "py_index_safe c_ (Z.opp 1)"),
    "[c, c][a][b]": (
        "(py_index (py_item [] [c_; c_] a_) b_)",
        "(py_index_safe [c_; c_] a_ && py_index_safe (py_item [] [c_; c_] a_) b_)",
    ),
    "min(c) if len(c[1:]) > 0 and 1 // a > 0 else 0": (
        "(if (((py_len (py_from c_ 1)) >? 0) && ((1 / a_) >? 0)) then (py_min c_) else 0)",
        "((if ((py_len (py_from c_ 1)) >? 0) then negb (a_ =? 0) else true) && (if (((py_len (py_from c_ 1)) >? 0) && "
        "((1 / a_) >? 0)) then negb (py_len c_ =? 0) else true))",
    ),
    "len([x for x in c if x > 0 if a // x > 1])": (
        "(py_len (map (fun x_ => x_) (filter (fun x_ => ((a_ / x_) >? 1)) (filter (fun x_ => (x_ >? 0)) c_))))",
        "forallb (fun x_ => negb (x_ =? 0)) (filter (fun x_ => (x_ >? 0)) c_)",
    ),
    "sum(x * i for i, x in enumerate(sorted(set(c))))": (
        "(py_sum (map (fun '(i_, x_) => (x_ * i_)) (py_enumerate (py_sorted (fun x => [x]) (py_set c_)))))",
        "true",
    ),
    "sorted(c, key=lambda x: (x // b, -x))[0]": (
        "(py_index (py_sorted (fun x_ => [(x_ / b_); (Z.opp x_)]) c_) 0)",
        "(forallb (fun x_ => negb (b_ =? 0)) c_ && py_index_safe (py_sorted (fun x_ => [(x_ / b_); (Z.opp x_)]) c_) 0)",
    ),
}
MEANINGS = (
    "len(c[:a])", "sum(c[:b])", "sum(c[b:])", "sum(c[a:])", "sum(range(b))",
    "sum(x * y for x, y in zip(c, range(a)))", "min(c)", "max(c)", "max(x * b for x in c)", "c[a]", "c[b]",
    "1 if all(x > b for x in c) else 0", "1 if any(x > b for x in c) else 0", "1 if a not in c else b",
    "sorted(c, key=lambda x: x % 2)[0]", "sorted(c, key=lambda x: (x % 2, b * x))[-1]", "sorted(c)[1]",
    "len(sorted(set(c)))",
    "a // b", "a % b", "-a // b", "a if not b > 0 or a // b > 1 else b",
)  # fmt: skip
VALUES = [(0, 0, []), (7, 2, [3, -1, 3]), (-7, 2, [5]), (1, -3, [0, 2, 1, 2]), (-1, -2, [4, 4]), (3, 1, [-2])]


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_committed_translation_is_that_of_this_kernel() -> None:
    assert theories()["Kernel"] == translate(SOURCE, "kernel.py")


@pytest.mark.parametrize(("found", "planted"), [("RANK = 7", "RANK = 9"), ("pure.  The", "pure. The")])
def test_any_edit_of_the_kernel_makes_the_committed_translation_stale(found: str, planted: str) -> None:
    assert found in SOURCE
    assert theories()["Kernel"] != translate(SOURCE.replace(found, planted), "kernel.py")


@pytest.mark.parametrize(("body", "expected"), BODIES.items(), ids=BODIES.keys())
def test_expressions_become_a_value_and_a_condition(body: str, expected: tuple[str, str]) -> None:
    value, defined = expected
    binders = "(a_ : Z) (b_ : Z) (c_ : (list Z))"
    text = words(translate(INT + body, "k.py"))
    assert text.endswith(f"Definition f {binders} : Z := {value}. Definition f_safe {binders} : bool := {defined}.")


def test_every_line_fits() -> None:
    assert max(map(len, theories()["Kernel"].splitlines())) <= 120


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (f"{INT}a / 2", 2),
        (f"{INT}[][0]", 2),
        ("def f(a: list[int]) -> list[int]:\n    a.sort()\n    return a", 2),
        ("X = 1\nX: int = 2\n", 2),
        ("def f(:\n", 1),
    ],
)
def test_what_the_subset_refuses_is_refused_with_file_line_and_reason(source: str, line: int) -> None:
    with pytest.raises(Refusal) as refusal:
        translate(source, "folder/k.py")
    assert str(refusal.value).startswith(f"folder/k.py: line {line}: {refusal.value.reason}: ")


def evaluated(coqc: str, folder: Path, source: str, calls: list[str], meaning: str) -> list[str]:
    """What Coq computes for calls: (value, whether Python can compute it)."""
    for name, text in (("PySem", meaning), ("Kernel", translate(source, "k.py"))):
        (folder / f"{name}.v").write_text(text)
    rows = [
        f"Eval vm_compute in ({name} {rest}, {name}_safe {rest})." for name, rest in (c.split(" ", 1) for c in calls)
    ]
    head = (
        "From Coq Require Import ZArith List.\n"
        "From DPSPIN Require Import Kernel.\nImport ListNotations.\nOpen Scope Z_scope.\n"
    )
    (folder / "Calls.v").write_text(head + "\n".join(rows))
    for name in ("PySem", "Kernel", "Calls"):
        command = [coqc, "-q", "-R", ".", "DPSPIN", f"{name}.v"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return [words(part.partition("\n     :")[0]) for part in done.stdout.split("     = ")[1:]]


def written(value: object) -> str:
    """A value of Python as Coq prints it."""
    if isinstance(value, list):
        return f"[{'; '.join(map(written, value))}]"
    return f"({', '.join(map(written, value))})" if isinstance(value, tuple) else str(value).lower()


def argument(value: object) -> str:
    return f"({written(value)})" if isinstance(value, int) else written(value)


Calls = list[tuple[str, tuple[object, ...]]]


def compared(coqc: str, folder: Path, source: str, calls: Calls, meaning: str = theories()["PySem"]) -> int:
    """Run calls in Python and in Coq; assert that values agree, and raising too; the number that raised."""
    scope: dict[str, object] = {}
    exec(compile(source, "k.py", "exec"), scope)
    said = evaluated(
        coqc, folder, source, [" ".join([name, *map(argument, values)]) for name, values in calls], meaning
    )
    raised = 0
    for (name, values), found in zip(calls, said, strict=True):
        try:
            expected = written(scope[name](*values))  # type: ignore[operator]
        except (ZeroDivisionError, IndexError, ValueError):
            raised += 1
            assert found.endswith(", false)"), (name, values, found)
            continue
        assert found in (f"({expected}, true)", f"({expected[1:-1]}, true)"), (name, values, found, expected)
    return raised


def programs() -> tuple[str, Calls]:
    """Small functions, and calls of each."""
    bodies = [*BODIES, *MEANINGS]
    source = "\n".join(INT.replace("f(", f"f{i}(") + body for i, body in enumerate(bodies))
    return source, [(f"f{i}", values) for i in range(len(bodies)) for values in VALUES]


def test_coq_computes_what_python_does_and_knows_where_python_raises(coqc: str, tmp_path: Path) -> None:
    source, calls = programs()
    assert 20 <= compared(coqc, tmp_path, source, calls) < len(calls) / 2


@pytest.mark.parametrize(
    ("found", "planted"),
    [
        ("if i <? 0 then i + py_len l else i", "i"),
        ("(- py_len l <=? i) && (i <? py_len l)", "(0 <=? i) && (i <? py_len l)"),
        ("if py_le (k x) (k y) then", "if negb (py_le (k y) (k x)) then"),
        ("seq 0 (Z.to_nat n)", "seq 1 (Z.to_nat n)"),
        ("nodup Z.eq_dec l", "l"),
    ],
    ids=["negative position", "negative item", "unstable sort", "range from one", "set with repetition"],
)
def test_a_wrong_meaning_of_a_built_in_function_is_found(coqc: str, tmp_path: Path, found: str, planted: str) -> None:
    meaning = theories()["PySem"]
    assert found in meaning
    source, calls = programs()
    with pytest.raises(AssertionError, match=r"^\('f\d+'"):
        compared(coqc, tmp_path, source, calls, meaning.replace(found, planted))


def test_coq_computes_the_kernel_as_python_does(coqc: str, tmp_path: Path) -> None:
    plan = [(2, 9), (0, -4), (5, 9), (1, 30)]
    units: list[list[int]] = [[3, -1, 2], [0, 0, 0], [5, 9, 9]]
    calls: Calls = [
        *(("highest", ([3, 1, 3, -2, 3], count)) for count in range(-2, 7)),
        *(("contribution", (scores, 2, unit)) for scores in (*units, []) for unit in (0, 7, 100)),
        *(("clip", (unit, bound)) for unit in units for bound in (-3, 0, 4, 50)),
        *(("sketch", (units, 10, width)) for width in (0, 2, 3, 4)),
        *(("absorb", (total, [4, 5], 6)) for total in ([], [1], [1, 2], [1, 2, 3])),
        *(
            ("user_sketch", ([(7, unit), (-2, unit), (7, [1, 1, 1])], 8, width))
            for unit in units
            for width in (2, 3, 4)
        ),
        *(("rounded", (n, d, s)) for n in (-5, 5, 15, 25) for d in (-10, 0, 10) for s in (1, 100)),
        *(
            ("claim_supported", (plan, (kind, atom, other, value), 4, 3, 2, 8, [1, 3, 9], 10))
            for kind in range(10)
            for atom in (1, 2, 7)
            for other in (-1, 2, 5)
            for value in (1, 2, 9)
        ),
    ]
    assert 0 < compared(coqc, tmp_path, SOURCE, calls) < len(calls) / 4
