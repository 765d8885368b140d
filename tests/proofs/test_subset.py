"""The kernel keeps to the translated subset, and what the translation would read otherwise is refused at its line."""

import ast
from pathlib import Path

import pytest

from dpspin import kernel
from dpspin_proofs.shapes import Shape
from dpspin_proofs.subset import Subset, check

INTS = "def f(a: list[int]) -> list[int]:\n    return "
INT = "def f(a: int, b: int, c: list[int]) -> int:\n    return "
BOOL = "def f(a: int, b: int, c: list[int]) -> bool:\n    return "

REFUSED = {
    "true division": (f"{INT}a / 2", 2),
    "float": (f"{INT}a * 0.5", 2),
    "power": (f"{INT}a ** 2", 2),
    "shift": (f"{INT}a >> 1", 2),
    "bitwise not": (f"{INT}~a", 2),
    "matrix product": (f"{INT}a @ b", 2),
    "string": (f"{INT}'x'", 2),
    "formatted string": (f"{INT}len(f'{{a}}')", 2),
    "None": (f"{INT}None", 2),
    "truth of a list": ("def f(a: list[int]) -> int:\n    if a:\n        return 1\n    return 0", 2),
    "truth of an integer": (f"{INT}1 if a else 0", 2),
    "not of an integer": (f"{BOOL}not a", 2),
    "arithmetic of truth values": (f"{INT}a + (a > 1)", 2),
    "sum of truth values": (f"{INT}sum([x > 1 for x in c])", 2),
    "truth value as integer": (f"{INT}a > 1", 2),
    "integer as truth value": (f"{BOOL}a", 2),
    "all of integers": (f"{BOOL}all(c)", 2),
    "and returns an operand": (f"{INT}a and b", 2),
    "or returns an operand": (f"{INT}a or b", 2),
    "branches of two types": (f"{INT}len([a if a > b else a > b])", 2),
    "equality of lists": (f"{BOOL}c == c", 2),
    "equality of truth values": (f"{BOOL}(a > 1) == (b > 1)", 2),
    "list in list": (f"{BOOL}c in c", 2),
    "in a stream": (f"{BOOL}a in range(b)", 2),
    "is": (f"{BOOL}a is b", 2),
    "sum of lists": (f"{INTS}a + a", 2),
    "min of nothing": (f"{INT}min(c, default=0)", 2),
    "two sequences to len": (f"{INT}len(c, c)", 2),
    "starred argument": (f"{INT}max(*c)", 2),
    "sum with a start": (f"{INT}sum(c, 1)", 2),
    "range with a start": (f"{INTS}[x for x in range(1, 2)]", 2),
    "zip strict": (f"{INTS}[x for x, y in zip(a, a, strict=True)]", 2),
    "item of a tuple": ("def f(a: tuple[int, int]) -> int:\n    return a[0]", 2),
    "slice with a step": (f"{INTS}a[::-1]", 2),
    "slice with two ends": (f"{INTS}a[1:2]", 2),
    "slice without ends": (f"{INTS}a[:]", 2),
    "nested for": (f"{INTS}[x for x in a for y in a]", 2),
    "walk over an integer": (f"{INT}sum([x for x in a])", 2),
    "set": (f"{INTS}[x for x in set(a)]", 2),
    "set literal": (f"{BOOL}a in {{1, 2}}", 2),
    "set comprehension": (f"{INTS}sorted({{x for x in a}})", 2),
    "set sorted by a key": (f"{INTS}sorted(set(a), key=lambda x: 0)", 2),
    "sorted reverse": (f"{INTS}sorted(a, reverse=True)", 2),
    "sorted by a function": (f"{INTS}sorted(a, key=abs)", 2),
    "sorted by a truth value": (f"{INTS}sorted(a, key=lambda x: x > 1)", 2),
    "sorted by a default": (f"{INTS}sorted(a, key=lambda x, y=1: y)", 2),
    "sorted pairs without a key": ("def f(a: list[tuple[int, int]]) -> int:\n    return len(sorted(a))", 2),
    "dictionary": (f"{INT}{{1: 2}}[a]", 2),
    "empty list": (f"{INTS}[]", 2),
    "list of two types": (f"{INT}len([a, a > b])", 2),
    "tuple of one": (f"{INT}(a,)", 2),
    "named generator": (f"{INTS.replace('return ', 'g = (x for x in a)')}\n    return [x for x in g]", 2),
    "returned range": (f"{INTS}range(len(a))", 2),
    "length of a zip": (f"{INT}len(zip(c, c))", 2),
    "list of generators": (f"{INT}len([(x for x in c)])", 2),
    "walrus": (f"{INT}(b := a)", 2),
    "lambda as a value": ("def f(a: int) -> int:\n    g = lambda x: x\n    return a", 2),
    "method": (f"{INT}c.index(a)", 2),
    "attribute": (f"{INT}a.real", 2),
    "unknown name": (f"{INT}d", 2),
    "item assignment": ("def f(a: list[int]) -> list[int]:\n    a[0] = 1\n    return a", 2),
    "append": ("def f(a: list[int]) -> list[int]:\n    a.append(1)\n    return a", 2),
    "augmented assignment": ("def f(a: int) -> int:\n    a += 1\n    return a", 2),
    "annotated assignment": ("def f(a: int) -> int:\n    b: int = a\n    return b", 2),
    "two targets": ("def f(a: int) -> int:\n    b = c = a\n    return b", 2),
    "one name twice": ("def f(a: tuple[int, int]) -> int:\n    b, b = a\n    return b", 2),
    "list taken apart": ("def f(a: list[int]) -> int:\n    b, c = a\n    return b", 2),
    "pair taken for three": ("def f(a: tuple[int, int]) -> int:\n    b, c, d = a\n    return b", 2),
    "starred target": ("def f(a: tuple[int, int]) -> int:\n    b, *c = a\n    return b", 2),
    "for loop": ("def f(a: list[int]) -> int:\n    for x in a:\n        return x\n    return 0", 2),
    "while": ("def f(a: int) -> int:\n    while a > 0:\n        return a\n    return 0", 2),
    "try": ("def f(a: int) -> int:\n    try:\n        return 1\n    except ValueError:\n        return 2", 2),
    "assert": ("def f(a: int) -> int:\n    assert a\n    return a", 2),
    "global": ("def f(a: int) -> int:\n    global b\n    return a", 2),
    "inner function": ("def f(a: int) -> int:\n    def g(b: int) -> int:\n        return b\n    return g(a)", 2),
    "missing return": ("def f(a: int) -> int:\n    if a > 0:\n        return 1", 2),
    "branch without return": ("def f(a: int) -> int:\n    if a > 0:\n        a = 1\n    return a", 3),
    "name of one branch": ("def f(a: int) -> int:\n    if a > 0:\n        b = 1\n        return b\n    return b", 5),
    "return of nothing": ("def f(a: int) -> int:\n    return", 2),
    "code after return": ("def f(a: int) -> int:\n    return a\n    return 1", 3),
    "docstring alone": ("def f(a: int) -> int:\n    'Nothing.'", 1),
    "recursion": ("def f(a: int) -> int:\n    return f(a - 1)", 2),
    "later function": ("def f(a: int) -> int:\n    return g(a)\ndef g(a: int) -> int:\n    return a", 2),
    "wrong number": ("def f(a: int) -> int:\n    return a\ndef g(a: int) -> int:\n    return f(a, a)", 4),
    "wrong argument": ("def f(a: int) -> int:\n    return a\ndef g(a: bool) -> int:\n    return f(a)", 4),
    "default": ("def f(a: int = 1) -> int:\n    return a", 1),
    "stars": ("def f(*a: int) -> int:\n    return 1", 1),
    "double stars": ("def f(a: int, **b: int) -> int:\n    return 1", 1),
    "keyword only": ("def f(a: int, *, b: int) -> int:\n    return 1", 1),
    "position only": ("def f(a: int, /) -> int:\n    return 1", 1),
    "no parameter": ("def f() -> int:\n    return 1", 1),
    "parameter without type": ("def f(a) -> int:\n    return a", 1),
    "result without type": ("def f(a: int):\n    return a", 1),
    "decorator": ("@staticmethod\ndef f(a: int) -> int:\n    return a", 2),
    "coroutine": ("async def f(a: int) -> int:\n    return a", 1),
    "type in quotes": ("def f(a: 'int') -> int:\n    return a", 1),
    "other type": ("def f(a: float) -> int:\n    return 1", 1),
    "tuple of any length": ("def f(a: tuple[int, ...]) -> int:\n    return 1", 1),
    "union": ("def f(a: int | bool) -> int:\n    return 1", 1),
    "parameter named as a built-in": ("def f(sum: int) -> int:\n    return sum", 1),
    "parameter named as a word of Coq": ("def f(at: int) -> int:\n    return at", 1),
    "local named as a function": (f"{INT}a\ndef g(a: int) -> int:\n    f = a\n    return f", 4),
    "local named as a constant": ("X = 1\ndef f(a: int) -> int:\n    X = a\n    return X", 3),
    "letters beyond ASCII": ("def f(\u00b5: int) -> int:\n    return \u00b5", 1),
    "function named as a built-in": ("def sum(a: int) -> int:\n    return a", 1),
    "function named as a word of Coq": ("def exists(a: int) -> int:\n    return a", 1),
    "function named as Coq's integers": ("def Z(a: int) -> int:\n    return a", 1),
    "function named as another's guard": ("def f_safe(a: int) -> int:\n    return a", 1),
    "function defined twice": ("def f(a: int) -> int:\n    return a\ndef f(a: int) -> int:\n    return 1", 3),
    "list constant": ("X = [1]", 1),
    "truth constant": ("X = True", 1),
    "import": ("\nimport os", 2),
    "future import": ("from __future__ import annotations", 1),
    "class": ("class A:\n    pass", 1),
    "statement at the top": ("print(1)", 1),
    "not Python": ("X = 1\ndef f(a: int) -> int\n    return a", 2),
    "null byte": ("X = 1\x00", 1),
}  # fmt: skip

ACCEPTED = {
    "arithmetic": f"{INT}-a + b * 2 - a // 3 % b",
    "chain": f"{BOOL}0 <= a < b != 3 and (a in c or not b not in c)",
    "choice": f"{INT}a if True else b",
    "slices": f"{INTS}a[:2] if len(a[1:]) > a[0] else a",
    "streams consumed at once": f"{INT}sum(x * y for x, y in zip(c, range(b))) + max(i for i, x in enumerate(c))",
    "sorted": f"{INTS}sorted(sorted(set(a)), key=lambda x: (-x, x))",
    "rebound name": "def f(a: int) -> int:\n    a = a + 1\n    return a",
    "inner name hides the outer": "def f(a: list[int]) -> list[int]:\n    return [a + 1 for a in a]",
    "alias and constant": "'''A.'''\nV = list[int]\nX = 3\ndef f(a: V) -> int:\n    '''F.'''\n    return X + sum(a)",
    "else": "def f(a: int) -> int:\n    if a > 0:\n        return 1\n    else:\n        return a",
    "pairs": "def f(a: tuple[int, bool]) -> tuple[bool, int]:\n    b, c = a\n    return c, b",
}  # fmt: skip


def test_the_kernel_keeps_to_the_subset() -> None:
    assert check(Path(kernel.__file__).read_text(encoding="utf-8"), "kernel.py") == []


@pytest.mark.parametrize(("source", "line"), REFUSED.values(), ids=REFUSED.keys())
def test_programs_outside_the_subset_are_refused_at_their_line(source: str, line: int) -> None:
    [refusal] = check(source, "k.py")
    assert refusal.line == line
    assert str(refusal).startswith(f"k.py: line {line}: {refusal.reason}: {refusal.text}")


@pytest.mark.parametrize("source", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_programs_of_the_subset_are_accepted(source: str) -> None:
    assert check(source, "k.py") == []


def test_every_definition_is_judged_by_itself() -> None:
    source = "def f(a: int) -> int:\n    return a / 2\ndef g(a: int) -> int:\n    return f(a)\nimport os\n"
    assert [refusal.line for refusal in check(source, "k.py")] == [2, 5]


@pytest.mark.parametrize(
    ("found", "planted"),
    [
        ("value * bound // max(total, 1)", "value * bound / max(total, 1)"),
        ("if sum(positive) <= bound:", "if sum(positive) and bound:"),
        ("return 1 + len(ahead)", "ahead.sort(); return 1 + len(ahead)"),
    ],
)
def test_a_fault_planted_in_the_kernel_is_refused(found: str, planted: str) -> None:
    source = Path(kernel.__file__).read_text(encoding="utf-8")
    before, after = source.split(found)
    [refusal] = check(before + planted + after, "kernel.py")
    assert refusal.line == before.count("\n") + 1


def test_the_walk_leaves_the_shape_of_every_expression() -> None:
    subset = Subset("k.py")
    source = "def f(a: list[int]) -> list[tuple[int, int]]:\n    return [(x, i) for i, x in enumerate(a) if x > 0]"
    assert subset.module(ast.parse(source)) == []
    found = {ast.unparse(node): str(shape) for node, shape in subset.shapes.items()}
    assert found["enumerate(a)"] == "stream[tuple[int, int]]"
    assert found["(x, i)"] == "tuple[int, int]"
    assert found["x > 0"] == "bool"
    assert Shape("list", (Shape("tuple", (Shape("int"), Shape("int"))),)) in subset.shapes.values()
