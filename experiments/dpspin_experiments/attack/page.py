"""The demonstration as a page and as lines of text; what the page says in words stands in its template."""

from collections.abc import Sequence
from typing import NamedTuple

from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.render import environment
from dpspin_experiments.attack import figure, story
from dpspin_experiments.attack.bound import success_at_most
from dpspin_experiments.attack.clusters import SHAPE
from dpspin_experiments.attack.demonstration import ALPHA, CHANCE, PEOPLE, Row

HEADER = ("release", "crafted", "runs", "success", "interval", "chance", "bound", "measured ε")
LOSSES = (0.1, 0.5, 1, 2, 4, 8)
NAMES = {"clusters": "groups of records", "plan": "plan with noise"}
NOTES = (
    "success: share of right guesses of one of two equally likely secrets; where nothing is told, half are right.",
    "bound: (e^ε + δ) / (1 + e^ε), for every attacker and any number of crafted records.",
    f"interval: of the true rate of right guesses, at confidence {1 - ALPHA:g} for each row (Clopper and Pearson).",
    f"measured ε: lower bound where one record replaces another, at confidence {1 - ALPHA:g} for each row.",
    f"Groups have at least {SHAPE.smallest} records; that number promises nothing. All records are invented.",
    "Crafted records still shift the masses of a plan: the bound is about what is told of one record, not about truth.",
)


class Page(NamedTuple):
    """All that the page prints."""

    title: str
    drawings: tuple[Drawing, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    people: int
    smallest: int
    confidence: str
    limits: tuple[tuple[str, str], ...]
    """Losses, and the largest success under them."""
    known: str
    secrets: tuple[str, str]


def page(rows: Sequence[Row]) -> bytes:
    """One HTML file: no script, no request, light and dark; the same rows give the same bytes."""
    first, second = story.secrets()
    found = Page(
        "What crafted records can find out",
        tuple(figure.drawing(rows, SHAPE.smallest, form) for form in ("wide", "narrow")),
        HEADER,
        tuple(map(cells, rows)),
        PEOPLE,
        SHAPE.smallest,
        f"{1 - ALPHA:g}",
        tuple((f"{loss:g}", figure.percent(success_at_most(loss))) for loss in LOSSES),
        story.KNOWN,
        (first.label, second.label),
    )
    return environment().get_template("attack.html.j2").render(page=found).encode()


def cells(row: Row) -> tuple[str, ...]:
    """A row of the table."""
    bound = "none" if row.bound is None else figure.percent(row.bound)
    claimed = "" if row.claimed is None else f" of {row.claimed:g}"
    return (
        NAMES[row.release], f"{row.crafted:,}", f"{row.runs:,}", figure.percent(row.success),
        f"{100 * row.least:.1f} to {figure.percent(row.most)}", figure.percent(CHANCE), bound,
        f"at least {row.epsilon_at_least:.2f}{claimed}" + ("; claim refuted" if row.refuted else ""),
    )  # fmt: skip


def text(rows: Sequence[Row]) -> str:
    """The table in columns, and what its columns mean."""
    table = [HEADER, *map(cells, rows)]
    widths = [max(len(line[at]) for line in table) for at in range(len(HEADER))]
    lines = [
        "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
        for line in table
    ]
    return "\n".join([*lines, "", *NOTES]) + "\n"
