"""Section 4: every statistical test with its counts."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import capital, tradeoff
from dpspin_audits.report.case import Case, Check
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.numerals import at_least, at_most, counted, exponential, number, percent, upper
from dpspin_audits.report.plot import power_of_ten
from dpspin_audits.report.prose import Text, label, plain, status, text
from dpspin_audits.report.tables import Body, Column, Row, Table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Pair", names_row=True),
    Column("Score"),
    Column("Runs", "r", "runs"),
    Column("Guessed", "r", "guessed"),
    Column("Right", "r", "right"),
    Column("α", "r", "α"),
    Column("Against", "r", "against"),
    Column("ε at least", "r", "ε at least"),
    Column("Detectable", "r", "detectable"),
    Column("Result"),
)


def tests_of(check: Check) -> list[Node]:
    """The tests that a check ran; none where it did not run."""
    return check.figures.nodes("tests") if check.figures.has("tests") else []


def runs_of(check: Check) -> int:
    """The most runs that one of its tests used."""
    return max((node.count("runs") for node in tests_of(check)), default=0)


def _row(check: Check, node: Node) -> Row:
    detectable, found = node.maybe_number("detectable"), node.number("epsilon_at_least")
    promised, delta = node.node("against").number("epsilon"), node.node("against").number("delta")
    broken = check.status == "fail" and (found >= promised or _won(node))
    counts: list[Text] = [text(f"{node.count(key):,}") for key in ("runs", "guessed", "right")]
    return Row(
        (
            label(node.text("pair")),
            label(node.text("score")),
            *counts,
            number(node.number("alpha")),
            text("ε\u00a0", upper(promised), text(", δ\u00a0", number(delta)) if delta else ()),
            text(at_least(found, 3)),
            text("–" if detectable is None else at_most(detectable, 2)),
            text("not exceeded") if check.status == "fail" and not broken else status(check.status),
        ),
        hit=broken,
    )


def _won(test: Node) -> bool:
    """Whether a bettor refuted the promise of a test, be its bound as it may."""
    return test.has("bets") and test.node("bets").has("reached")


class Measured(NamedTuple):
    """Figures of the measurements, and what they come to; empty where nothing was measured."""

    said: Text
    """For a reader who is no statistician."""

    capital: tuple[Drawing, ...]
    capital_said: str
    tradeoff: tuple[Drawing, ...]
    tradeoff_said: Text


def view(case: Case) -> Measured:
    """Both figures, in both widths."""
    node = case.root.node("accounting").maybe_node("measured")
    if node is None:
        return Measured((), (), "", (), ())
    paths = tuple(_path(row) for row in node.nodes("bets") if row.nodes("path"))
    found = node.maybe_node("tradeoff")
    errors = found and _errors(found, case)
    return Measured(
        _in_words(case),
        tuple(capital.drawing(paths, f"capital-{form}", form) for form in ("wide", "narrow")) if paths else (),
        capital.said(paths) if paths else "",
        tuple(tradeoff.drawing(errors, f"tradeoff-{form}", form) for form in ("wide", "narrow")) if errors else (),
        _said(found) if found else (),
    )


def _in_words(case: Case) -> Text:
    """What was tried, what would have been found, and what could not have been seen."""
    tried = [node for check in case.checks for node in tests_of(check) if not _about_law(node)]
    if not tried:
        return ()
    best = max(tried, key=lambda node: node.number("epsilon_at_least"))
    found = [node.number("detectable") for node in tried if node.has("detectable")]
    pairs, runs = len({node.text("pair") for node in tried}), max(node.count("runs") for node in tried)
    power = (
        f"With 90 % probability this audit would have found a loss of {at_most(min(found), 2)} or more, on the pair "
        "that shows most. "
        if found
        else "Its runs were too few to find any loss with 90 % probability. "
    )
    return text(
        f"In words: {counted(pairs, 'pair')} of corpora that differ in one {case.losses.unit} {_were(pairs)} tried, up "
        f"to {runs:,} runs each. For every run a coin chose the corpus, and a rule that was fixed before guessed it "
        f"from the plan. The most telling rule, on the pair ‘", label(best.text("pair")), "’, was right in ",
        f"{_share(best)} of its guesses; {percent(_allowed(best))} is what the claim allows{_chance(best)}. {power}"
        "What could not have been seen: a smaller excess, a loss on a pair that was not tried, and what is not in the "
        "plan.",
    )  # fmt: skip


def _about_law(test: Node) -> bool:
    return test.has("about") and test.text("about") == "law"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _share(test: Node) -> str:
    return percent(Fraction(test.count("right"), test.count("guessed"))) if test.count("guessed") else "none"


def _allowed(test: Node) -> Fraction:
    """The largest rate of right guesses that (epsilon, delta) allows (`statistics.bounds`)."""
    against = test.node("against")
    odds = exponential(against.number("epsilon"))
    return min((odds + against.number("delta")) / (1 + odds), Fraction(1))


def _chance(test: Node) -> str:
    """That a rate above the allowed one is no contradiction, where the bound of the test says so."""
    guessed, promised = test.count("guessed"), test.node("against").number("epsilon")
    above = bool(guessed) and Fraction(test.count("right"), guessed) > _allowed(test)
    within = test.number("epsilon_at_least") <= promised and not _won(test)
    return ", and chance alone can make up the difference" if above and within else ""


def _path(node: Node) -> capital.Path:
    looks = tuple((look.count("runs"), look.number("wealth")) for look in node.nodes("path"))
    reached = node.count("reached") if node.has("reached") else None
    if node.number("alpha") <= 0:
        raise node.wrong("alpha", "a probability above 0")
    line = -power_of_ten(node.number("alpha"))
    return capital.Path(node.text("pair"), node.text("score"), node.text("about") == "law", line, reached, looks)


def _errors(node: Node, case: Case) -> tradeoff.Errors:
    points = tuple((point.number("false_alarm"), point.number("miss")) for point in node.nodes("points"))
    margins = node.number("false_alarm_margin"), node.number("miss_margin")
    return tradeoff.Errors(points, *margins, case.losses.claimed, case.losses.delta)


def _said(node: Node) -> Text:
    words = f"{node.count('runs'):,} runs on the pair ‘"
    level = text(f"; the boxes hold all true errors at once, with {percent(1 - node.number('alpha'))} confidence")
    return text(words, label(node.text("pair")), "’, score: ", label(node.text("score")), level)


def tests(case: Case) -> Table | None:
    """All tests of the statistical checks, check by check."""
    rows = {check.id: tuple(_row(check, node) for node in tests_of(check)) for check in case.checks}
    bodies = tuple(Body(plain(text(id_)), found) for id_, found in rows.items() if found)
    caption = text("Statistical tests, by check; nothing was repeated after seeing a result.")
    return Table(caption, COLUMNS, bodies) if bodies else None
