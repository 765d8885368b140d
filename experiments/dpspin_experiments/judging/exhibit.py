"""What a judge is given: one object and one text that was written from it, and nothing else (paper table 1).

This is the boundary of the evaluation.  The modules on the judge's side import neither the curator nor the corpus, and
every question is a function of an `Exhibit` or a `Duel`; there is no field by which a record, an exact mass or the name
of a method could reach a judge.
"""

from dataclasses import dataclass
from typing import Any

from dpspin import canonical
from dpspin.errors import ImpossibleError

AUDIENCE = "evaluation only, never in the privacy path"
"""Stands on every page and in every file of an evaluation."""
PLACE = "the object of an exhibit"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One object and one text about it.

    Raises:
        ImpossibleError: when the object is not canonical JSON, or one of the two is of another type.
    """

    visible: bytes
    """The object that the text's writer was given: canonical JSON, such as plan.json."""
    text: str

    def __post_init__(self) -> None:
        if type(self.visible) is not bytes or type(self.text) is not str:  # a subclass may hold anything
            raise ImpossibleError("an exhibit is bytes and a text")
        if canonical.dumps(self.tree()) != self.visible:
            raise ImpossibleError("the object of an exhibit is not canonical JSON")

    @property
    def id(self) -> str:
        """Digest of both parts."""
        return canonical.digest(self.shown())

    def tree(self) -> Any:
        """The object."""
        return canonical.loads(self.visible, PLACE)

    def shown(self) -> bytes:
        """What the judge reads: canonical JSON, so that no text can end its own quotation marks."""
        return canonical.dumps({"object": self.tree(), "summary": self.text})


@dataclass(frozen=True, slots=True)
class Duel:
    """Two texts as verbalisations of one reference: the plan without noise (appendix B.7).  It is NON-PRIVATE.

    Raises:
        ImpossibleError: as `Exhibit`.
    """

    reference: bytes
    """Canonical JSON of the plan without noise."""
    first: str
    second: str

    def __post_init__(self) -> None:
        Exhibit(self.reference, self.first)
        Exhibit(self.reference, self.second)

    @property
    def id(self) -> str:
        """Digest of all parts, their order included."""
        return canonical.digest(self.shown())

    def shown(self) -> bytes:
        """What the judge reads."""
        tree = canonical.loads(self.reference, PLACE)
        return canonical.dumps({"reference": tree, "first": self.first, "second": self.second})

    def turned(self) -> "Duel":
        """The same two texts in the other order."""
        return Duel(self.reference, self.second, self.first)
