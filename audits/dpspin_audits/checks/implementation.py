"""Checks of the implementation itself, as steps of an audit; and the first contact, before which nothing else is tried.

The first contact happens in a process of its own, where a subject that hangs, breaks off or asks the process to end
harms nobody.  Where it gives no answer, every check of the subject ends in an error that says why.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from dpspin.errors import SubjectError
from dpspin_audits.bundle import Files
from dpspin_audits.checks import budget, conduct, errors, independence, sampling, support, timing
from dpspin_audits.checks.check import Check, Step
from dpspin_audits.checks.tripwire import ID as TRIPWIRE
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.running.outcomes import Conduct, Elsewhere
from dpspin_audits.subject import BlackBox, Claim, Records, Writes

Watch = Callable[[str, bytes], Check]
"""Address of a writer and bytes of a plan -> verdict (`tripwire.check`)."""


class Gone:
    """A subject that gave no answer at the first contact."""

    def __init__(self, claim: Claim, name: str, why: str) -> None:
        self.claim, self.name, self.lost = claim, name, why

    def fresh(self) -> "Gone":
        """Itself."""
        return self

    def release(self, records: Records) -> NoReturn:  # noqa: ARG002 - none is released
        """Nothing.

        Raises:
            SubjectError: always.
        """
        raise SubjectError("the subject", self.lost)


def first_contact(elsewhere: Elsewhere | None, maker: Maker) -> Conduct | None:
    """What becomes of releases in a process that has released nothing before; None where there is no such process."""
    if elsewhere is None:
        return None
    try:
        return elsewhere(independence.histories(maker))
    except SubjectError as error:
        return Conduct((), error.what)


@dataclass(frozen=True, slots=True)
class Asked:
    """What these checks need."""

    subject: BlackBox
    maker: Maker
    seed: bytes
    alpha: float
    """Level of each statistical check."""
    contact: Conduct | None
    elsewhere: Elsewhere | None
    watch: Watch | None

    def steps(self, bundles: Callable[[], Sequence[Files]]) -> Mapping[str, Step]:
        """Checks by id, in the order of the list; `bundles` are releases, the last one the one to write about."""
        subject, claim, maker, alpha = self.subject, self.subject.claim, self.maker, self.alpha
        return {
            support.ID: ("statistical", lambda: support.check(subject, claim, maker, self.seed, alpha)),
            sampling.ID: ("statistical", lambda: sampling.check(subject, maker, self.seed, alpha)),
            independence.ID: (
                "statistical",
                lambda: independence.check(subject, maker, self.seed, alpha, self.contact),
            ),
            errors.ID: ("exact_on_hit", lambda: errors.check(subject, maker, self.elsewhere)),
            budget.ID: ("exact_on_hit", lambda: budget.check(subject, claim, maker)),
            conduct.ID: ("exact_on_hit", lambda: conduct.check(self.contact)),
            **self._unseen(),
            TRIPWIRE: ("exact_on_hit", lambda: self._tripwire(bundles)),
            timing.ID: ("declared", timing.check),
        }

    def _unseen(self) -> Mapping[str, Step]:
        """A step that says what cannot be seen on this system; none where all can."""
        contact = self.contact
        if contact is None or not contact.unseen:
            return {}
        return {conduct.PROCESSES: ("exact_on_hit", lambda: conduct.unseen(contact))}

    def _tripwire(self, bundles: Callable[[], Sequence[Files]]) -> Check:
        if self.watch is None or not isinstance(self.subject, Writes):
            return Check(
                TRIPWIRE, "not_run", "exact_on_hit", "What the decoder opens while it runs was not watched.", {},
                "needs `writer`, and a new process", "offer `writer`, and audit by the command line",
            )  # fmt: skip
        return self.watch(self.subject.writer, bundles()[-1].get("plan.json", b""))
