"""Names have their shapes where they are bound, and nowhere else."""

import ast

import pytest

from dpspin.errors import UsageError
from dpspin_proofs.shapes import BOOL, INT, INTEGERS, Refusal, Shape, Signature, Walk

PAIR = Shape("tuple", (INT, BOOL))


def target(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def test_a_shape_reads_like_an_annotation() -> None:
    assert [str(shape) for shape in (INT, INTEGERS, Shape("list", (PAIR,)))] == [
        "int",
        "list[int]",
        "list[tuple[int, bool]]",
    ]


def test_a_refusal_is_a_usage_error_with_its_values() -> None:
    refusal = Refusal("k.py", 3, "an unknown name", "b")
    assert isinstance(refusal, UsageError)
    assert (refusal.place, refusal.line, refusal.reason, refusal.text) == ("k.py: line 3", 3, "an unknown name", "b")


def test_names_are_bound_for_a_while() -> None:
    walk = Walk("k.py")
    walk.scope = {"a": BOOL}
    with walk.bound(target("a, b"), PAIR):
        assert walk.scope == {"a": INT, "b": BOOL}
    assert walk.scope == {"a": BOOL}


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a[0]", INT),
        ("a, a", PAIR),
        ("a, b", INT),
        ("a, b, c", PAIR),
        ("len", INT),
        ("at", INT),
        ("py_sum", INT),
        ("f", INT),
    ],
)
def test_what_cannot_be_bound_is_refused(text: str, shape: Shape) -> None:
    walk = Walk("k.py")
    walk.functions["f"] = Signature((INT,), INT)
    with pytest.raises(Refusal), walk.bound(target(text), shape):
        pass
