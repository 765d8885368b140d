"""The kernel's steps as functions from JSON to JSON, for the conformance vectors."""

import inspect
from collections.abc import Callable
from typing import Any

import kernel

NAMES = "highest", "shrink", "contribution", "clip", "add", "sketch", "rounded", "support_bin"


def integers(value: Any) -> Any:
    """Integers, in quotes where they are large, in lists to any depth."""
    if isinstance(value, list):
        return [integers(item) for item in value]
    if isinstance(value, bool | float | None):
        raise TypeError("not an integer")
    return int(value)


def quoted(value: Any) -> Any:
    """Integers of 2^53 or more in quotes."""
    if isinstance(value, list):
        return [quoted(item) for item in value]
    return str(value) if isinstance(value, int) and abs(value) >= 1 << 53 else value


def by_kernel(function: Callable[..., Any]) -> Callable[[dict[str, Any]], Any]:
    """A function of the kernel by the names of its parameters; raises where it does not take the input."""

    def step(given: dict[str, Any]) -> Any:
        values = {key: integers(given[key]) for key in inspect.signature(function).parameters}
        if values.get("denominator", 1) <= 0 or sorted(values.get("cuts", [])) != values.get("cuts", []):
            raise ValueError("a denominator that is not positive, or cuts that do not ascend")
        if any(len(row) != values["width"] for row in [*values.get("vectors", []), *values.get("units", [])]):
            raise ValueError("vectors of unequal lengths")
        return quoted(function(**values))

    return step


STEPS = {name: by_kernel(getattr(kernel, name)) for name in NAMES}
