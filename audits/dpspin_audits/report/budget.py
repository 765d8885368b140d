"""The budget: what the release costs of what the releases over a population may cost together."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import marks
from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Axis, Drawing, Look, Mark
from dpspin_audits.report.numerals import inscribed, number
from dpspin_audits.report.prose import clipped

TITLE = "Budget of the population"
ROOM = Fraction(21, 20)


class Account(NamedTuple):
    """Cost and allowed total of one parameter."""

    name: str
    """ε or δ."""
    cost: Fraction
    allowed: Fraction


class Spent(NamedTuple):
    """What the figure shows."""

    accounts: tuple[Account, ...]
    """ε, and δ where the release needs one."""
    population: str
    charged: bool
    """Whether the cost was charged; an audit without a release charges nothing."""


def _bar(account: Account, top: int, axis: Axis, *, charged: bool) -> list[Mark]:
    left, end, wall = axis.left, axis.at(account.cost), axis.at(account.allowed)
    cost, allowed = inscribed(number(account.cost)), inscribed(number(account.allowed))
    outline = ((left, top), (wall, top), (wall, top + 18), (left, top + 18), (left, top))
    over = account.cost > account.allowed
    fill = "fail" if over else "claimed" if charged else "hatch-claimed"
    return [
        marks.box((left, top), (end - left, 18), fill, ".85" if charged or over else "1"),
        marks.line(outline, "ink"),
        marks.line(((wall, top - 4), (wall, top + 22)), "ink", 2.5),
        marks.words((left, top - 8), f"{account.name} {cost} of {allowed}", Look("13", "ink", bold=True)),
        marks.words((left, top + 34), "this release" if charged else "a release like this one", Look("11.5")),
        marks.words((wall, top + 34), "allowed", Look("11.5", anchor="end")),
    ]


def drawing(spent: Spent, form: str) -> Drawing:
    """The bars in one width: wide (620 pixels) or narrow (300 pixels)."""
    width, step = (620 if form == "wide" else 300), 72
    drawn: list[Mark] = []
    for at, account in enumerate(spent.accounts):
        high = max(account.cost, account.allowed) * ROOM or Fraction(1)
        drawn += _bar(account, 24 + step * at, Axis(Fraction(0), high, 4, width - 6), charged=spent.charged)
    height = 24 + step * len(spent.accounts) - 8
    hatches = () if spent.charged else ("claimed",)
    return Drawing(f"budget-{form}", form, width, height, TITLE, described(spent), hatches, tuple(drawn))


def described(spent: Spent) -> str:
    """The bars in words."""
    costs = (f"{a.name} {inscribed(number(a.cost))} of {inscribed(number(a.allowed))}" for a in spent.accounts)
    what = "This release costs" if spent.charged else "A release like this one would cost"
    return f"{what} {' and '.join(costs)}, the budget of the population {clipped(spent.population, 40)}."


def view(case: Case) -> tuple[Drawing, ...]:
    """The figure in both widths."""
    books = case.root.node("accounting")
    charge, allowed = books.maybe_node("charge"), books.node("budget")
    paid = charge or books.node("claimed")
    accounts = [
        Account(name, paid.number(key), allowed.number(key))
        for name, key in (("ε", "epsilon"), ("δ", "delta"))
        if key == "epsilon" or paid.number(key)
    ]
    spent = Spent(tuple(accounts), case.deployment.text("population"), charge is not None)
    return tuple(drawing(spent, form) for form in ("wide", "narrow"))
