"""Every figure of an audit as CSV, one line each: check, figure, value, unit, strength, confidence (RFC 4180)."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin.decimals import exact
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.formats.words import cell
from dpspin_audits.report.tree import Node


class Figure(NamedTuple):
    """One number, as evidence writes it."""

    check: str
    """Id of the check, or the part of evidence: claim, deployment, accounting, utility."""
    figure: str
    """Path of the number within it."""
    value: str
    unit: str
    """What one is; empty for a bare number."""
    strength: str
    confidence: str
    """For a statistical figure, the probability that its bound holds; empty for others."""


NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|-?[0-9]+/[1-9][0-9]*")
"""A number as the schema of evidence has it."""
NAMES = re.compile(r"version|seal|.*sha256|coq|tool")
"""Identities that may look like numbers."""
UNITS = (
    ("nat", r"epsilon|epsilon_at_least|detectable|pure|implied_epsilon_at_least|certified|claimed|stated"),
    ("nat^2", r"rho"),
    ("standard deviation", r"mu|mu_at_least"),
    ("probability", r"delta|alpha|noise_beta|probability|delta_at_most|false_alarm|miss|assumed_delta|claimed_delta"),
    ("mass", r"mass_bound|noise_floor|margin|value|scale|selection_error|value_error"),
    ("run", r"runs|guessed|right|reached"),
    ("log10", r"wealth"),
)
"""Units by the last name of a path."""
PARTS = (
    ("claim", ("mass_bound", "epsilon", "delta", "scale", "exponent"), "declared"),
    ("deployment", ("max_atoms", "universe_size", "plan_size", "public_denominator", "noise_floor", "margin",
                    "noise_beta", "sampling_rate", "selection_share"), "declared"),
)  # fmt: skip
BOUNDS = (("claimed", "declared"), ("universe", "declared"), ("total", "declared"), ("accounted", "exact"),
          ("alternatives", "exact"), ("lower", "exact"),
          ("curve", "exact"), ("measured", "statistical"), ("second_opinion", "exact_on_hit"),
          ("charge", "declared"), ("budget", "declared"))  # fmt: skip


def encode(evidence: Evidence) -> bytes:
    """The table in UTF-8, with a line of names."""
    return table(Figure._fields, figures(evidence))


def table(names: tuple[str, ...], rows: "Iterator[Figure] | list[tuple[str, ...]]") -> bytes:
    """Rows of text as RFC 4180 has them; nothing in them is a formula."""
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([cell(value) for value in row] for row in rows)
    return into.getvalue().encode()


def figures(evidence: Evidence) -> Iterator[Figure]:
    """All numbers, in the order of the report."""
    root = evidence.root
    for part, names, strength in PARTS:
        kept = {name: root.node(part).tree.get(name) for name in names}
        yield from _leaves(part, kept, (), strength, "")
    accounting = root.node("accounting")
    for name, strength in BOUNDS:
        found = {name: accounting.tree.get(name)}
        yield from _leaves("accounting", found, (), strength, _level(accounting, name))
    for node in root.nodes("checks"):
        yield from _leaves(node.text("id"), node.tree.get("figures"), (), node.text("strength"), "")
    utility = root.maybe_node("utility")
    if utility:
        yield from _leaves("utility", utility.tree, (), "exact", "")


def _level(accounting: Node, name: str) -> str:
    found = accounting.maybe_node("measured") if name == "measured" else None
    return exact(1 - found.number("alpha")) if found else ""


def _leaves(check: str, tree: Any, path: tuple[str, ...], strength: str, confidence: str) -> Iterator[Figure]:
    """Numbers below a part of evidence; an alpha beside them sets their confidence."""
    if isinstance(tree, Mapping):
        own = tree.get("alpha")
        if strength == "statistical" and isinstance(own, str) and NUMBER.fullmatch(own):
            confidence = exact(1 - Fraction(own))
        for key, item in tree.items():
            if NAMES.fullmatch(key):
                continue
            yield from _leaves(check, item, (*path, key), strength, confidence)
    elif isinstance(tree, list):
        for at, item in enumerate(tree):
            yield from _leaves(check, item, (*path, str(at)), strength, confidence)
    elif _is_number(tree):
        name = next((word for word in reversed(path) if not word.isdigit()), "")
        yield Figure(check, ".".join(path), str(tree), _unit(name), strength, confidence)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | Fraction) or (isinstance(value, str) and bool(NUMBER.fullmatch(value)))


def _unit(name: str) -> str:
    return next((unit for unit, pattern in UNITS if re.fullmatch(pattern, name)), "")
