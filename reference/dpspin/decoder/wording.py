"""Claims as sentences of the controlled language: what is written here reads back as the same claims."""

from collections.abc import Sequence

from dpspin.decoder import claims as c
from dpspin.decoder.language import ORDINALS
from dpspin.plan import PlanTerms, shown

PARAMETERS = {
    "epsilon": "Epsilon is {}.",
    "delta": "Delta is {}.",
    "denominator": "The public denominator is {}.",
    "plan size": "The plan releases at most {} themes.",
}
BELOW = "below the noise floor"


def sentence(claim: c.Claim, terms: PlanTerms) -> str:
    """One claim as one sentence, whether it is supported or not."""
    label = terms.universe.labels
    match claim:
        case c.PublicText(id_):
            text = terms.stamp or "" if id_ == c.STAMP else terms.public_text[id_]
        case c.Parameter(name, value):
            text = PARAMETERS[name].format(f"{int(value):,}" if value.isdecimal() else value)
        case c.Count(count, bin_):
            text = _counted(count, bin_, terms)
        case c.Comparison(left, right):
            text = f"{label[left]} has more support than {label[right]}."
        case c.Similarity(left, right):
            text = f"{label[left]} and {label[right]} have similar support."
        case c.Mention(atom):
            text = f"The released themes include {label[atom]}."
        case c.Bin(atom, bin_):
            text = f"{label[atom]} is {_place(bin_, terms)}."
        case c.Rank(atom, rank) if 1 <= rank <= len(ORDINALS):
            text = f"{label[atom]} ranks {ORDINALS[rank - 1]}."
        case _:
            text = f"{label[claim.atom]} has {detail(claim, terms)}."
    return text


def row(claims: Sequence[c.Mass | c.Support | c.Bin | c.Rank], terms: PlanTerms) -> str:
    """Claims about one atom as a line of a list: "- L: noisy mass X, B bin, rank R"."""
    label = terms.universe.labels[claims[0].atom]
    return f"- {label}: {', '.join(detail(claim, terms) for claim in claims)}"


def detail(claim: c.Mass | c.Support | c.Bin | c.Rank, terms: PlanTerms) -> str:
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


def _counted(count: int, bin_: int | None, terms: PlanTerms) -> str:
    themes = "theme" if count == 1 else "themes"
    if bin_ is None:
        return f"The plan releases {count:,} {themes}."
    return f"{count:,} released {themes} {'is' if count == 1 else 'are'} {_place(bin_, terms)}."


def _place(bin_: int, terms: PlanTerms) -> str:
    return f"in the {terms.bins[bin_]} bin" if bin_ else BELOW
