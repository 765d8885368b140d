"""The deterministic writer: a plan as a summary that people can read and the verifier can parse.

It states only the tightest supported comparisons: every other supported one follows from them and the ranks.
Similar support is never stated, since readers chain it and it does not chain (spec.md section 4).
"""

from itertools import chain, groupby

from dpspin import kernel
from dpspin.decoder import claims_file
from dpspin.decoder.attempts import Attempt, Prompt
from dpspin.decoder.claims import (
    Bin,
    Claim,
    Comparison,
    Count,
    Mass,
    Parameter,
    PublicText,
    Rank,
    Support,
    parameters,
)
from dpspin.decoder.structured import render
from dpspin.decoder.verifier import Verifier
from dpspin.decoder.wording import lines
from dpspin.errors import ImpossibleError
from dpspin.plan import ReleasedAtom, SemanticPlan


def summary(plan: SemanticPlan) -> str:
    """The whole plan in words; the verifier accepts it."""
    return render(claims(plan), plan)


def claims(plan: SemanticPlan) -> list[Claim]:
    """The whole plan as claims, whose text the verifier accepts."""
    terms = plan.terms
    said: list[Claim] = [Count(len(plan.atoms)), *(PublicText(id_) for id_ in sorted(terms.public_text))]
    for bin_, members in groupby(plan.atoms, key=lambda atom: atom.bin):
        rows = [_details(atom, plan) for atom in members]
        said += [Count(len(rows), bin_), *chain.from_iterable(rows)]
    return _sayable([*said, *links(plan), *_closing(plan)], plan)


def fallback(plan: SemanticPlan) -> str:
    """A shorter summary of the same plan, for when every attempt was rejected; the verifier accepts it."""
    rows = chain.from_iterable(_details(atom, plan) for atom in plan.atoms)
    return render(_sayable([Count(len(plan.atoms)), *rows, *_closing(plan)], plan), plan)


def decoder(prompt: Prompt, _: tuple[Attempt, ...]) -> str:
    """The template as a writer for the loop; its first draft is accepted."""
    said = claims(prompt.plan)
    return claims_file.encode(said, prompt.plan.terms) if prompt.mode == "structured" else render(said, prompt.plan)


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


def _details(atom: ReleasedAtom, plan: SemanticPlan) -> list[Claim]:
    terms = plan.terms
    mass = kernel.rounded(atom.mass, terms.mass_unit, 10**terms.mass_digits)
    support = kernel.rounded(max(atom.mass, 0), terms.denominator, 10**terms.support_digits)
    return [
        Mass(atom.index, mass, terms.mass_digits),
        Support(atom.index, support, terms.support_digits),
        Bin(atom.index, atom.bin),
        Rank(atom.index, atom.rank),
    ]


def _closing(plan: SemanticPlan) -> list[Claim]:
    values = parameters(plan.terms)
    return [Parameter(name, values[name]) for name in ("denominator", "epsilon", "delta")]


def _sayable(said: list[Claim], plan: SemanticPlan) -> list[Claim]:
    """The claims whose text the verifier accepts: lines that an odd label makes unreadable are left out.

    A universe with the labels "Fees" and "Fees: noisy" turns an honest line about the first into the second's name.
    """
    verifier = Verifier(plan)

    def _is_accepted(kept: list[Claim]) -> bool:
        return verifier.verify(render(kept, plan)).accepted

    if _is_accepted(said):
        return said
    written = [list(line.claims) for line in lines(said, plan.terms)]
    alone = [line for line in written if _is_accepted(line)]
    kept = list(chain.from_iterable(alone))
    if not _is_accepted(kept):  # some label runs over the end of a line
        kept = []
        for line in alone:
            kept += line if _is_accepted(kept + line) else []
    if not kept and plan.terms.stamp is None:
        raise ImpossibleError("no sentence about the plan can be verified")
    return kept
