"""The deterministic writer: a plan as a summary that people can read and the verifier can parse.

It states only the tightest supported comparisons: every other supported one follows from them and the ranks.
Similar support is never stated, since readers chain it and it does not chain (spec.md section 4).
"""

from itertools import groupby

from dpspin import kernel
from dpspin.decoder.attempts import Attempt, Prompt
from dpspin.decoder.claims import Bin, Comparison, Count, Mass, Parameter, Rank, Support, parameters
from dpspin.decoder.verifier import Verifier
from dpspin.decoder.wording import row, sentence
from dpspin.errors import ImpossibleError
from dpspin.plan import ReleasedAtom, SemanticPlan


def summary(plan: SemanticPlan) -> str:
    """The whole plan in words; the verifier accepts it."""
    terms = plan.terms
    blocks = [[_count(plan), *(terms.public_text[id_] for id_ in sorted(terms.public_text))]]
    for bin_, members in groupby(plan.atoms, key=lambda atom: atom.bin):
        rows = [_row(atom, plan) for atom in members]
        blocks.append([sentence(Count(len(rows), bin_), terms), *rows])
    blocks += [[f"- {sentence(link, terms)}" for link in links(plan)], _closing(plan)]
    return _accepted(blocks, plan)


def fallback(plan: SemanticPlan) -> str:
    """A shorter summary of the same plan, for when every attempt was rejected; the verifier accepts it."""
    return _accepted([[_count(plan)], [_row(atom, plan) for atom in plan.atoms], _closing(plan)], plan)


def decoder(prompt: Prompt, _: tuple[Attempt, ...]) -> str:
    """The template as a writer for the loop; its first draft is accepted."""
    return summary(prompt.plan)


def links(plan: SemanticPlan) -> list[Comparison]:
    """The tightest supported comparisons: none has another between its two atoms, in the order of rank."""
    atoms, margin = plan.atoms, plan.terms.margin
    nearest = [
        next((low for low in range(high + 1, len(atoms)) if _is_above(atoms[high], atoms[low], margin)), len(atoms))
        for high in range(len(atoms))
    ]
    return [
        Comparison(atoms[high].index, atoms[low].index)
        for high, low in enumerate(nearest)
        if low < len(atoms) and nearest[high + 1] > low
    ]


def _is_above(high: ReleasedAtom, low: ReleasedAtom, margin: int) -> bool:
    return kernel.compare(high.mass, low.mass, margin) == 1


def _count(plan: SemanticPlan) -> str:
    return sentence(Count(len(plan.atoms)), plan.terms)


def _row(atom: ReleasedAtom, plan: SemanticPlan) -> str:
    terms = plan.terms
    mass = kernel.rounded(atom.mass, terms.mass_unit, 10**terms.mass_digits)
    support = kernel.rounded(max(atom.mass, 0), terms.denominator, 10**terms.support_digits)
    return row(
        [
            Mass(atom.index, mass, terms.mass_digits),
            Support(atom.index, support, terms.support_digits),
            Bin(atom.index, atom.bin),
            Rank(atom.index, atom.rank),
        ],
        terms,
    )


def _closing(plan: SemanticPlan) -> list[str]:
    value = parameters(plan.terms)
    denominator = sentence(Parameter("denominator", value["denominator"]), plan.terms)
    return [denominator, f"The plan was released with epsilon {value['epsilon']} and delta {value['delta']}."]


def _accepted(blocks: list[list[str]], plan: SemanticPlan) -> str:
    """The blocks as a text that the verifier accepts: lines that an odd label makes unreadable are left out.

    A universe with the labels "Fees" and "Fees: noisy" turns an honest line about the first into the second's name.
    """
    verifier = Verifier(plan)
    if plan.terms.stamp is not None:
        blocks = [[plan.terms.stamp], *blocks]
    if verifier.verify(_text(blocks)).accepted:
        return _text(blocks)
    kept: list[list[str]] = []
    for block in blocks:
        kept.append([])
        for line in block:
            if verifier.verify(_text([*kept[:-1], [*kept[-1], line]])).accepted:
                kept[-1].append(line)
    if not any(kept):
        raise ImpossibleError("no sentence about the plan can be verified")
    return _text(kept)


def _text(blocks: list[list[str]]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"
