"""The semantic plan: the only thing that crosses from the curator to the decoder (paper section 3.4).

A plan holds released integers and public parameters, nothing else.  Its file is the neutral layout that `verify` reads
from strangers too, with every number an exact decimal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from dpspin import canonical, kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.deployment import Deployment
from dpspin.enclosure import laplace_floor
from dpspin.errors import UsageError
from dpspin.universe import Universe

SCHEMA = "dpspin-plan/1"
BELOW_FLOOR = "below noise floor"
SEEDED = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted."


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """The public parameters by which a plan is read; all integers are in lattice units unless said otherwise."""

    universe: Universe
    """All m atoms, admitted or not: a text may name none but the admitted ones."""
    mechanism: str
    epsilon: str
    """As written in the deployment."""
    delta: str
    """As written in the deployment."""
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
    """Why this plan must not be relied on (SEEDED), or None."""


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


def terms_of(deployment: Deployment, universe: Universe, stamp: str | None = None) -> PlanTerms:
    """The public terms of a deployment's plans, noise floor and margin rule included (spec.md section 4)."""
    shape = deployment.plan
    scale = lcm(*(b.from_.denominator for b in shape.bins))
    floor = laplace_floor(deployment.noise_scale(len(universe)), len(universe), shape.noise_beta)
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
        public_text=dict(deployment.decoder.public_text),
        stamp=stamp,
    )


def build(pairs: list[tuple[int, int]], terms: PlanTerms) -> SemanticPlan:
    """The plan of released (atom, noisy mass) pairs; everything in it is a function of them and of public terms."""
    cuts = list(terms.cuts)
    atoms = [
        ReleasedAtom(
            index,
            terms.universe.labels[index],
            mass,
            kernel.support_bin(mass, terms.floor, terms.denominator, cuts, terms.cut_scale),
            kernel.rank_of(pairs, index),
        )
        for index, mass in pairs
    ]
    return SemanticPlan(tuple(sorted(atoms, key=lambda atom: atom.rank)), terms)


def shown(numerator: int, denominator: int, digits: int) -> str:
    """numerator / denominator as a decimal with `digits` digits after the point, half to even, thousands grouped."""
    scaled = kernel.rounded(numerator, denominator, 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    fraction = f".{rest:0{digits}d}" if digits else ""
    return f"{'-' if scaled < 0 else ''}{whole:,}{fraction}"


def shown_mass(plan: SemanticPlan, atom: ReleasedAtom) -> str:
    """The noisy mass as texts show it."""
    return shown(atom.mass, plan.terms.mass_unit, plan.terms.mass_digits)


def shown_support(plan: SemanticPlan, atom: ReleasedAtom) -> str:
    """The normalised support q = max(mass, 0) / denominator as texts show it; not a fraction of units."""
    return shown(max(atom.mass, 0), plan.terms.denominator, plan.terms.support_digits)


def exact(value: Fraction) -> str:
    """A rational written out in full: as a decimal where one exists, else as a fraction."""
    rest, digits = value.denominator, 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest, digits = rest // (10 if rest % 10 == 0 else 5 if rest % 5 == 0 else 2), digits + 1
    return str(value) if rest > 1 else shown(value.numerator, value.denominator, digits).replace(",", "")


def encode(plan: SemanticPlan) -> bytes:
    """Canonical bytes of plan.json; `plan_id` is the digest of the rest."""
    terms = plan.terms
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
        "bins": [
            {"name": name, "lower": lower}
            for name, lower in zip(
                terms.bins, (None, "0", *(exact(Fraction(cut, terms.cut_scale)) for cut in terms.cuts)), strict=True
            )
        ],
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
    return canonical.dumps({"plan_id": canonical.digest(canonical.dumps(body))[:16], **body})


def decode(data: bytes, place: str) -> SemanticPlan:
    """Read a plan and recompute what follows from its masses.

    Raises:
        UsageError: when a field is missing or unusable, or when a support, bin or rank does not follow from the masses.
    """
    tree = canonical.loads(data, place)
    try:
        terms = _terms(tree)
        plan = build(
            [(row["index"], int(Fraction(row["noisy_mass"]) * terms.mass_unit)) for row in tree["released"]], terms
        )
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        raise UsageError(place, f"not a plan ({type(error).__name__}: {error})", "restore the plan as it was released") from error
    written = sorted(tree["released"], key=lambda row: str(row.get("rank")).zfill(9))
    for atom, row in zip(plan.atoms, written, strict=True):
        follows = {
            "label": atom.label,
            "support": shown_support(plan, atom),
            "bin": terms.bins[atom.bin],
            "rank": atom.rank,
        }
        for field, value in follows.items():
            if str(row.get(field)) != str(value).replace(",", "") and row.get(field) != value:
                raise UsageError(
                    f"{place}: released {atom.index}: {field}", f"{row.get(field)!a} does not follow from the masses",
                    f"write {value!a}",
                )  # fmt: skip
    return plan


def _terms(tree: Mapping[str, Any]) -> PlanTerms:
    """The terms of a plan file, on the coarsest lattice that holds all its numbers."""
    masses = [Fraction(row["noisy_mass"]) for row in tree["released"]]
    floor, margin = Fraction(tree["noise_floor"]), Fraction(tree["margin"])
    denominator = Fraction(tree["public_denominator"])
    unit = lcm(MASS_UNIT, *(value.denominator for value in (*masses, floor, margin, denominator)))
    cuts = [Fraction(row["lower"]) for row in tree["bins"][2:]]
    scale = lcm(*(cut.denominator for cut in cuts))
    return PlanTerms(
        universe=Universe(
            tuple(row["label"] for row in tree["universe"]), tuple(row.get("description") for row in tree["universe"])
        ),
        mechanism=tree["mechanism"],
        epsilon=tree["epsilon"],
        delta=tree["delta"],
        plan_size=tree["plan_size"],
        mass_unit=unit,
        denominator=int(denominator * unit),
        bins=tuple(row["name"] for row in tree["bins"]),
        cuts=tuple(int(cut * scale) for cut in cuts),
        cut_scale=scale,
        floor=int(floor * unit),
        margin=int(margin * unit),
        mass_digits=tree["display"]["mass_dp"],
        support_digits=tree["display"]["support_dp"],
        public_text=tree.get("public_text", {}),
        stamp=tree.get("stamp"),
    )
