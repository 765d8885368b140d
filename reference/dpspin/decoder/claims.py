"""What a summary may say: one closed union of claims, each decided by the plan alone (paper Definition 3.7).

Atoms are positions in the universe, bins positions in `PlanTerms.bins`.  A written number is kept as the integer
`numerator` and the count of `digits` after its point, so that 512.40 and 512.4 are different claims.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from dpspin import kernel
from dpspin.decimals import exact, shown
from dpspin.plan import PlanTerms, ReleasedAtom, SemanticPlan, shown_mass, shown_support
from dpspin.settings import Exact

STAMP = "stamp"
"""Id under which a plan's stamp is a public text."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The atom is released."""

    atom: int


@dataclass(frozen=True, slots=True)
class Mass:
    """The atom's noisy mass is numerator / 10^digits, to that many digits."""

    atom: int
    numerator: int
    digits: int


@dataclass(frozen=True, slots=True)
class Support:
    """The atom's normalised support is numerator / 10^digits, to that many digits."""

    atom: int
    numerator: int
    digits: int


@dataclass(frozen=True, slots=True)
class Bin:
    """The atom lies in this bin; bin 0 is "below the noise floor"."""

    atom: int
    bin: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left` has more support than `right`, by the margin or more."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Similarity:
    """The two masses differ by less than the margin."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Above:
    """`left` stands before `right` in the order of ranks, by whatever margin."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Rank:
    """The atom has this rank, counted from 1."""

    atom: int
    rank: int


@dataclass(frozen=True, slots=True)
class Count:
    """So many atoms are released, in all (bin None) or in one bin."""

    count: int
    bin: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A public parameter, by its name in `parameters`, has this exact value, as written."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PublicText:
    """A public text, verbatim, by its id."""

    id: str


Claim: TypeAlias = (
    Mention | Mass | Support | Bin | Comparison | Similarity | Above | Rank | Count | Parameter | PublicText
)


def parameters(terms: PlanTerms) -> dict[str, str]:
    """The public parameters that a summary may state, by name, with their exact values."""
    return {
        "epsilon": terms.epsilon.lower(),
        "delta": terms.delta.lower(),
        "denominator": exact(Fraction(terms.denominator, terms.mass_unit)),
        "plan size": str(terms.plan_size),
    }


def atoms(claim: Claim) -> tuple[int, ...]:
    """The atoms that a claim is about."""
    match claim:
        case Comparison(left, right) | Similarity(left, right) | Above(left, right):
            return left, right
        case Count() | Parameter() | PublicText():
            return ()
    return (claim.atom,)


def supported(claim: Claim, plan: SemanticPlan) -> bool:
    """Whether the plan alone supports a claim; whatever is unknown or ill-formed is unsupported."""
    terms = plan.terms
    match claim:
        case PublicText(id_):
            return id_ in terms.public_text or (id_ == STAMP and terms.stamp is not None)
        case Parameter(name, text):
            return _equal(parameters(terms).get(name), text)
        case Above(left, right):  # two claims about ranks in one: the kernel knows no other
            return supported(Mention(left), plan) and supported(Mention(right), plan) and _is_before(left, right, plan)
    integers = _integers(claim, terms)
    if integers is None or any(type(number) is not int for number in integers):
        return False
    return kernel.claim_supported(
        plan.pairs, integers, terms.mass_unit, terms.margin, terms.floor, terms.denominator, list(terms.cuts),
        terms.cut_scale,
    )  # fmt: skip


def _is_before(left: int, right: int, plan: SemanticPlan) -> bool:
    return kernel.rank_of(plan.pairs, left) < kernel.rank_of(plan.pairs, right)


def _integers(claim: Claim, terms: PlanTerms) -> kernel.Claim | None:
    """The claim as the kernel takes it; None where it is coarser than the display or names no bin."""
    integers: kernel.Claim | None = None
    match claim:
        case Mention(atom):
            integers = (kernel.MENTION, atom, 0, 0)
        case Mass(atom, numerator, digits) if digits >= terms.mass_digits:
            integers = (kernel.MASS, atom, 10**digits, numerator)
        case Support(atom, numerator, digits) if digits >= terms.support_digits:
            integers = (kernel.SUPPORT, atom, 10**digits, numerator)
        case Bin(atom, bin_):
            integers = (kernel.BIN, atom, 0, bin_)
        case Comparison(left, right):
            integers = (kernel.COMPARISON, left, right, 0)
        case Similarity(left, right):
            integers = (kernel.SIMILARITY, left, right, 0)
        case Rank(atom, rank):
            integers = (kernel.RANK, atom, 0, rank)
        case Count(count, bin_) if bin_ is None or 0 <= bin_ < len(terms.bins):
            integers = (kernel.COUNT, 0, -1 if bin_ is None else bin_, count)
    return integers


def _equal(value: str | None, written: str) -> bool:
    try:
        return value is not None and Exact(value) == Exact(written)
    except ValueError:
        return False


def describe(claim: Claim, plan: SemanticPlan) -> str:
    """What the plan says about the objects of a claim, in words for reports: "mass 118.4", "rank 1"."""
    atoms = {atom.index: atom for atom in plan.atoms}
    words = "not released"
    match claim:
        case PublicText(id_):
            words = f"public text {id_}"
        case Parameter(name, _):
            words = f"{name} {parameters(plan.terms).get(name, 'is not public')}"
        case Count(_, bin_):
            words = f"count {sum(bin_ in (None, atom.bin) for atom in plan.atoms)}"
        case Comparison(left, right) | Similarity(left, right):
            if left in atoms and right in atoms:
                words = _apart(atoms[left].mass - atoms[right].mass, plan.terms)
        case Above(left, right):
            if left in atoms and right in atoms:
                words = f"rank {atoms[left].rank} against rank {atoms[right].rank}"
        case _ if claim.atom in atoms:
            words = _value(claim, atoms[claim.atom], plan)
    return words


def _value(claim: Mention | Mass | Support | Bin | Rank, atom: ReleasedAtom, plan: SemanticPlan) -> str:
    words = "released"
    match claim:
        case Mass():
            words = f"mass {shown_mass(plan, atom)}"
        case Support():
            words = f"support {shown_support(plan, atom)}"
        case Rank():
            words = f"rank {atom.rank}"
        case Bin() if atom.bin == 0:
            words = "mass {}, noise floor {}".format(*_distinct(atom.mass, plan.terms.floor, plan.terms))
        case Bin():
            words = f"support {shown_support(plan, atom)}, {plan.terms.bins[atom.bin]} bin"
    return words


def _apart(difference: int, terms: PlanTerms) -> str:
    return "differ by {}, margin {}".format(*_distinct(difference, terms.margin, terms))


def _distinct(left: int, right: int, terms: PlanTerms) -> tuple[str, str]:
    """Two masses, with as many digits as it takes to tell them apart: "13.8 against 13.8" would explain nothing."""
    digits = terms.mass_digits
    while left != right and shown(left, terms.mass_unit, digits) == shown(right, terms.mass_unit, digits):
        digits += 1
    return shown(left, terms.mass_unit, digits), shown(right, terms.mass_unit, digits)
