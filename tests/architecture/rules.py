"""The house rules, each a function from source text to findings, so that a planted fault can be shown to break it."""

import ast
import builtins
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(
    ROOT / folder
    for folder in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "packages"
    ]
)
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS = 250, 40, 5
BANNED = {"data2", "helper", "helpers", "manager", "safe", "util", "utils"}
NOT_ATOMS = {"cluster", "clusters", "topic", "topics"}
FORBIDDEN = re.compile(r"(?<!non-)\bprivate plan|\bpassed DP\b|\bDP[- ]compliant\b", re.IGNORECASE)
MACHINE = re.compile(r"(?<![\w.~-])/(?:home|root|Users|work|tmp)/|\b[A-Z]:\\\\?Users")
ERRORS = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


class Finding(NamedTuple):
    """A broken rule: the line, the subject that an exception would name, and what to do instead."""

    line: int
    subject: str
    remedy: str


Rule = Callable[[str], Iterator[Finding]]


def shipped() -> list[Path]:
    """Every module that the wheel holds."""
    return sorted(path for package in PACKAGES for path in package.rglob("*.py"))


def definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Every function and class with its dotted name, nested ones included."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield prefix + node.name, node
            yield from definitions(node, f"{prefix}{node.name}.")
        else:
            yield from definitions(node, prefix)


def functions(text: str) -> list[tuple[str, Function]]:
    """Every function with its dotted name."""
    return [(name, node) for name, node in definitions(ast.parse(text)) if isinstance(node, Function)]


def length(node: Function) -> int:
    """Lines from `def` to the end, docstring left out."""
    docstring = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
    return _lines(node) - (_lines(docstring) if docstring else 0)


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def asserts(text: str) -> Iterator[Finding]:
    """Shipped code never asserts: `python -O` would delete the check."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assert):
            yield Finding(node.lineno, "assert", "raise a class of dpspin.errors")


def type_checking(text: str) -> Iterator[Finding]:
    """Imports for annotations alone hide cycles."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name | ast.Attribute | ast.alias) and "TYPE_CHECKING" in ast.unparse(node):
            yield Finding(node.lineno, "TYPE_CHECKING", "import at the top of the file")


def raises(text: str) -> Iterator[Finding]:
    """No built-in exception is raised, and no class without saying what happened.

    ValueError may be raised where it cannot reach a caller: in a function whose name begins with an underscore, in a
    module that catches it, or ValidationError, into which pydantic turns it.
    """
    tree = ast.parse(text)
    caught = {ast.unparse(node.type) for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.type}
    contained = any(re.search(r"\b(ValueError|ValidationError)\b", names) for names in caught)
    inner = {
        id(node): name for name, outer in definitions(tree) if isinstance(outer, Function) for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc:
            raised = ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
            private = inner.get(id(node), "").split(".")[-1].startswith("_")
            if raised in ERRORS and not (raised == "ValueError" and private and contained):
                yield Finding(node.lineno, raised, "raise a class of dpspin.errors")
            elif not isinstance(node.exc, ast.Call) and raised.split(".")[-1][0].isupper():
                yield Finding(node.lineno, raised, "say what happened, with its values")


def undocumented(text: str) -> Iterator[Finding]:
    """Every module, and every public class and function in it, says what it is."""
    tree = ast.parse(text)
    if not ast.get_docstring(tree):
        yield Finding(1, "module", "write a docstring")
    inside = {name for name, node in definitions(tree) if isinstance(node, Function)}
    for name, node in definitions(tree):
        local = any(name.startswith(f"{outer}.") for outer in inside)
        if not local and not any(part.startswith("_") for part in name.split(".")) and not ast.get_docstring(node):
            yield Finding(node.lineno, name, "write a docstring")


def late_imports(text: str) -> Iterator[Finding]:
    """Imports stand at the top, where the layers can be read; so do imports by name."""
    for _, outer in functions(text):
        for node in ast.walk(outer):
            if isinstance(node, ast.Import):
                yield Finding(node.lineno, node.names[0].name, "import at the top of the file")
            elif isinstance(node, ast.ImportFrom):
                yield Finding(node.lineno, node.module or ".", "import at the top of the file")
            elif isinstance(node, ast.Call) and re.search(r"\b(import_module|__import__)$", ast.unparse(node.func)):
                yield Finding(node.lineno, "import_module", "import at the top of the file")


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a source introduces: of definitions, parameters, variables, attributes and aliases."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def words(name: str) -> set[str]:
    """Lower-case words of a snake_case or CamelCase name."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+", name)}


def banned_names(text: str) -> Iterator[Finding]:
    """Names are words of the field, never a place to put things."""
    for line, name in bound_names(ast.parse(text)):
        if words(name) & BANNED or {"private", "plan"} <= words(name):
            yield Finding(line, name, "choose a word of NOTATION.md")


def atoms_by_another_name(text: str) -> Iterator[Finding]:
    """What the paper calls an atom is called an atom."""
    for line, name in bound_names(ast.parse(text)):
        if words(name) & NOT_ATOMS:
            yield Finding(line, name, "call it an atom")


def tests_that_prove(text: str) -> Iterator[Finding]:
    """A test shows, it does not prove."""
    for line, name in bound_names(ast.parse(text)):
        if words(name) & {"prove", "proved", "proven", "proves"}:
            yield Finding(line, name, "say what the test shows")


def long_functions(text: str) -> Iterator[Finding]:
    """A function fits on a screen."""
    for name, node in functions(text):
        if length(node) > LONGEST_FUNCTION:
            yield Finding(node.lineno, name, f"split it: {length(node)} lines, at most {LONGEST_FUNCTION}")


def crowded_signatures(text: str) -> Iterator[Finding]:
    """Few parameters, self and cls left out; those of a command are its options, and not counted."""
    for name, node in functions(text):
        if any(re.search(r"\bcommand\(", ast.unparse(decorator)) for decorator in node.decorator_list):
            continue
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        count = len(names) - (names[:1] in (["self"], ["cls"]))
        if count > MOST_PARAMETERS:
            yield Finding(node.lineno, name, f"group them: {count} parameters, at most {MOST_PARAMETERS}")


def long_files(text: str) -> Iterator[Finding]:
    """A file is read in one sitting."""
    lines = len(text.splitlines())
    if lines > LONGEST_FILE:
        yield Finding(lines, "file", f"split it: {lines} lines, at most {LONGEST_FILE}")


def wording(text: str) -> Iterator[Finding]:
    """Nothing is called private, or passed, that is not."""
    yield from _matches(text, FORBIDDEN, "say what was released, or what was checked")


def machine_paths(text: str) -> Iterator[Finding]:
    """Nothing depends on one machine's folders."""
    yield from _matches(text, MACHINE, "write a path relative to the project")


def _matches(text: str, pattern: re.Pattern[str], remedy: str) -> Iterator[Finding]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in pattern.finditer(line):
            yield Finding(number, match.group(), remedy)


def more_than_names(text: str) -> Iterator[Finding]:
    """A package's `__init__` hands names on; whatever computes stands in a module with a test."""
    for node in ast.parse(text).body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Import() | ast.ImportFrom():
                continue
            case ast.Assign(targets=[ast.Name(id="__all__" | "__version__")]):
                continue
        yield Finding(node.lineno, ast.unparse(node).splitlines()[0], "move it to a module")


def test_of(module: str) -> str:
    """Where a module's test stands: reference/dpspin/curator/noise.py has tests/reference/curator/test_noise.py."""
    root, _, *folders, name = module.split("/")
    return "/".join(["tests", root, *folders, f"test_{name}"])
