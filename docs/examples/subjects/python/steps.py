"""Deterministic steps as functions from JSON to JSON, for the conformance vectors."""

import inspect
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import kernel
import plans

Input = Mapping[str, Any]
EXACT = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,2})?|-?[0-9]{1,400}/[1-9][0-9]{0,399}", re.ASCII)
KERNEL = (
    "highest", "shrink", "contribution", "clip", "add", "sketch", "user_sketch", "rounded", "compare", "support_bin",
    "rank_of", "mass_of", "is_admitted", "claim_supported",
)  # fmt: skip


def integers(value: Any) -> Any:
    """Integers, in quotes where they are large, in lists to any depth."""
    if isinstance(value, list):
        return [integers(item) for item in value]
    if isinstance(value, bool | float | None):
        raise TypeError("not an integer")
    return int(value)


def exactly(value: Any) -> Fraction:
    """A number as people write it."""
    if not EXACT.fullmatch(str(value)):
        raise ValueError("not an exact number")
    return Fraction(str(value))


def by_kernel(name: str) -> Callable[[Input], Any]:
    """A function of the kernel by the names of its parameters."""
    function = getattr(kernel, name)
    known = inspect.signature(function).parameters

    def step(given: Input) -> Any:
        values = {key: integers(given[key]) for key in known}
        rows = [*values.get("vectors", []), *values.get("units", []), *(row for _, row in values.get("records", []))]
        if values.get("denominator", 1) <= 0 or sorted(values.get("cuts", [])) != values.get("cuts", []):
            raise ValueError("a denominator that is not positive, or cuts that do not ascend")
        if any(len(row) != values["width"] for row in rows):
            raise ValueError("vectors of unequal lengths")
        return quoted(function(**values))

    return step


def quoted(value: Any) -> Any:
    """Integers of 2^53 or more in quotes."""
    if isinstance(value, list):
        return [quoted(item) for item in value]
    return str(value) if isinstance(value, int) and abs(value) >= 1 << 53 else value


def grouping(given: Input) -> list[list[int]]:
    """Positions of the records of each unit: equal ids, code point by code point; empty ones are missing."""
    if given["on_missing_user"] not in ("drop", "own_unit"):
        raise ValueError("no such policy")
    groups: dict[object, list[int]] = {}
    for at, name in enumerate(given["ids"]):
        if name is not None and not isinstance(name, str):
            raise TypeError("an id that is no text")
        if name:
            groups.setdefault(name, []).append(at)
        elif given["on_missing_user"] == "own_unit":
            groups[at] = [at]
    return list(groups.values())


def bounds(given: Input) -> dict[str, Fraction]:
    """How far one unit moves the sketch (docs/spec.md section 2)."""
    bound, size, twice = exactly(given["mass_bound"]), given["universe_size"], given["adjacency"] == "replacement"
    if bound <= 0 or size <= 0 or given["adjacency"] not in ("add_drop", "replacement"):
        raise ValueError("no such sensitivity")
    factor = 2 if twice and size > 1 else 1
    spread = factor * bound if size > 1 else Fraction(0)
    return {"l1": factor * bound, "l2_squared": factor * bound**2, "coordinate": bound, "spread": spread}


def laplace_scale(given: Input) -> str:
    """b = Delta_1 / epsilon."""
    if exactly(given["epsilon"]) <= 0:
        raise ValueError("epsilon is not positive")
    return plans.exact(bounds(given)["l1"] / exactly(given["epsilon"]))


def ledger_sum(given: Input) -> dict[str, Any]:
    """Totals of what fits into the budget."""
    spent, fitted = {"epsilon": Fraction(0), "delta": Fraction(0)}, []
    for charge in given["charges"]:
        more = {name: total + exactly(charge[name]) for name, total in spent.items()}
        fitted.append(all(more[name] <= exactly(given["budget"][name]) for name in more))
        spent = more if fitted[-1] else spent
    return {name: plans.exact(total) for name, total in spent.items()} | {"fitted": fitted}


STEPS: dict[str, Callable[[Input], Any]] = {name: by_kernel(name) for name in KERNEL} | {
    "grouping": grouping,
    "sensitivity": lambda given: {name: plans.exact(value) for name, value in bounds(given).items()},
    "laplace_scale": laplace_scale,
    "ledger_sum": ledger_sum,
    "transcript": lambda given: plans.transcript(given["objects"]),
}
