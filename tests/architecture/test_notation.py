"""NOTATION.md names what exists: every name of code can be imported, every deployment field is there and no other."""

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from rules import ROOT

from dpspin.deployment import Deployment

PAGE = (ROOT / "NOTATION.md").read_text(encoding="utf-8")


def column(page: str, title: str) -> list[str]:
    """Every name in backticks in the columns of this title."""
    found: list[str] = []
    header: list[str] = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        header = (header or cells) if cells else []
        if title in header and cells is not header:
            found += re.findall(r"`([^`]+)`", cells[header.index(title)])
    return found


def exists(name: str) -> bool:
    """Whether a dotted name leads from a module to an attribute, a field of a class or, in brackets, a parameter."""
    dotted, _, parameter = name.rstrip(")").partition("(")
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if part not in getattr(found, "__annotations__", {}) and not hasattr(found, part):
                return False
            found = getattr(found, part, None)
        return not parameter or parameter in inspect.signature(found).parameters
    return False


def fields(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Dotted paths of all settings of a model, as they are written in the file."""
    for name, field in model.model_fields.items():
        path = prefix + (field.alias or name)
        inner = list(models(field.annotation))
        yield from (deeper for each in inner for deeper in fields(each, f"{path}.")) if inner else [path]


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models inside an annotation."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models(argument)


@pytest.mark.parametrize("name", column(PAGE, "Code"))
def test_every_name_of_code_exists(name: str) -> None:
    assert exists(name)


def test_every_deployment_field_is_named_and_no_other() -> None:
    assert set(column(PAGE, "Deployment field")) == set(fields(Deployment))


def test_the_page_is_read_at_all() -> None:
    assert "dpspin.kernel.clip(bound)" in column(PAGE, "Code")
    assert {"mechanism.em_mode", "plan.bins.from", "user.id_field", "schema"} <= set(fields(Deployment))


@pytest.mark.parametrize(
    "name",
    [
        "dpspin.kernel.clamp",
        "dpspin.kernels.clip",
        "dpspin.kernel.clip(limit)",
        "dpspin.plan.PlanTerms.masses",
        "dpspin.mechanism.Laplace.scale",
        "nowhere.clip",
    ],
)
def test_a_planted_wrong_name_is_found(name: str) -> None:
    page = f"| Symbol | Code |\n|---|---|\n| B | `{name}` |\n"
    assert column(page, "Code") == [name]
    assert not exists(name)


def test_a_column_ends_with_its_table() -> None:
    page = "| Code |\n|---|\n| `a` |\n\n| Other |\n|---|\n| `b` |\n"
    assert column(page, "Code") == ["a"]
