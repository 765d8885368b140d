"""Shapes of expressions, refusals and the bookkeeping of names, for `dpspin_proofs.subset`."""

import ast
import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from dpspin.errors import UsageError

COQ = frozenset(
    """Prop SProp Set Type Z andb as at by cofix cons else end exists exists2 false fix for forall forallb fun if in let
    match negb nil orb return then true using where with""".split()
)
"""Words of Coq that a translation reads or writes, besides those with the prefix `py_`."""


class Shape(NamedTuple):
    """The type of an expression: int, bool, list, tuple, or stream (a sequence that can be walked once)."""

    word: str
    parts: "tuple[Shape, ...]" = ()

    def __str__(self) -> str:
        return f"{self.word}[{', '.join(map(str, self.parts))}]" if self.parts else self.word


INT, BOOL = Shape("int"), Shape("bool")
INTEGERS = Shape("list", (INT,))


class Signature(NamedTuple):
    """What a function takes and gives."""

    parameters: tuple[Shape, ...]
    result: Shape


class Refusal(UsageError):
    """A piece of a source that lies outside the subset."""

    def __init__(self, place: str, line: int, reason: str, text: str) -> None:
        super().__init__(f"{place}: line {line}", f"{reason}: {text}", "keep to the subset of dpspin_proofs.subset")
        self.line, self.reason, self.text = line, reason, text


class Walk(ast.NodeVisitor):
    """What a walk over expressions knows and asks: a subclass has a `visit_` method for each kind that it accepts.

    `scope` holds the names that are known where the walk stands, `functions` those that may be called, and `shapes`
    what has been found.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.functions: dict[str, Signature] = {}
        self.scope: dict[str, Shape] = {}
        self.shapes: dict[ast.expr, Shape] = {}

    def refusal(self, node: ast.AST, reason: str) -> Refusal:
        """Why a node is refused, at its line."""
        return Refusal(self.place, getattr(node, "lineno", 1), reason, ast.unparse(node).splitlines()[0])

    def free(self, node: ast.AST, name: str) -> None:
        """Refuse a name that already means something."""
        if hasattr(builtins, name) or name in COQ or name in self.functions or name.startswith("py_"):
            raise self.refusal(node, f"the name {name} already means something else")
        if not name.isascii():
            raise self.refusal(node, "names are written in ASCII")

    @contextmanager
    def bound(self, target: ast.expr, shape: Shape) -> Iterator[None]:
        """Let a name have this shape for a while, or a flat tuple of names the shapes of its parts."""
        targets, shapes = (target.elts, shape.parts) if isinstance(target, ast.Tuple) else ([target], (shape,))
        names = [name.id for name in targets if isinstance(name, ast.Name)]
        if len(set(names)) < len(targets):
            raise self.refusal(target, "only names are bound, each once")
        if isinstance(target, ast.Tuple) and (shape.word, len(shapes)) != ("tuple", len(names)):
            raise self.refusal(target, f"{shape} cannot be taken apart so")
        for name in names:
            self.free(target, name)
        outer, self.scope = self.scope, self.scope | dict(zip(names, shapes, strict=True))
        yield
        self.scope = outer

    def shape(self, node: ast.expr) -> Shape:
        """The shape of any expression."""
        found: Shape = self.visit(node)
        self.shapes[node] = found
        return found

    def value(self, node: ast.expr) -> Shape:
        """The shape of an expression that may be named, returned or taken apart."""
        found = self.shape(node)
        if found.word == "stream":
            raise self.refusal(node, "a one-pass sequence is consumed where it is made")
        return found

    def items(self, node: ast.expr) -> Shape:
        """The shape of the items of a list or stream."""
        found = self.shape(node)
        if found.word not in ("list", "stream"):
            raise self.refusal(node, f"{found} is not a sequence")
        return found.parts[0]

    def same(self, node: ast.expr, found: Shape, wanted: Shape) -> None:
        """Refuse an expression whose shape is not the wanted one."""
        if found != wanted:
            raise self.refusal(node, f"{found} stands where {wanted} is needed")

    def expect(self, node: ast.expr, wanted: Shape) -> None:
        """Refuse an expression unless it is a value of this shape."""
        self.same(node, self.value(node), wanted)
