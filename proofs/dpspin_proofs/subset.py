"""The subset of Python that the kernel keeps to, so that it can be translated to Coq as it stands.

A module has a docstring, integer constants, type aliases and functions.  Types are int, bool, list[T] and tuple[T, ...]
written out.  Statements are an assignment to a name or to a flat tuple of names, an `if` whose branch returns, and
return.  Expressions are names, integers, True and False; + - * // % and unary - on integers; comparisons of integers,
chained or not; `in` on a list of integers; and, or, not and `a if b else c` on truth values; tuples; lists of at least
one item; an item or a one-sided slice of a list; comprehensions with one `for`; calls of earlier functions, of sum,
len, min, max, abs, range, enumerate, zip, all, any, and of sorted, with a lambda key or around a set.

All else is refused, with file, line and reason, also what Python accepts and Coq would read otherwise: truth values of
numbers and lists, arithmetic of truth values, change of an object, the order of a set, and one-pass sequences (range,
zip, enumerate, generators) anywhere but where they are consumed.  Whatever translates the source needs no refusals of
its own: it meets the subset only, and finds the shape of every expression in `Subset.shapes`.
"""

import ast
from collections.abc import Sequence

from dpspin_proofs.expressions import Expressions, plain
from dpspin_proofs.shapes import BOOL, INT, Refusal, Shape, Signature


def check(source: str, place: str) -> list[Refusal]:
    """What lies outside the subset, the first piece of each definition; empty for a module that keeps to it.

    Args:
        source: text of the module.
        place: name of its file, for messages.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        return [Refusal(place, getattr(error, "lineno", None) or 1, "not Python", getattr(error, "msg", str(error)))]
    return Subset(place).module(tree)


class Subset(Expressions):
    """One walk over a module, which gives every expression its shape and refuses what lies outside the subset."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.aliases = {"int": INT, "bool": BOOL}
        self.constants: dict[str, Shape] = {}

    def module(self, tree: ast.Module) -> list[Refusal]:
        """Read the definitions in order; a definition that is refused does not stop the next."""
        refusals = []
        for statement in _without_docstring(tree):
            try:
                self._definition(statement)
            except Refusal as refusal:
                refusals.append(refusal)
        return refusals

    def _definition(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef():
                self._function(statement)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)) if type(value) is int:
                self._global(statement, name)
                self.constants[name] = INT
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._global(statement, name)
                self.aliases[name] = self._type(value)
            case _:
                raise self.refusal(statement, "a module holds integer constants, type aliases and functions")

    def _function(self, node: ast.FunctionDef) -> None:
        special = not plain(node.args) or node.decorator_list or getattr(node, "type_params", None)
        if special or not node.args.args or not node.returns:
            raise self.refusal(node, "a function has plain parameters, at least one, and the type of its result")
        self._global(node, node.name)
        scope = {parameter.arg: self._parameter(parameter) for parameter in node.args.args}
        signature = Signature(tuple(scope.values()), self._type(node.returns))
        self.scope = self.constants | scope
        try:
            self._block(_without_docstring(node), node, signature.result)
        finally:  # known only after its body, which so cannot call it; and known even if refused, for callers' sake
            self.functions[node.name] = signature

    def _parameter(self, node: ast.arg) -> Shape:
        self.free(node, node.arg)
        if node.annotation is None:
            raise self.refusal(node, "a parameter has a type")
        return self._type(node.annotation)

    def _block(self, statements: Sequence[ast.stmt], before: ast.stmt, result: Shape) -> None:
        match statements:
            case []:
                raise self.refusal(before, "a path ends without return")
            case [ast.Return(value=ast.expr() as value)]:
                self.expect(value, result)
            case [ast.Return(), after, *_]:
                raise self.refusal(after, "nothing follows a return")
            case [ast.Assign(targets=[target], value=value) as statement, *rest]:
                with self.bound(target, self.value(value)):
                    self._block(rest, statement, result)
            case [ast.If(test=test, body=body, orelse=otherwise) as statement, *rest] if not (otherwise and rest):
                self.expect(test, BOOL)
                self._block(body, statement, result)
                self._block(otherwise or rest, statement, result)
            case [other, *_]:
                raise self.refusal(other, "a function holds assignments to names, `if` and return")

    def _type(self, node: ast.expr) -> Shape:
        match node:
            case ast.Name(id=name) if name in self.aliases:
                return self.aliases[name]
            case ast.Subscript(value=ast.Name(id="list"), slice=item):
                return Shape("list", (self._type(item),))
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[_, _, *_] as parts)):
                return Shape("tuple", tuple(map(self._type, parts)))
        raise self.refusal(node, "types are int, bool, list[T] and tuple[T, ...] written out")

    def free(self, node: ast.AST, name: str) -> None:
        """Refuse a name that already means something."""
        super().free(node, name)
        if name in self.constants or name in self.aliases:
            raise self.refusal(node, f"the name {name} already means something else")

    def _global(self, node: ast.AST, name: str) -> None:
        self.free(node, name)
        if name.endswith(("_", "_safe")):
            raise self.refusal(node, "no name of a module ends in _ or _safe: a translation appends them")


def _without_docstring(node: ast.Module | ast.FunctionDef) -> list[ast.stmt]:
    return node.body[ast.get_docstring(node, clean=False) is not None :]
