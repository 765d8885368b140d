"""The judge's instructions: package data, versioned and digested, so that a result names what was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from dpspin import canonical
from dpspin_experiments.judging.exhibit import Duel, Exhibit

Messages = tuple[Mapping[str, str], ...]
Name = Literal["scores", "comparison", "summary"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One instruction."""

    version: str
    """Its first line; the words below it never change under one version."""
    text: str
    sha256: str
    """Of the file's bytes."""

    def messages(self, shown: bytes) -> Messages:
        """The conversation: the instruction, then the data as one JSON text."""
        return {"role": "system", "content": self.text}, {"role": "user", "content": shown.decode()}


def load(name: Name) -> Prompt:
    """An instruction of the package."""
    data = (files("dpspin_experiments.judging") / "prompts" / f"{name}.txt").read_bytes()
    version, _, text = data.decode().partition("\n")
    return Prompt(version, text, canonical.digest(data))


def of_scores(exhibit: Exhibit) -> Messages:
    """What a judge is asked about one text: a function of the exhibit alone."""
    return load("scores").messages(exhibit.shown())


def of_comparison(duel: Duel) -> Messages:
    """What a judge is asked about two texts: a function of the duel alone."""
    return load("comparison").messages(duel.shown())


def of_summary(visible: bytes) -> Messages:
    """What a writer is asked: a function of the object alone."""
    return load("summary").messages(visible)
