"""The part of YAML 1.2 that a deployment needs: mappings, lists, texts, whole numbers, true, false and null.

Everything else is refused where it stands, because readers differ on it: numbers outside quotes (1e-6 is a number to
one and a text to another), dates, other spellings of true, keys that stand twice, anchors, merges and tags.
"""

import io
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from dpspin.errors import UsageError

CORE = "tag:yaml.org,2002:"
WHOLE = r"-?(0|[1-9][0-9]{0,17})"
LONGEST_FILE = 2**18
MARK = "\ufeff"
HALVES = re.compile("[\ud800-\udfff]")


def loads(data: bytes, place: str) -> Any:
    """Read one document into dict, list, str, int, bool and None.

    Args:
        data: bytes of the file.
        place: its name, for messages.

    Raises:
        UsageError: naming the line and the field.
    """
    if len(data) > LONGEST_FILE:
        raise UsageError(place, f"longer than {LONGEST_FILE} bytes", "keep data out of it")
    try:
        text = data.decode()
        if text.startswith(MARK):
            raise UsageError(place, "begins with a byte order mark", "save the file as UTF-8 without one")
        node = YAML(typ="safe", pure=True).compose(io.StringIO(text))
        if node is None:
            raise UsageError(place, "empty", "write its fields (see `dpspin schema`)")
        return _value(node, place, "")
    except UnicodeDecodeError as error:
        raise UsageError(place, f"byte {error.start} is not UTF-8", "save the file as UTF-8") from error
    except YAMLError as error:
        raise UsageError(place, _what(error), "correct this line, or put its text in quotes") from error
    except RecursionError as error:
        raise UsageError(place, "too deeply nested", "write a few levels only") from error


def _what(error: YAMLError) -> str:
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        problem = ", ".join(text for text in (error.context, error.problem) if text)
        return f"line {error.problem_mark.line + 1}: {problem}"
    return str(error).splitlines()[0]


def _value(node: Node, place: str, path: str) -> Any:
    """A node as a plain value."""
    if node.anchor is not None:
        raise _refusal(node, place, path, f"an anchor (&{node.anchor})", "write the value out where it is needed")
    if isinstance(node, MappingNode) and node.tag == f"{CORE}map":
        return _mapping(node, place, path)
    if isinstance(node, SequenceNode) and node.tag == f"{CORE}seq":
        return [_value(item, place, f"{path}.{at}".lstrip(".")) for at, item in enumerate(node.value)]
    if isinstance(node, ScalarNode):
        _check_characters(node, place, path)
        return _scalar(node, place, path)
    raise _refusal(node, place, path, f"a tag ({node.tag})", "leave tags out")


def _mapping(node: MappingNode, place: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not (isinstance(key, ScalarNode) and key.tag == f"{CORE}str"):
            raise _refusal(key, place, path, "a key that is not a text", "write the name of a field")
        _check_characters(key, place, path)
        here = f"{path}.{key.value}".lstrip(".")
        if key.value in found:
            raise _refusal(key, place, here, "a key that stands twice", "write each key once")
        found[key.value] = _value(value, place, here)
    return found


def _scalar(node: ScalarNode, place: str, path: str) -> str | int | bool | None:
    text, kind = str(node.value), str(node.tag).removeprefix(CORE)
    if kind == "str":
        return text
    if kind == "null":
        return None
    if kind == "bool" and text in ("true", "false"):
        return text == "true"
    if kind == "int" and node.style is None and re.fullmatch(WHOLE, text, re.ASCII):
        return int(text)
    if kind == "bool":
        raise _refusal(node, place, path, f"cannot use {text!a:.80}", "write true or false, or put a text in quotes")
    if kind in ("int", "float", "timestamp"):
        remedy = "put it in quotes, or write a whole number such as 12"
        raise _refusal(node, place, path, f"cannot use {text!a:.80} outside quotes", remedy)
    raise _refusal(node, place, path, f"a tag ({node.tag})", "leave tags out")


def _check_characters(node: ScalarNode, place: str, path: str) -> None:
    """YAML escapes can write half of a surrogate pair, which no file can hold."""
    if HALVES.search(str(node.value)):
        raise _refusal(node, place, path, "half of a surrogate pair", "write the character itself")


def _refusal(node: Node, place: str, path: str, problem: str, remedy: str) -> UsageError:
    where = f"{place}: line {node.start_mark.line + 1}"
    return UsageError(f"{where}: {path}" if path else where, problem, remedy)
