"""Every kind of expression has its shape, and a fault inside it is seen."""

import ast

import pytest

from dpspin_proofs.expressions import Expressions
from dpspin_proofs.shapes import BOOL, INT, INTEGERS, Refusal, Shape, Signature

KNOWN = {"n": INT, "b": BOOL, "xs": INTEGERS, "pairs": Shape("list", (Shape("tuple", (INT, BOOL)),))}

SHAPES = {
    "n": "int",
    "True": "bool",
    "-n + 1 * 2 - 3 // n % 4": "int",
    "not b": "bool",
    "b and n < 3 < n or n in xs": "bool",
    "n if b else 0": "int",
    "(n, b, xs)": "tuple[int, bool, list[int]]",
    "[n, 1]": "list[int]",
    "[xs]": "list[list[int]]",
    "[(b, n) for n, b in pairs if b]": "list[tuple[bool, int]]",
    "(n for n in xs)": "stream[int]",
    "pairs[0]": "tuple[int, bool]",
    "pairs[:n]": "list[tuple[int, bool]]",
    "xs[n:]": "list[int]",
    "sum(xs)": "int",
    "min(n, 1)": "int",
    "max(n for n in xs)": "int",
    "all([b])": "bool",
    "any(x > 0 for x in xs)": "bool",
    "abs(n)": "int",
    "len(pairs)": "int",
    "range(n)": "stream[int]",
    "enumerate(pairs)": "stream[tuple[int, tuple[int, bool]]]",
    "zip(xs, pairs)": "stream[tuple[int, tuple[int, bool]]]",
    "sorted(xs)": "list[int]",
    "sorted(set(xs))": "list[int]",
    "sorted(pairs, key=lambda pair: 0)": "list[tuple[int, bool]]",
    "sorted(range(n), key=lambda i: (-xs[i], i))": "list[int]",
    "chosen(n, xs)": "bool",
}


def walk() -> Expressions:
    """A walk that knows a few names and one function."""
    walk = Expressions("k.py")
    walk.scope, walk.functions = dict(KNOWN), {"chosen": Signature((INT, INTEGERS), BOOL)}
    return walk


def parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(("text", "shape"), SHAPES.items(), ids=SHAPES.keys())
def test_expression_has_its_shape(text: str, shape: str) -> None:
    assert str(walk().shape(parsed(text))) == shape


@pytest.mark.parametrize("text", sorted(set(SHAPES) - {"True"}))
def test_a_name_that_is_not_known_is_found_wherever_it_stands(text: str) -> None:
    ignorant = walk()
    ignorant.scope = {}
    with pytest.raises(Refusal, match="an unknown name"):
        ignorant.shape(parsed(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chosen(n)", "another number"),
        ("chosen(xs, n)", "list[int] stands where int"),
        ("chosen(n, xs=xs)", "by position"),
        ("xs.count(n)", "by its name"),
        ("sorted(xs, key=lambda: 0)", "lambda of one name"),
        ("[n for xs[0] in xs]", "only names are bound"),
        ("[n for n, b in xs]", "int cannot be taken apart"),
    ],
)
def test_a_refusal_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        walk().shape(parsed(text))
    assert reason in refused.value.reason
