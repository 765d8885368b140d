"""How far a question is answered: assessed, declared or not assessed, by the checks that bear on it."""

from typing import Literal, NamedTuple

from dpspin_audits.checks import provenance
from dpspin_audits.report.case import Case, Check
from dpspin_audits.report.prose import Text, code, joined, status, strong, text
from dpspin_audits.report.vocabulary import STATUSES

State = Literal["assessed", "assessed in part", "declared", "not assessed"]


class Coverage(NamedTuple):
    """An answer and what stands behind it."""

    state: State
    status: str
    """The worst result of the checks that answered; empty where none did."""
    answered: tuple[Check, ...]
    said: tuple[str, ...]
    """Ids of checks that could hold a declaration against itself alone."""
    silent: tuple[str, ...]
    """Ids of checks that bear on the question and gave no answer."""

    @property
    def shown(self) -> Text:
        """The state with the sign of its result."""
        if self.answered:
            return text(f"{self.state}: ", status(self.status))
        if self.state == "assessed in part":
            return text(self.state)
        return status("declared") if self.state == "declared" else status("not_assessed")

    @property
    def by(self) -> Text:
        """Which checks answered, and which did not."""
        parts = [joined([code(check.id) for check in self.answered], ", ")] if self.answered else []
        if self.said:
            parts.append(text(joined([code(name) for name in self.said], ", "), " (a declaration)"))
        if self.silent:
            parts.append(text(strong("no answer:"), " ", joined([code(name) for name in self.silent], ", ")))
        return joined(parts, "; ")


def of(case: Case, ids: list[str], otherwise: str, *, figures: bool = False) -> Coverage:
    """What the checks of a case say together.

    Args:
        case: the audit.
        ids: the checks that bear on the question.
        otherwise: the state where none of them answered.
        figures: whether the evidence holds figures about it besides.
    """
    known = {check.id: check for check in case.checks}
    answered = tuple(known[name] for name in ids if name in known and _answers(known[name]))
    said = tuple(name for name in ids if name in known and known[name].status == "pass" and not _answers(known[name]))
    silent = tuple(name for name in ids if name not in said and (name not in known or not _answers(known[name])))
    if answered:
        worst = min((check.status for check in answered), key=STATUSES.index)
        return Coverage("assessed in part" if silent else "assessed", worst, answered, said, silent)
    if figures:
        return Coverage("assessed in part", "", (), said, silent)
    return Coverage("declared" if otherwise == "declared" else "not assessed", "", (), said, silent)


def with_universe(case: Case, found: Coverage) -> Coverage:
    """What is known of a figure that holds the declared cost of a universe too: no check answers for that part."""
    if case.built is None:
        return found
    state = "assessed in part" if found.state == "assessed" else found.state
    return found._replace(state=state, said=(*found.said, provenance.ID))


def _answers(check: Check) -> bool:
    """Whether a check says something by itself; a pass that holds a declaration against itself does not."""
    return check.status in ("fail", "inconclusive") or (check.status == "pass" and check.strength != "declared")
