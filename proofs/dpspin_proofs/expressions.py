"""Expressions of the kernel's subset of Python: the shape of each, or why it is refused (`dpspin_proofs.subset`)."""

import ast
from typing import NoReturn

from dpspin_proofs.shapes import BOOL, INT, INTEGERS, Shape, Walk

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
MEMBERSHIP = (ast.In, ast.NotIn)


class Expressions(Walk):
    """Gives every expression its shape; each `visit_` method says what is accepted, and the rest is refused."""

    def generic_visit(self, node: ast.AST) -> NoReturn:
        """Refuse every kind of expression that has no method here."""
        raise self.refusal(node, "outside the subset")

    def visit_Name(self, node: ast.Name) -> Shape:
        """A parameter, a local name or a constant of the module."""
        if node.id not in self.scope:
            raise self.refusal(node, "an unknown name")
        return self.scope[node.id]

    def visit_Constant(self, node: ast.Constant) -> Shape:
        """An integer, True or False."""
        if type(node.value) not in (int, bool):
            raise self.refusal(node, "constants are integers, True and False")
        return BOOL if isinstance(node.value, bool) else INT

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Shape:
        """`-` of an integer, `not` of a truth value."""
        if not isinstance(node.op, ast.USub | ast.Not):
            raise self.refusal(node, "unary operators are - and not")
        wanted = INT if isinstance(node.op, ast.USub) else BOOL
        self.expect(node.operand, wanted)
        return wanted

    def visit_BinOp(self, node: ast.BinOp) -> Shape:
        """`+ - * // %` of integers."""
        if not isinstance(node.op, ARITHMETIC):
            raise self.refusal(node, "operators are + - * // %")
        self.expect(node.left, INT)
        self.expect(node.right, INT)
        return INT

    def visit_BoolOp(self, node: ast.BoolOp) -> Shape:
        """`and`, `or` of truth values."""
        for operand in node.values:
            self.expect(operand, BOOL)
        return BOOL

    def visit_IfExp(self, node: ast.IfExp) -> Shape:
        """`a if b else c` with both of one shape."""
        self.expect(node.test, BOOL)
        found = self.value(node.body)
        self.expect(node.orelse, found)
        return found

    def visit_Compare(self, node: ast.Compare) -> Shape:
        """Integers compared, or looked for in a list of integers."""
        operands = [node.left, *node.comparators]
        shapes = [self.value(operand) for operand in operands]
        for position, op in enumerate(node.ops):
            if not isinstance(op, ORDER + MEMBERSHIP):
                raise self.refusal(node, "comparisons are < <= > >= == != in, not in")
            self.same(operands[position], shapes[position], INT)
            self.same(operands[position + 1], shapes[position + 1], INT if isinstance(op, ORDER) else INTEGERS)
        return BOOL

    def visit_Tuple(self, node: ast.Tuple) -> Shape:
        """A tuple of at least two values."""
        if len(node.elts) < 2:
            raise self.refusal(node, "a tuple has at least two items")
        return Shape("tuple", tuple(self.value(item) for item in node.elts))

    def visit_List(self, node: ast.List) -> Shape:
        """A list of at least one value, all of one shape."""
        if not node.elts:
            raise self.refusal(node, "a list has at least one item")
        first = self.value(node.elts[0])
        for item in node.elts[1:]:
            self.expect(item, first)
        return Shape("list", (first,))

    def visit_ListComp(self, node: ast.ListComp) -> Shape:
        """A list made with one `for`."""
        return Shape("list", (self._made(node),))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Shape:
        """The same, walked once."""
        return Shape("stream", (self._made(node),))

    def _made(self, node: ast.ListComp | ast.GeneratorExp) -> Shape:
        [source, *more] = node.generators
        if more or source.is_async:
            raise self.refusal(node, "a comprehension has one `for`")
        with self.bound(source.target, self.items(source.iter)):
            for test in source.ifs:
                self.expect(test, BOOL)
            return self.value(node.elt)

    def visit_Subscript(self, node: ast.Subscript) -> Shape:
        """`list[i]`, `list[:n]` or `list[n:]`."""
        found = self.value(node.value)
        if found.word != "list":
            raise self.refusal(node, f"{found} has no items by position")
        if not isinstance(node.slice, ast.Slice):
            self.expect(node.slice, INT)
            return found.parts[0]
        ends = [end for end in (node.slice.lower, node.slice.upper) if end]
        if node.slice.step or len(ends) != 1:
            raise self.refusal(node, "a slice is [:n] or [n:]")
        self.expect(ends[0], INT)
        return found

    def visit_Call(self, node: ast.Call) -> Shape:
        """An earlier function, or one of a few built-in ones."""
        if not isinstance(node.func, ast.Name):
            raise self.refusal(node, "only a function is called, by its name")
        if node.func.id == "sorted":
            return self._sorted(node)
        if node.keywords:
            raise self.refusal(node, "arguments are given by position")
        if node.func.id not in self.functions:
            return self._builtin(node, node.func.id)
        parameters, result = self.functions[node.func.id]
        if len(parameters) != len(node.args):
            raise self.refusal(node, "another number of arguments")
        for argument, wanted in zip(node.args, parameters, strict=True):
            self.expect(argument, wanted)
        return result

    def _builtin(self, node: ast.Call, name: str) -> Shape:
        match name, node.args:
            case "sum" | "min" | "max" | "all" | "any", [source]:
                item = BOOL if name in ("all", "any") else INT
                self.same(source, self.items(source), item)
                return item
            case "min" | "max", [left, right]:
                self.expect(left, INT)
                self.expect(right, INT)
                return INT
            case "abs" | "range", [number]:
                self.expect(number, INT)
                return INT if name == "abs" else Shape("stream", (INT,))
            case "len", [source]:
                if self.value(source).word != "list":
                    raise self.refusal(node, "len is taken of lists")
                return INT
            case "enumerate", [source]:
                return Shape("stream", (Shape("tuple", (INT, self.items(source))),))
            case "zip", [left, right]:
                return Shape("stream", (Shape("tuple", (self.items(left), self.items(right))),))
        raise self.refusal(node, "an unknown or later function, or another number of arguments")

    def _sorted(self, node: ast.Call) -> Shape:
        match node:
            case ast.Call(args=[ast.Call(func=ast.Name(id="set"), args=[source], keywords=[])], keywords=[]):
                self.same(source, self.items(source), INT)
                return INTEGERS
            case ast.Call(args=[source], keywords=[]):
                self.same(source, self.items(source), INT)
                return INTEGERS
            case ast.Call(args=[source], keywords=[ast.keyword(arg="key", value=ast.Lambda(args=a, body=key))]):
                return self._sorted_by(source, a, key)
        raise self.refusal(node, "sorted takes one sequence and, if wanted, key=lambda")

    def _sorted_by(self, source: ast.expr, parameters: ast.arguments, key: ast.expr) -> Shape:
        item = self.items(source)
        if not plain(parameters) or len(parameters.args) != 1:
            raise self.refusal(source, "a key is a lambda of one name")
        name = parameters.args[0]
        with self.bound(ast.copy_location(ast.Name(name.arg, ast.Store()), name), item):
            for part in key.elts if isinstance(key, ast.Tuple) and key.elts else [key]:
                self.expect(part, INT)
        return Shape("list", (item,))


def plain(parameters: ast.arguments) -> bool:
    """Whether parameters are given by position, without defaults, stars or bars."""
    p = parameters
    return not (p.posonlyargs or p.kwonlyargs or p.vararg or p.kwarg or p.defaults)
