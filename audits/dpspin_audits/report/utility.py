"""Section 8: what the noise does to a plan, by which mechanism it would do least, and how masses may be read."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.masses import Atom
from dpspin_audits.report.mechanism import STEPS
from dpspin_audits.report.numerals import at_most, number, percent, spelled
from dpspin_audits.report.plan import atoms_of
from dpspin_audits.report.prose import Text, code, label, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table
from dpspin_audits.report.tree import Node

STATEMENTS = (
    Column("Statement", names_row=True),
    Column("Mass", "r", "mass"),
    Column("With probability", "r", "with probability"),
    Column("Kind", "nw", "kind:"),
)
KINDS = {"exact": "exact tail of the noise", "bound": "upper bound"}
MECHANISMS = (
    Column("Mechanism", names_row=True),
    Column("Selection error", "r", "selection error"),
    Column("Error of masses", "r", "error of masses"),
    Column("Remark"),
)
WHOLE = "stack whole"
LEAST = {"selection": "least selection error", "values": "least error of masses"}


class Utility(NamedTuple):
    """What section 8 says besides its tables."""

    advice: Text
    """Which mechanism has the better bounds here; empty where nothing was compared."""
    rows: tuple[Pair, ...]


def statements(case: Case) -> Table | None:
    """Bounds on the errors of this deployment's plans."""
    utility = case.root.maybe_node("utility")
    rows = [_statement(node) for node in utility.nodes("statements")] if utility else []
    return table(
        "What the noise of this deployment does to a plan, in units of mass, rounded up.", STATEMENTS, rows, WHOLE
    )


def _statement(node: Node) -> Row:
    probability = node.maybe_number("probability")
    chance = text("–") if probability is None else text("≥ ", percent(probability))
    kind = KINDS.get(node.text("kind"), node.text("kind"))
    return Row((label(node.text("text")), text(at_most(node.number("value"), 2)), chance, text(kind)))


def mechanisms(case: Case) -> Table | None:
    """The mechanisms side by side, at the deployment's own claim."""
    utility = case.root.maybe_node("utility")
    if utility is None:
        return None
    assumed = utility.maybe_number("assumed_delta")
    delta = (
        text("an assumed δ\u00a0=\u00a0", number(assumed))
        if assumed
        else text("δ\u00a0=\u00a0", number(case.losses.delta))
    )
    chance = percent(1 - case.deployment.number("noise_beta"))
    caption = text(
        "The mechanisms at ε\u00a0=\u00a0", number(case.losses.claimed), " and, where one is needed, ", delta,
        f". Each bound holds with probability at least {chance}. Selection error: mass that a released theme may lack "
        "against one left out. Error of masses: distance of a released mass from the exact sum.",
    )  # fmt: skip
    return table(caption, MECHANISMS, [_mechanism(case, utility, node) for node in utility.nodes("comparison")], WHOLE)


def _own(case: Case) -> tuple[str, str]:
    """Names under which the deployment's mechanism may be compared: its kind, and with the noise of its values."""
    kind, values = case.deployment.text("mechanism"), case.deployment.maybe_text("values")
    return kind, f"{kind}, {values} values" if values else kind


def _mechanism(case: Case, utility: Node, node: Node) -> Row:
    name, best = node.text("mechanism"), utility.node("best")
    remarks = ["this deployment"] if name in _own(case) else []
    remarks += [words for purpose, words in LEAST.items() if best.text(purpose) == name]
    errors = (text("≤ ", at_most(node.number(key), 2)) for key in ("selection_error", "value_error"))
    kind, _, variant = name.partition(", ")
    steps = f": {STEPS[kind]}" if kind in STEPS else ""
    return Row((text(code(kind), f" ({variant})" if variant else "", steps), *errors, text(", ".join(remarks))))


def _advice(case: Case) -> Text:
    """The better bound for each purpose, and what it does not mean."""
    utility = case.root.maybe_node("utility")
    if utility is None:
        return ()
    best = utility.node("best")
    selection, values = code(best.text("selection")), code(best.text("values"))
    found = text(selection, " has the best bound for both: which themes are released, and their masses.")
    if selection != values:
        found = text(
            selection, " has the best bound for which themes are released, ", values, " for their masses."
        )  # fmt: skip
    assumed: Text = ()
    if utility.has("assumed_delta"):
        delta = number(utility.number("assumed_delta"))
        assumed = text(
            " A δ of ",
            delta,
            " was assumed for mechanisms that need one; this deployment claims δ = 0, a stronger promise.",
        )
    own = text(" The deployment uses ", code(_own(case)[1]), ".")
    hedge = " A better bound need not mean a smaller error on given records."
    return text("For this deployment ", found, own, assumed, hedge)


def _seen(atoms: tuple[Atom, ...], floor: Fraction) -> list[Pair]:
    low, cut = (
        spelled(count) if count else "none"
        for count in (sum(atom.mass <= floor for atom in atoms), sum(atom.mass < 0 for atom in atoms))
    )
    of = f" of {spelled(len(atoms))}"
    return [
        (text("Below the floor"), text(f"{low}{of}; a theme there may be noise alone")),
        (
            text("Positive part"),
            text(f"supports are cut at 0, which biases small ones upwards; this touched {cut}{of}"),
        ),
    ]


def _floor(case: Case) -> str:
    floor, chance = at_most(case.deployment.number("noise_floor"), 2), percent(1 - case.deployment.number("noise_beta"))
    return f"{floor}: with probability at least {chance} the noise of {case.noised} stays within it, all at once"


def _margin(case: Case) -> str:
    """Twice the noise floor keeps the order of exact masses; a smaller margin promises nothing."""
    floor, margin = case.deployment.number("noise_floor"), case.deployment.number("margin")
    words = f"“over” is said of two masses only if they differ by at least {at_most(margin, 2)}"
    if margin >= 2 * floor:
        chance = percent(1 - case.deployment.number("noise_beta"))
        words += f"; all such statements hold for the exact masses, with probability at least {chance}"
    return words + ". Nothing of the kind holds for “similar”, ranks or the list’s order"


def _selection(case: Case) -> str:
    if case.is_sparse:
        return "a theme may be shown by the chance of its admission; its mass then gets noise of its own, without bias"
    floor = at_most(case.deployment.number("noise_floor"), 2)
    shown = "a theme may be shown because its noise was high; masses near the last rank are biased upwards"
    return f"{shown}, by at most {floor} where the noise stays within the floor"


def _bounding(case: Case) -> Text:
    deployment = case.deployment
    record = (
        f"a record that names more than {spelled(deployment.count('max_atoms'))} themes counts for its strongest ones; "
    )
    bound = number(deployment.number("mass_bound"))
    user = text("a user whose records add up to a mass above ", bound, " counts for that much; ")
    unknown = "the size of this effect needs the curator’s figures and was not assessed"
    return text(record, user if case.losses.unit == "user" else (), unknown)


def view(case: Case) -> Utility:
    """What a reader may and may not conclude from the masses."""
    rows = [
        (text("Noise floor"), text(_floor(case))),
        (text("Margin"), text(_margin(case))),
        (text("Selection"), text(_selection(case))),
        (text("Bounding"), _bounding(case)),
    ]
    plan = case.root.maybe_node("plan")
    seen = _seen(atoms_of(plan), case.deployment.number("noise_floor")) if plan else []
    return Utility(_advice(case), tuple(rows + seen))
