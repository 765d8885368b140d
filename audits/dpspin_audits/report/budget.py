"""The budget: what the release costs of what the releases over a population may cost together."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import marks
from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Axis, Drawing, Look, Mark
from dpspin_audits.report.numerals import inscribed, number, sentence
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
    universe: bool = False
    """Whether the cost is that of the universe too."""

    @property
    def what(self) -> str:
        """What costs so much."""
        release = "this release" if self.charged else "a release like this one"
        return f"{release} and its universe" if self.universe else release


def _bar(account: Account, top: int, axis: Axis, spent: Spent) -> list[Mark]:
    left, end, wall = axis.left, axis.at(account.cost), axis.at(account.allowed)
    cost, allowed = inscribed(number(account.cost)), inscribed(number(account.allowed))
    outline = ((left, top), (wall, top), (wall, top + 18), (left, top + 18), (left, top))
    over = account.cost > account.allowed
    fill = "fail" if over else "claimed" if spent.charged else "hatch-claimed"
    return [
        marks.box((left, top), (end - left, 18), fill, ".85" if spent.charged or over else "1"),
        marks.line(outline, "ink"),
        marks.line(((wall, top - 4), (wall, top + 22)), "ink", 2.5),
        marks.words((left, top - 8), f"{account.name} {cost} of {allowed}", Look("13", "ink", bold=True)),
        marks.words((left, top + 34), spent.what, Look("11.5")),
        marks.words((wall, top + 34), "allowed", Look("11.5", anchor="end")),
    ]


def drawing(spent: Spent, form: str) -> Drawing:
    """The bars in one width: wide (620 pixels) or narrow (300 pixels)."""
    width, step = (620 if form == "wide" else 300), 72
    drawn: list[Mark] = []
    for at, account in enumerate(spent.accounts):
        high = max(account.cost, account.allowed) * ROOM or Fraction(1)
        drawn += _bar(account, 24 + step * at, Axis(Fraction(0), high, 4, width - 6), spent)
    height = 24 + step * len(spent.accounts) - 8
    hatches = () if spent.charged else ("claimed",)
    return Drawing(f"budget-{form}", form, width, height, TITLE, described(spent), hatches, tuple(drawn))


def described(spent: Spent) -> str:
    """The bars in words."""
    costs = (f"{a.name} {inscribed(number(a.cost))} of {inscribed(number(a.allowed))}" for a in spent.accounts)
    verb = "would cost" if not spent.charged else "cost" if spent.universe else "costs"
    of = f"the budget of the population {clipped(spent.population, 40)}"
    return f"{sentence(spent.what)} {verb} {' and '.join(costs)}, {of}."


def view(case: Case) -> tuple[Drawing, ...]:
    """The figure in both widths."""
    books = case.root.node("accounting")
    charge, allowed = books.maybe_node("charge"), books.node("budget")
    paid = books.node("total") if case.built else charge or books.node("claimed")
    accounts = [
        Account(name, paid.number(key), allowed.number(key))
        for name, key in (("ε", "epsilon"), ("δ", "delta"))
        if key == "epsilon" or paid.number(key)
    ]
    spent = Spent(tuple(accounts), case.deployment.text("population"), charge is not None, case.built is not None)
    return tuple(drawing(spent, form) for form in ("wide", "narrow"))
