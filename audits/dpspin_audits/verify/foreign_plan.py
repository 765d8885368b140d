"""A stranger's plan: public parts, charged masses, what follows from them, and what nothing accounts for.

A mass is charged with all its digits, and digits are accounted for where they lie on a lattice (`digits`).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dpspin import plan
from dpspin.decimals import exact
from dpspin.errors import DpspinError
from dpspin.plan_file import PlanFile
from dpspin_audits import digits
from dpspin_audits.verify import foreign_fields
from dpspin_audits.verify.finding import Finding, brief, suspicion, traces
from dpspin_audits.verify.foreign_fields import DECLARE, Part, nothing
from dpspin_audits.verify.plan import STAMPS

PUBLIC = tuple(
    field.alias or name
    for name, field in PlanFile.model_fields.items()
    if name not in {"released", "epsilon", "delta", "stamp"}
)
"""Fields that are fixed before data."""
NUMBERS = ("plan_size", "public_denominator", "noise_floor", "margin")
"""Those of them that settings may state as well."""
LONGEST_WORD = 40
"""Characters of an id or of the name of a mechanism; no sentence fits."""


def part(name: str, tree: dict[str, Any], config: Any) -> Part:
    """Account for every field of a plan."""
    found = Part([], [])
    stated = _stated(config)
    for field in (field for field in PUBLIC if field in tree):
        _judge(found, f"{name}: {field}", ("public", "declared"), list(_declared(field, tree[field], stated)))
    steps = digits.steps(stated.get("granularity", ()))
    _judge(found, f"{name}: released masses", *_charged(tree, config, steps))
    _judge(
        found, f"{name}: labels, supports, bins, ranks", ("post-processing", "derived"), _contrary(name, tree, config)
    )
    stamp = [] if _is_known(tree.get("stamp"), stated) else [("stamp", brief(tree["stamp"]))]
    if tree.get("stamp") is not None:
        _judge(found, f"{name}: stamp", ("public", "declared"), stamp)
    for path, field in foreign_fields.strange(tree):
        _judge(found, f"{name}: {path}", ("", ""), [(suspicion(field), f"{path}, a field that no plan has")])
    return found


Problem = tuple[str, str] | tuple[str, str, str]
"""Rule, what stands there, and what to do where that is another thing than usual."""
REMEDIES = {
    "charge": "charge the release; say epsilon and delta",
    "does not follow": "compute it from the masses and the declared parameters",
}


def _judge(found: Part, name: str, cover: tuple[str, str], problems: Sequence[Problem]) -> None:
    """One object, covered unless there is a problem."""
    found.objects.append(nothing(name) if problems else (name, *cover))
    file = name.partition(":")[0]
    for rule, what, *remedy in problems:
        found.findings.append(Finding(file, None, rule, what, remedy[0] if remedy else REMEDIES.get(rule, DECLARE)))


def _charged(tree: dict[str, Any], config: Any, steps: Sequence[Fraction]) -> tuple[tuple[str, str], list[Problem]]:
    """How the masses are covered, and what is wrong with their charge and their digits."""
    loss, problem = foreign_fields.loss(tree, config)
    masses = digits.masses(tree)
    off = digits.problem(masses, steps)
    problems: list[Problem] = [("charge", problem)] if problem else []
    problems += [("low-order digits", off.found, off.remedy)] if off else []
    lattice = "; multiples of the declared granularity" if digits.needs(masses, steps) else ""
    return ("dp", f"{loss}{lattice}"), problems


def _stated(config: Any) -> dict[str, set[object]]:
    """Values of the settings by the names of their fields."""
    found: dict[str, set[object]] = {}
    for _, field, value in foreign_fields.leaves(config, ""):
        found.setdefault(field, set()).add(value)
    return found


def _is_known(text: object, stated: dict[str, set[object]]) -> bool:
    return text in STAMPS or any(text in values for values in stated.values())


def _declared(field: str, value: Any, stated: dict[str, set[object]]) -> Iterator[tuple[str, str]]:
    """What is wrong with a public field: it contradicts the settings, or says something of records."""
    if field in NUMBERS:
        others = {number for one in stated.get(field, ()) if (number := digits.number(one)) is not None}
        if others and digits.number(value) not in others:
            yield "not as declared", f"{field}: {brief(value)}, where the settings have {exact(min(others))}"
    if field == "mechanism" and isinstance(value, str):
        kinds = {one.casefold() for one in stated.get(field, ()) if isinstance(one, str)}
        if kinds and value.casefold() not in kinds:
            yield "not as declared", f"{field}: {brief(value)}, where the settings have {brief(min(kinds))}"
    if field in {"mechanism", "plan_id"} and isinstance(value, str) and len(value) > LONGEST_WORD:
        yield "unknown", f"{field}: {brief(value)}, longer than any name"
    if field != "universe":
        for path, _, words in foreign_fields.leaves(value, field):
            yield from ((kind, f"{path}: {brief(found)}") for kind, found in traces(str(words)) if path != "plan_id")


def _contrary(name: str, tree: dict[str, Any], config: Any) -> list[tuple[str, str]]:
    """What does not follow from the masses, if anything."""
    try:
        plan.from_tree(foreign_fields.plain(tree, config), name)
    except DpspinError as error:
        return [("does not follow", brief(str(error)))]
    return []
