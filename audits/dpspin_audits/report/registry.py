"""Section 11: the fields of an entry in the Differential Privacy Deployments Registry, filled in from evidence."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from dpspin_audits.report import built, coverage
from dpspin_audits.report.case import Case
from dpspin_audits.report.claim import change
from dpspin_audits.report.coverage import Coverage
from dpspin_audits.report.mechanism import mechanism
from dpspin_audits.report.numerals import at_most, number, percent, upper
from dpspin_audits.report.prose import Text, code, joined, label, text
from dpspin_audits.report.tables import Body, Column, Row, Table

COLUMNS = (
    Column("Field", names_row=True),
    Column("Tier", "r", "tier"),
    Column("Entry", "half", "entry:"),
    Column("State"),
    Column("By", "ids", "by"),
)
LOSSES = ("variant_name", "privacy_parameters")
"""Fields that hold the loss, of a charged universe too."""
UNSTATED = text("to be filled in by the deployer")


class Field(NamedTuple):
    """One field, as `registry.toml` explains."""

    path: str
    tier: int
    title: str
    checks: list[str]
    otherwise: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


class Entry(NamedTuple):
    """A field with its value and what stands behind it."""

    field: Field
    value: Text
    """Empty where the evidence says nothing."""
    coverage: Coverage


@cache
def fields() -> tuple[Field, ...]:
    """All fields, in the order of the public template."""
    found = files("dpspin_audits.report").joinpath("registry.toml").read_text(encoding="utf-8")
    return tuple(Field(**row) for row in tomllib.loads(found)["field"])


def _description(case: Case) -> Text:
    deployment = case.deployment
    size, released = deployment.count("universe_size"), deployment.count("plan_size")
    themes = f"A plan: noisy masses of {min(size, released):,} of {size:,} themes"
    origin = ", from generated records" if deployment.flag("synthetic") else ""
    return text(f"{themes}, and a summary of it{origin}")


def _unprotected(case: Case) -> Text:
    public = [exposure.text("name") for exposure in case.root.nodes("exposures") if _is_public(exposure.tree)]
    said = text("public files fixed before data: ", coded(public)) if public else text("public files: not listed")
    parts = [said, text("the deployment’s parameters")]
    if case.claim.text("adjacency") == "replacement":
        parts.append(text(f"the number of {case.losses.unit}s"))
    if case.losses.outside:
        parts.append(text("not covered, and a finding: ", coded(list(case.losses.outside))))
    return joined(parts, "; ", "; ")


def _is_public(exposure: Mapping[str, object]) -> bool:
    return exposure.get("role") == "public"


def _unit(case: Case) -> Text:
    return text("user (all records of one user id)" if case.losses.unit == "user" else "record")


def _adjacent(case: Case) -> Text:
    bound = number(case.claim.number("mass_bound"))
    return text(f"corpora that differ by {change(case)}; each unit adds a mass of at most ", bound)


def _variant(case: Case) -> Text:
    return text("Approximate DP" if case.exposed[1] else "Pure DP")


def _parameters(case: Case) -> Text:
    epsilon, most = case.exposed
    delta = text(", δ\u00a0=\u00a0", number(most)) if most else ()
    shown = text("ε\u00a0=\u00a0", number(epsilon), delta)
    if case.built is None:
        return shown
    parts = built.loss(case.losses.claimed, case.losses.delta), built.loss(case.built.epsilon, case.built.delta)
    return text(shown, ": the release ", parts[0], ", its themes ", parts[1], " as declared")


def _other(case: Case) -> Text:
    curve = case.root.node("accounting").maybe_node("curve")
    if curve is None:
        return ()
    return text(
        "ρ ≤\u00a0", upper(curve.number("rho")), ", μ ≤\u00a0", upper(curve.number("mu")), " of the stated noise"
    )


def _releases(case: Case) -> Text:
    budget = case.root.node("accounting").node("budget")
    allowed = text("ε\u00a0", number(budget.number("epsilon")), ", δ\u00a0", number(budget.number("delta")))
    name = label(case.deployment.text("population"))
    return text("one release; all releases over the population ", name, " may cost ", allowed, " together")


def _prepared(case: Case) -> Text:
    date = label(case.deployment.text("declared_at"))
    if case.built:
        cost = built.loss(case.built.epsilon, case.built.delta)
        return text("parameters and bins were chosen before data were read; themes were built from the records, at ",
                    cost, " of their own; declared ", date)  # fmt: skip
    return text("parameters, themes and bins were chosen before data were read; declared ", date)


def _after(case: Case) -> Text:
    deployment = case.deployment
    writer = text("a summary by the writer ", code(deployment.text("decoder")))
    tries = f"at most {deployment.count('max_attempts'):,} attempts, checked against the plan"
    return text("supports, bins and ranks; ", writer, f", {tries}")


def _useful(case: Case) -> Text:
    floor, chance = at_most(case.deployment.number("noise_floor"), 2), percent(1 - case.deployment.number("noise_beta"))
    if case.root.maybe_node("utility") is None:
        return ()
    return text(f"noise of {case.noised} is at most {floor} in units of mass, with probability at least {chance}")


VALUES: Mapping[str, Callable[[Case], Text]] = {
    "name": lambda case: label(case.deployment.text("name")),
    "description": _description,
    "data_product_type": lambda _: text("Summary statistics"),
    "variant_name": _variant,
    "data_domain": lambda case: text("any corpus of text records of the population ", _population(case)),
    "unprotected_quantities": _unprotected,
    "privacy_unit": _unit,
    "privacy_unit_details": _adjacent,
    "number_of_privacy_units": lambda _: text("1"),
    "privacy_parameters": _parameters,
    "privacy_parameters_details": _other,
    "model_name": lambda _: text("Central"),
    "trust_assumptions": lambda _: text("the curator sees every record and is trusted; nobody else is"),
    "actors": lambda _: text("people in the records, the curator, the writer of the summary, any reader"),
    "release_type": _releases,
    "access_type": lambda _: text("Non-interactive"),
    "preprocessing_and_hyperparameter_tuning": _prepared,
    "mechanisms": lambda case: mechanism(case.claim),
    "composition": lambda _: text("sums of ε and δ over all charges of the population, exact"),
    "post_processing": _after,
    "utility": _useful,
    "evidence_sources": lambda case: text("this audit of the implementation ", _subject(case)),
}


def _population(case: Case) -> Text:
    return label(case.deployment.text("population"))


def _subject(case: Case) -> Text:
    return label(case.root.node("subject").text("name"))


def coded(names: list[str]) -> Text:
    """File names as an enumeration."""
    return joined([code(name) for name in names])


def entries(case: Case) -> tuple[Entry, ...]:
    """Every field with its value, in the order of the template."""
    return tuple(_entry(case, field) for field in fields())


def _entry(case: Case, field: Field) -> Entry:
    value = VALUES[field.name](case) if field.name in VALUES else ()
    otherwise = field.otherwise if value else "not assessed"
    found = coverage.of(case, field.checks if value else [], otherwise)
    return Entry(field, value, coverage.with_universe(case, found) if field.name in LOSSES else found)


def table(case: Case) -> Table:
    """The entry as far as evidence fills it in."""
    rows = [
        Row(
            (
                text(f"{entry.field.title} (", code(entry.field.name), ")"),
                text(f"{entry.field.tier}"),
                entry.value or UNSTATED,
                entry.coverage.shown,
                entry.coverage.by or text("no check"),
            )
        )
        for entry in entries(case)
    ]
    caption = "Fields of an entry in the Differential Privacy Deployments Registry, in the order of its template."
    return Table(text(caption), COLUMNS, (Body("", tuple(rows)),))
