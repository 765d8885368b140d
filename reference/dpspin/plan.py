"""The semantic plan: the only thing that crosses from the curator to the decoder (paper section 3.4).

A plan holds released integers and public parameters, nothing else; its file has every number as an exact decimal.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any

from dpspin import canonical, kernel, plan_shape
from dpspin.adjacency import MASS_UNIT
from dpspin.decimals import exact, shown
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.plan_file import SCHEMA, Completed, PlanFile, checked, completed, is_close
from dpspin.universe import Universe

BELOW_FLOOR = plan_shape.BELOW_FLOOR
SEEDED = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted."
INJECTED = "NON-PRIVATE: the noise of this plan was put in from outside."


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """The public parameters by which a plan is read; all integers are in lattice units unless said otherwise."""

    universe: Universe
    """All m atoms, admitted or not: a text may name none but the admitted ones."""
    mechanism: str
    epsilon: str
    delta: str
    """Both as written in the deployment."""
    plan_size: int
    """L."""
    mass_unit: int
    """Lattice units in one unit of mass."""
    denominator: int
    """The public denominator, times mass_unit."""
    bins: tuple[str, ...]
    """Names, the first being "below noise floor"."""
    cuts: tuple[int, ...]
    """Lower cuts of bins 2, 3, ... on the normalised support, times cut_scale (bin 1 begins above the floor)."""
    cut_scale: int
    floor: int
    """tau: a mass at or below it may be noise alone."""
    margin: int
    """gamma: least difference that may be put into words."""
    mass_digits: int
    """Digits after the point of a displayed mass."""
    support_digits: int
    """Digits after the point of a displayed support."""
    public_text: Mapping[str, str]
    """Sentences that may stand in a summary verbatim, by id."""
    stamp: str | None
    """Why this plan must not be relied on (SEEDED, INJECTED), or None."""


@dataclass(frozen=True, slots=True)
class ReleasedAtom:
    """One admitted atom."""

    index: int
    label: str
    mass: int
    """Noisy mass in lattice units, raw: never clipped or rounded."""
    bin: int
    """Position in PlanTerms.bins."""
    rank: int
    """1 for the largest mass; the lower index wins a tie."""


@dataclass(frozen=True, slots=True)
class SemanticPlan:
    """Admitted atoms in rank order, and the terms by which they are read."""

    atoms: tuple[ReleasedAtom, ...]
    terms: PlanTerms

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The plan as the kernel takes it: (atom, noisy mass)."""
        return [(atom.index, atom.mass) for atom in self.atoms]


def terms_of(deployment: Deployment, universe: Universe, floor: int, stamp: str | None = None) -> PlanTerms:
    """The public terms of a deployment's plans, the margin rule included (spec.md section 4).

    Args:
        deployment: what was declared.
        universe: the atoms.
        floor: tau in lattice units (`accounting.utility.noise_floor`).
        stamp: why the plan must not be relied on, or None.
    """
    shape = deployment.plan
    scale = lcm(*(b.from_.denominator for b in shape.bins))
    margin = 2 * floor if shape.margin == "rule" else -(-shape.margin * MASS_UNIT // 1)
    return PlanTerms(
        universe=universe,
        mechanism=deployment.mechanism.kind,
        epsilon=deployment.mechanism.epsilon.text,
        delta=deployment.mechanism.delta.text,
        plan_size=shape.size,
        mass_unit=MASS_UNIT,
        denominator=int(shape.public_denominator * MASS_UNIT),
        bins=(BELOW_FLOOR, *(b.name for b in shape.bins)),
        cuts=tuple(int(b.from_ * scale) for b in shape.bins[1:]),
        cut_scale=scale,
        floor=floor,
        margin=int(margin),
        mass_digits=shape.display.mass_digits,
        support_digits=shape.display.support_digits,
        public_text=MappingProxyType(dict(deployment.decoder.public_text)),
        stamp=stamp,
    )


def build(pairs: list[tuple[int, int]], terms: PlanTerms) -> SemanticPlan:
    """The plan of released (atom, noisy mass) pairs; everything in it is a function of them and of public terms."""
    atoms = [
        ReleasedAtom(
            index,
            terms.universe.labels[index],
            mass,
            kernel.support_bin(mass, terms.floor, terms.denominator, list(terms.cuts), terms.cut_scale),
            kernel.rank_of(pairs, index),
        )
        for index, mass in pairs
    ]
    return SemanticPlan(tuple(sorted(atoms, key=lambda atom: atom.rank)), terms)


def shown_mass(plan: SemanticPlan, atom: ReleasedAtom) -> str:
    """The noisy mass as texts show it."""
    return shown(atom.mass, plan.terms.mass_unit, plan.terms.mass_digits)


def shown_support(plan: SemanticPlan, atom: ReleasedAtom) -> str:
    """The normalised support q = max(mass, 0) / denominator as texts show it; not a fraction of units."""
    return shown(max(atom.mass, 0), plan.terms.denominator, plan.terms.support_digits)


def encode(plan: SemanticPlan) -> bytes:
    """Canonical bytes of plan.json; `plan_id` is the digest of the rest."""
    terms = plan.terms
    lowers = (None, "0", *(exact(Fraction(cut, terms.cut_scale)) for cut in terms.cuts))
    body: dict[str, object] = {
        "schema": SCHEMA,
        "universe": [
            {"index": index, "label": label} | ({} if text is None else {"description": text})
            for index, (label, text) in enumerate(zip(terms.universe.labels, terms.universe.descriptions, strict=True))
        ],
        "released": [
            {
                "index": atom.index,
                "label": atom.label,
                "noisy_mass": exact(Fraction(atom.mass, terms.mass_unit)),
                "support": shown_support(plan, atom).replace(",", ""),
                "bin": terms.bins[atom.bin],
                "rank": atom.rank,
            }
            for atom in plan.atoms
        ],
        "public_denominator": exact(Fraction(terms.denominator, terms.mass_unit)),
        "bins": [{"name": name, "lower": lower} for name, lower in zip(terms.bins, lowers, strict=True)],
        "noise_floor": exact(Fraction(terms.floor, terms.mass_unit)),
        "margin": exact(Fraction(terms.margin, terms.mass_unit)),
        "plan_size": terms.plan_size,
        "mechanism": terms.mechanism,
        "epsilon": terms.epsilon,
        "delta": terms.delta,
        "display": {"mass_dp": terms.mass_digits, "support_dp": terms.support_digits},
        "public_text": terms.public_text,
        "stamp": terms.stamp,
    }
    return canonical.dumps({"plan_id": _digest(body), **body})


def _digest(body: Mapping[str, object]) -> str:
    return canonical.digest(canonical.dumps(body))[:16]


def decode(data: bytes, place: str) -> SemanticPlan:
    """Read a plan and recompute what follows from its masses.

    Raises:
        UsageError: when a field is missing or unusable, or when a label, support, bin, rank or plan_id does not follow.
    """
    return from_tree(canonical.loads(data, place), place)


def from_tree(tree: Any, place: str) -> SemanticPlan:
    """As `decode`, from a tree of `canonical.loads`."""
    file = checked(tree, place)
    filled = completed(file)
    terms = _terms(file, filled)
    masses = [(filled.positions[row.index], int(row.noisy_mass * terms.mass_unit)) for row in file.released]
    plan = build(masses, terms)
    for field, written, value in _consequences(plan, file, tree):
        if written != value:
            raise UsageError(f"{place}: {field}", f"{str(written)!a:.80} does not follow", f"write {str(value)!a:.80}")
    return plan


def _consequences(plan: SemanticPlan, file: PlanFile, tree: Mapping[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Every field that follows from others: its path, what is written, what follows."""
    universe, positions = plan.terms.universe, completed(file).positions
    atoms = {atom.index: atom for atom in plan.atoms}
    for at, row in enumerate(file.released):
        atom = atoms[positions[row.index]]
        yield f"released.{at}.label", row.label, atom.label
        if row.description is not None:
            yield f"released.{at}.description", row.description, universe.descriptions[atom.index]
        if file.schema_ is not None or not is_close(
            row.support, Fraction(max(atom.mass, 0), plan.terms.denominator), plan.terms.support_digits
        ):
            yield f"released.{at}.support", row.support, Fraction(shown_support(plan, atom).replace(",", ""))
        yield f"released.{at}.bin", row.bin, plan.terms.bins[atom.bin]
        yield f"released.{at}.rank", row.rank, atom.rank
    if file.schema_ is not None:
        yield "plan_id", file.plan_id, _digest({name: value for name, value in tree.items() if name != "plan_id"})


def _terms(file: PlanFile, filled: Completed) -> PlanTerms:
    """The terms of a plan file, on the coarsest lattice that holds all its numbers."""
    lengths = (*(row.noisy_mass for row in file.released), filled.floor, file.margin, file.public_denominator)
    unit = lcm(MASS_UNIT, *(value.denominator for value in lengths))
    cuts = filled.lowers[1:]
    scale = lcm(*(cut.denominator for cut in cuts))
    rows = sorted(file.universe, key=lambda row: row.index)
    return PlanTerms(
        universe=Universe(tuple(row.label for row in rows), tuple(row.description for row in rows)),
        mechanism=file.mechanism,
        epsilon=file.epsilon.text,
        delta=file.delta.text,
        plan_size=file.plan_size,
        mass_unit=unit,
        denominator=int(file.public_denominator * unit),
        bins=filled.bins,
        cuts=tuple(int(cut * scale) for cut in cuts),
        cut_scale=scale,
        floor=int(filled.floor * unit),
        margin=int(file.margin * unit),
        mass_digits=filled.mass_digits,
        support_digits=filled.support_digits,
        public_text=file.public_text,
        stamp=file.stamp,
    )
