"""Fields of a stranger's settings and plan: which are public, and which speak of records."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel

from dpspin.errors import UsageError
from dpspin.plan_file import AtomRow, BinRow, Digits, PlanFile, ReleasedRow
from dpspin_audits.digits import number
from dpspin_audits.verify.declared import line_of
from dpspin_audits.verify.finding import Finding, brief, suspicion, traces

KEEP = "keep it with the curator, and out of what is released"
DECLARE = "declare it before data, or keep it with the curator"
PUBLIC = {"plan_size", "universe_size", "public_denominator", "noise_beta", "noise_floor", "declared_at"}
"""Fields that are public although their names might speak of something else."""
PUBLIC_FILES = ("universe", "weights", "auxiliary", "prompt")
"""Digests of these say nothing about records."""
COUNTED = {"seed", "record count", "curator's metrics", "time stamp"}
"""What only a number can be: a name without one says nothing."""
MOST_LEAVES, DEEPEST = 200_000, 60
ROWS: dict[str, type[BaseModel]] = {"universe": AtomRow, "released": ReleasedRow, "bins": BinRow}


class Part(NamedTuple):
    """What was made of one file."""

    objects: list[tuple[str, str, str]]
    """Name, role, and what covers it."""
    findings: list[Finding]


def nothing(name: str) -> tuple[str, str, str]:
    """An object that nothing accounts for."""
    return name, "unaccounted", "nothing"


def leaves(tree: Any, path: str) -> Iterator[tuple[str, str, Any]]:
    """Path, field name and value of every scalar; a list's items have the name of the list.

    Raises:
        UsageError: when there are too many, or they lie too deep: aliases of YAML can be without end.
    """
    for count, leaf in enumerate(_leaves(tree, path)):
        if count >= MOST_LEAVES:
            raise UsageError(path or "the bundle", f"more than {MOST_LEAVES} values", "write them once")
        yield leaf


def _leaves(tree: Any, path: str) -> Iterator[tuple[str, str, Any]]:
    if path.count(".") > DEEPEST:
        raise UsageError(path[:40], f"more than {DEEPEST} levels", "write fewer")
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, next((step for step in reversed(path.split(".")) if not step.isdecimal()), ""), tree


def settings(name: str, data: bytes, tree: Any) -> Part:
    """Every setting: public, or unaccounted where name, value or comment speak of records, seeds, times or machines."""
    found = Part([], list(_comments(name, data)))
    for path, field, value in leaves(tree, ""):
        kind = _kind(path, field, value)
        found.objects.append((f"{name}: {path}", *(("unaccounted", "nothing") if kind else ("public", "declared"))))
        if kind:
            found.findings.append(Finding(name, line_of(data, path), kind, f"{path}: {brief(value)}", KEEP))
    return found


def _kind(path: str, field: str, value: object) -> str | None:
    """What a setting speaks of besides the settings, or None."""
    given = next((trace for trace in traces(str(value)) if not path.startswith(PUBLIC_FILES)), None)
    kind = suspicion(field)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if field not in PUBLIC and kind in COUNTED and (is_number or any(map(str.isdecimal, str(value)))):
        return kind
    return given and given[0]


def _comments(name: str, data: bytes) -> Iterator[Finding]:
    for line_number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        for kind, words in traces(line.partition(" #")[2] or (line if line.startswith("#") else "")):
            yield Finding(name, line_number, kind, brief(words), "leave it out")


def strange(tree: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Fields of a plan that no plan has: path and name."""
    yield from ((field, field) for field in tree if field not in _fields(PlanFile))
    for name, row in ROWS.items():
        rows = tree.get(name)
        for at, one in enumerate(rows if isinstance(rows, list) else []):
            found = set(one) - _fields(row) if isinstance(one, dict) else set()
            yield from ((f"{name}.{at}.{field}", field) for field in sorted(found))
    display = tree.get("display")
    extra = set(display) - _fields(Digits) if isinstance(display, dict) else set()
    yield from ((f"display.{field}", field) for field in sorted(extra))


def plain(tree: dict[str, Any], config: Any) -> dict[str, Any]:
    """The plan without fields that no plan has; what it leaves to the settings is taken from there.

    Where neither has epsilon or delta, which is a finding of its own, 1 and 0 stand for them.
    """
    kept = _known(tree, PlanFile)
    for name, row in ROWS.items():
        if isinstance(kept.get(name), list):
            kept[name] = [_known(one, row) for one in kept[name]]
    if "display" in kept:
        kept["display"] = _known(kept["display"], Digits)
    return {"plan_id": "", "mechanism": "", "epsilon": "1", "delta": "0", **_stated(config), **kept}


def loss(tree: dict[str, Any], config: Any) -> tuple[str | None, str]:
    """What the masses are charged, and what is wrong with it: the one is None where the other says something."""
    said, stated, found = tree, _stated(config), []
    for field in ("epsilon", "delta"):
        numbers = {number(place[field]) for place in (said, stated) if field in place} - {None}
        if not numbers:
            return None, f"no {field}, in the plan or in the settings: the released masses are not charged"
        if len(numbers) > 1:
            return None, f"{field}: {brief(said[field])} in the plan, {brief(stated[field])} in the settings"
        found.append(f"{field} {said.get(field, stated.get(field))}")
    return f"charge: {', '.join(found)}", ""


def _stated(config: Any) -> dict[str, Any]:
    """Epsilon and delta of the settings, wherever they stand."""
    found = {field: value for _, field, value in leaves(config, "") if field in {"epsilon", "delta"}}
    return {field: str(value) for field, value in found.items() if number(value) is not None}


def _known(row: Any, model: type[BaseModel]) -> Any:
    return {field: value for field, value in row.items() if field in _fields(model)} if isinstance(row, dict) else row


def _fields(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}
