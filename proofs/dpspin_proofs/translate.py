"""From the kernel's subset of Python to Coq, the same bytes for the same source.

Every function f becomes two definitions: `f`, its value, and `f_safe`, true only where nothing inside f divides by
zero, takes an item out of range, or the least or largest of nothing; where it is true, Python does not raise.
The subset decides what may be said (`dpspin_proofs.subset`); here is only how Coq says it.  Local names get the suffix
`_`, which no name of a module has, so that none of them can mean anything else in Coq.
"""

import ast
import hashlib
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from dpspin.errors import ImpossibleError
from dpspin_proofs.shapes import Shape
from dpspin_proofs.subset import Subset, check

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "({} + {})", ast.Sub: "({} - {})", ast.Mult: "({} * {})", ast.FloorDiv: "({} / {})",
    ast.Mod: "({} mod {})", ast.Lt: "({} <? {})", ast.LtE: "({} <=? {})", ast.Gt: "({} >? {})", ast.GtE: "({} >=? {})",
    ast.Eq: "({} =? {})", ast.NotEq: "(negb ({} =? {}))", ast.In: "(py_in {} {})", ast.NotIn: "(negb (py_in {} {}))",
}  # fmt: skip
IN_COQ = {("min", 2): "Z.min", ("max", 2): "Z.max", ("abs", 1): "Z.abs"}
ATOMS = {"int": ("Z", "0"), "bool": ("bool", "false")}
HEAD = """\
(* Written by dpspin_proofs.translate from {name}, SHA-256
   {digest}.  Do not edit. *)
From Coq Require Import ZArith List Bool.
From DPSPIN Require Import PySem.
Import ListNotations.
Open Scope Z_scope.
"""


class Term(NamedTuple):
    """What Coq computes, and the condition under which Python computes it without raising."""

    value: str
    defined: str = "true"


def translate(source: str, place: str) -> str:
    """The Coq text of a module's source; `place` names its file in messages, and its last part in the translation.

    Raises Refusal for the first piece outside the subset, with file, line and reason.
    """
    for refusal in check(source, place):
        raise refusal
    tree, subset = ast.parse(source), Subset(place)
    subset.module(tree)
    head = HEAD.format(name=place.replace("\\", "/").split("/")[-1], digest=hashlib.sha256(source.encode()).hexdigest())
    wrap = textwrap.TextWrapper(120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False).fill
    return "\n".join(map(wrap, "\n".join([head, *Translator(subset).module(tree)]).splitlines())) + "\n"


class Translator(ast.NodeVisitor):
    """One walk over a module that the subset has accepted."""

    def __init__(self, subset: Subset) -> None:
        self.subset = subset

    def module(self, tree: ast.Module) -> list[str]:
        """Definitions of the constants and functions, in order; aliases are written out where they are used."""
        found = []
        for statement in tree.body:
            match statement:
                case ast.FunctionDef():
                    found.append(self._function(statement))
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))):
                    found.append(f"Definition {name} : Z := {value}.")
        return found

    def _function(self, node: ast.FunctionDef) -> str:
        parameters, result = self.subset.functions[node.name]
        names = [parameter.arg for parameter in node.args.args]
        binders = " ".join(f"({name}_ : {kind(shape)})" for name, shape in zip(names, parameters, strict=True))
        body = node.body[ast.get_docstring(node, clean=False) is not None :]
        value, defined = self._block(body)
        return (
            f"\nDefinition {node.name} {binders} : {kind(result)} :=\n  {value}.\n"
            f"Definition {node.name}_safe {binders} : bool :=\n  {defined}."
        )

    def _block(self, statements: Sequence[ast.stmt]) -> Term:
        match statements:
            case [ast.Return(value=ast.expr() as value)]:
                return self.term(value)
            case [ast.Assign(targets=[target], value=value), *rest]:
                (bound, defined), later, names = self.term(value), self._block(rest), pattern(target)
                then = later.defined if later.defined == "true" else f"(let {names} := {bound} in {later.defined})"
                return Term(f"let {names} := {bound} in\n  {later.value}", both(defined, then))
            case [ast.If(test=test, body=body, orelse=otherwise), *rest]:
                return choice(self.term(test), self._block(body), self._block(otherwise or rest), "\n  ")
        raise ImpossibleError("translate", "a statement that the subset accepts has no translation")

    def term(self, node: ast.expr) -> Term:
        """The translation of an expression."""
        found: Term = self.visit(node)
        return found

    def terms(self, nodes: Sequence[ast.expr]) -> tuple[list[str], str]:
        """Values of several expressions, and the condition under which all are defined."""
        found = [self.term(node) for node in nodes]
        return [term.value for term in found], both(*[term.defined for term in found])

    def generic_visit(self, node: ast.AST) -> Term:
        """Unreachable while every kind of expression of the subset has a method here."""
        raise ImpossibleError("translate", f"{type(node).__name__} has no translation")

    def visit_Name(self, node: ast.Name) -> Term:
        """A constant of the module, or a local name."""
        return Term(node.id if node.id in self.subset.constants else f"{node.id}_")

    def visit_Constant(self, node: ast.Constant) -> Term:
        """An integer or a truth value."""
        return Term(str(node.value).lower())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Term:
        """Negation of a number or of a truth value."""
        value, defined = self.term(node.operand)
        return Term(f"({'Z.opp' if isinstance(node.op, ast.USub) else 'negb'} {value})", defined)

    def visit_BinOp(self, node: ast.BinOp) -> Term:
        """Arithmetic; a divisor is not zero."""
        [left, right], defined = self.terms([node.left, node.right])
        divides = isinstance(node.op, ast.FloorDiv | ast.Mod)
        nonzero = f"negb ({right} =? 0)" if divides else "true"
        return Term(OPERATORS[type(node.op)].format(left, right), both(defined, nonzero))

    def visit_Compare(self, node: ast.Compare) -> Term:
        """A chain of comparisons; defined if all operands are, also those that Python would not reach."""
        values, defined = self.terms([node.left, *node.comparators])
        pairs = zip(node.ops, values, values[1:], strict=False)
        return Term(both(*[OPERATORS[type(op)].format(left, right) for op, left, right in pairs]), defined)

    def visit_BoolOp(self, node: ast.BoolOp) -> Term:
        """`and`, `or`: an operand needs to be defined only where those before it do not decide."""
        conjunction = isinstance(node.op, ast.And)
        found, *rest = map(self.term, node.values)
        for term in rest:
            guard = choice(found, term, Term("")) if conjunction else choice(found, Term(""), term)
            joined = f"({found.value} {'&&' if conjunction else '||'} {term.value})"
            found = Term(joined, guard.defined)
        return found

    def visit_IfExp(self, node: ast.IfExp) -> Term:
        """A choice of values."""
        value, defined = choice(self.term(node.test), self.term(node.body), self.term(node.orelse))
        return Term(f"({value})", defined)

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> Term:
        """A tuple or list written out."""
        values, defined = self.terms(node.elts)
        return Term(f"({', '.join(values)})" if isinstance(node, ast.Tuple) else f"[{'; '.join(values)}]", defined)

    visit_List = visit_Tuple

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> Term:
        """A filter for each condition, then a map."""
        [each] = node.generators
        source, defined = self.term(each.iter)
        names = pattern(each.target)
        for test in each.ifs:
            kept, always = self.term(test)
            defined = both(defined, everywhere(names, always, source))
            source = f"(filter (fun {names} => {kept}) {source})"
        item, always = self.term(node.elt)
        return Term(f"(map (fun {names} => {item}) {source})", both(defined, everywhere(names, always, source)))

    visit_GeneratorExp = visit_ListComp

    def visit_Subscript(self, node: ast.Subscript) -> Term:
        """An item, or a one-sided slice; a negative position counts from the end, as in Python."""
        [end] = (
            [node.slice]
            if not isinstance(node.slice, ast.Slice)
            else filter(None, [node.slice.lower, node.slice.upper])
        )
        [values, position], defined = self.terms([node.value, end])
        if isinstance(node.slice, ast.Slice):
            return Term(f"({'py_upto' if node.slice.upper else 'py_from'} {values} {position})", defined)
        item = self.subset.shapes[node]
        word = "py_index" if item.word == "int" else f"py_item {blank(item)}"
        return Term(f"({word} {values} {position})", both(defined, f"py_index_safe {values} {position}"))

    def visit_Call(self, node: ast.Call) -> Term:
        """A call of an earlier function or of a built-in one."""
        match node:
            case ast.Call(func=ast.Name(id="sorted"), args=[source], keywords=keywords):
                return self._sorted(source, keywords)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                values, defined = self.terms(arguments)
        if name in self.subset.functions:
            return Term(f"({name} {' '.join(values)})", both(defined, f"({name}_safe {' '.join(values)})"))
        some = f"negb (py_len {values[0]} =? 0)" if name in ("min", "max") and len(values) == 1 else "true"
        return Term(f"({IN_COQ.get((name, len(values)), f'py_{name}')} {' '.join(values)})", both(defined, some))

    def _sorted(self, source: ast.expr, keywords: Sequence[ast.keyword]) -> Term:
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "set":
            [values], defined = self.terms(source.args)
            return Term(f"(py_sorted (fun x => [x]) (py_set {values}))", defined)
        values, defined = self.term(source)
        if not keywords:
            return Term(f"(py_sorted (fun x => [x]) {values})", defined)
        [by_key] = [word.value for word in keywords if isinstance(word.value, ast.Lambda)]
        name, key = f"{by_key.args.args[0].arg}_", by_key.body
        parts, always = self.terms(key.elts if isinstance(key, ast.Tuple) else [key])
        by = f"(fun {name} => [{'; '.join(parts)}])"
        return Term(f"(py_sorted {by} {values})", both(defined, everywhere(name, always, values)))


def both(*conditions: str) -> str:
    """Conjunction of conditions, without the trivial ones."""
    kept = [condition for condition in conditions if condition != "true"]
    return f"({' && '.join(kept)})" if len(kept) > 1 else "".join(kept) or "true"


def choice(test: Term, yes: Term, no: Term, space: str = " ") -> Term:
    """One of two terms; defined if the test is, and the term that it chooses."""
    same = yes.defined == no.defined == "true"
    chosen = "true" if same else f"(if {test.value} then {yes.defined} else {no.defined})"
    return Term(f"if {test.value} then {yes.value}{space}else {no.value}", both(test.defined, chosen))


def everywhere(names: str, condition: str, source: str) -> str:
    """A condition for all items of a sequence."""
    return condition if condition == "true" else f"forallb (fun {names} => {condition}) {source}"


def pattern(target: ast.expr) -> str:
    """The names that a target binds."""
    names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
    return f"'({', '.join(f'{name}_' for name in names)})" if len(names) > 1 else f"{names[0]}_"


def kind(shape: Shape) -> str:
    """The type of a shape."""
    if shape.word in ATOMS:
        return ATOMS[shape.word][0]
    parts = [kind(part) for part in shape.parts]
    return f"(list {parts[0]})" if shape.word == "list" else f"({' * '.join(parts)})%type"


def blank(shape: Shape) -> str:
    """Some value of a shape: what an item out of range is read as, where `f_safe` is false."""
    if shape.word in ATOMS:
        return ATOMS[shape.word][1]
    return "[]" if shape.word == "list" else f"({', '.join(map(blank, shape.parts))})"
