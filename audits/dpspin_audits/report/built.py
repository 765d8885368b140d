"""The universe's own charge: what it is declared to cost, and what it and a release expose people to together."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.numerals import number
from dpspin_audits.report.prose import Text, code, text
from dpspin_audits.report.tree import Node

APART = "what building the themes from the records cost is declared by the deployment and was not checked"


class Built(NamedTuple):
    """Losses of a universe that was built from protected records."""

    epsilon: Fraction
    delta: Fraction
    charge: str | None
    """Id of its charge in the ledger; None where the audit saw none."""
    whole_epsilon: Fraction
    """Of the universe and one release over it together, as claimed."""
    whole_delta: Fraction


def of(root: Node) -> Built | None:
    """The universe's charge; None where its provenance is another one.

    Raises:
        UsageError: when the evidence names a cost exactly where it should not.
    """
    accounting = root.node("accounting")
    if accounting.has("universe") != (root.node("deployment").tree.get("provenance") == "charged"):
        raise accounting.wrong("universe", "there exactly where the deployment's provenance is charged")
    if not accounting.has("universe"):
        return None
    own, whole = accounting.node("universe"), accounting.node("total")
    loss = own.number("epsilon"), own.number("delta")
    return Built(*loss, own.maybe_text("id"), whole.number("epsilon"), whole.number("delta"))


def loss(epsilon: Fraction, delta: Fraction) -> Text:
    """Epsilon, and delta where there is one."""
    return text("ε\u00a0", number(epsilon), *((", δ\u00a0", number(delta)) if delta else ()))


def whole(built: Built) -> Text:
    """The sum."""
    return loss(built.whole_epsilon, built.whole_delta)


def remark(built: Built) -> Text:
    """Both losses and the sum in a sentence."""
    own = loss(built.epsilon, built.delta)
    return text(
        "That is about a release over the themes as they are; building these from the records is declared to have ",
        "cost ", own, ", and both together expose people to at most ", whole(built), ".",
    )  # fmt: skip


def charged(built: Built) -> Text:
    """The charge and what it covers."""
    under = code(built.charge) if built.charge else text("none that this audit saw")
    return text(under, ": ", loss(built.epsilon, built.delta), ", as declared; paid once for all releases over it")
