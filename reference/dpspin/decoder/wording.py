"""Claims as sentences of the controlled language: what is written here reads back as the same claims."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from dpspin.decimals import shown
from dpspin.decoder import claims as c
from dpspin.decoder.tokens import ORDINALS
from dpspin.plan import PlanTerms

PARAMETERS = {
    "epsilon": "Epsilon is {}.",
    "delta": "Delta is {}.",
    "denominator": "The public denominator is {}.",
    "plan size": "The plan releases at most {} themes.",
}
BELOW = "below the noise floor"
Detail: TypeAlias = c.Mass | c.Support | c.Bin | c.Rank


class Line(NamedTuple):
    """One line of a summary and what it says."""

    text: str
    claims: tuple[c.Claim, ...]


def sentence(claim: c.Claim, terms: PlanTerms) -> str:
    """One claim as one sentence, whether it is supported or not."""
    label = terms.universe.labels
    match claim:
        case c.PublicText(id_):
            text = terms.stamp or "" if id_ == c.STAMP else terms.public_text.get(id_, f"Public text {id_}.")
        case c.Parameter(name, value):
            text = PARAMETERS[name].format(f"{int(value):,}" if value.isdecimal() else value)
        case c.Count(count, bin_):
            text = _counted(count, bin_, terms)
        case c.Comparison(left, right):
            text = f"{label[left]} has more support than {label[right]}."
        case c.Similarity(left, right):
            text = f"{label[left]} and {label[right]} have similar support."
        case c.Above(left, right):
            text = f"{label[left]} ranks above {label[right]}."
        case c.Mention(atom):
            text = f"The released themes include {label[atom]}."
        case c.Bin(atom, bin_):
            text = f"{label[atom]} is {_place(bin_, terms)}."
        case c.Rank(atom, rank) if 1 <= rank <= len(ORDINALS):
            text = f"{label[atom]} ranks {ORDINALS[rank - 1]}."
        case _:
            text = f"{label[claim.atom]} has {detail(claim, terms)}."
    return text


def row(claims: Sequence[Detail], terms: PlanTerms) -> str:
    """Claims about one atom as a line of a list: "- L: noisy mass X, B bin, rank R"."""
    label = terms.universe.labels[claims[0].atom]
    return f"- {label}: {', '.join(detail(claim, terms) for claim in claims)}"


def detail(claim: Detail, terms: PlanTerms) -> str:
    """A claim without its atom, as a row or a bracket holds it."""
    match claim:
        case c.Mass(_, numerator, digits):
            return f"noisy mass {shown(numerator, 10**digits, digits)}"
        case c.Support(_, numerator, digits):
            return f"normalised support {shown(numerator, 10**digits, digits)}"
        case c.Bin(_, bin_):
            return f"{terms.bins[bin_]} bin" if bin_ else BELOW
        case c.Rank(_, rank):
            return f"rank {rank:,}"


def listed(atoms: Sequence[int], bin_: int, terms: PlanTerms) -> str:
    """Two atoms or more of one bin, in the order of their ranks, as one sentence."""
    *rest, last = (terms.universe.labels[atom] for atom in atoms)
    comma = "," if len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} and {last} are {_place(bin_, terms)}."


def lines(claims: Iterable[c.Claim], terms: PlanTerms) -> list[Line]:
    """Claims as lines, in their order: details of one atom share a row, epsilon and delta a sentence."""
    groups: list[list[c.Claim]] = []
    for claim in claims:
        if groups and _belongs(groups[-1][-1], claim):
            groups[-1].append(claim)
        else:
            groups.append([claim])
    return [Line(_line(group, terms), tuple(group)) for group in groups]


def page(written: Sequence[Line]) -> str:
    """Lines as a text; a blank line stands before each count of a bin, and where another kind of line begins."""
    text = "".join(f"{line.text}\n" for line in written[:1])
    for before, line in pairwise(written):
        text += "\n" * _opens(before.claims[0], line.claims[0]) + f"{line.text}\n"
    return text


def _belongs(before: c.Claim, claim: c.Claim) -> bool:
    """Whether a claim continues the line that another stands on."""
    match before, claim:
        case c.Parameter("epsilon", _), c.Parameter("delta", _):
            return True
        case ((c.Mass() | c.Support() | c.Bin() | c.Rank()), (c.Mass() | c.Support() | c.Bin() | c.Rank())):
            return before.atom == claim.atom
    return False


def _line(group: Sequence[c.Claim], terms: PlanTerms) -> str:
    details = [claim for claim in group if isinstance(claim, Detail)]
    if details:
        return row(details, terms)
    if len(group) > 1:
        epsilon, delta = (claim.text for claim in group if isinstance(claim, c.Parameter))
        return f"The plan was released with epsilon {epsilon} and delta {delta}."
    bullet = "- " * isinstance(group[0], c.Comparison | c.Similarity | c.Above)
    return bullet + sentence(group[0], terms)


def _opens(before: c.Claim, claim: c.Claim) -> bool:
    """Whether a block begins with `claim`; rows follow the count of their bin directly."""
    if _is_heading(claim) or before == c.PublicText(c.STAMP):
        return True
    return _family(before) != _family(claim) and not (_is_heading(before) and isinstance(claim, Detail))


def _is_heading(claim: c.Claim) -> bool:
    return isinstance(claim, c.Count) and claim.bin is not None


def _family(claim: c.Claim) -> int:
    families = Detail, c.Comparison | c.Similarity | c.Above, c.Parameter
    return next((number for number, kinds in enumerate(families) if isinstance(claim, kinds)), len(families))


def _counted(count: int, bin_: int | None, terms: PlanTerms) -> str:
    themes = "theme" if count == 1 else "themes"
    if bin_ is None:
        return f"The plan releases {count:,} {themes}."
    return f"{count:,} released {themes} {'is' if count == 1 else 'are'} {_place(bin_, terms)}."


def _place(bin_: int, terms: PlanTerms) -> str:
    return f"in the {terms.bins[bin_]} bin" if bin_ else BELOW
