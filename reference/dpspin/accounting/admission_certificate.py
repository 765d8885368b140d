"""Certificates of admission with Gaussian values: the least common factor, with all that a stranger needs to check it.

    {schema, mechanism, adjacency, mass_bound, plan_size, universe_size, selection_share, epsilon, delta, split:
     {exponent, sigma_hex}, factor, exponent, sigma_hex, delta_lo, delta_hi, bits, predecessor: {factor, delta_lo},
     theorem, checker_sha256, seal}

Numbers are rationals in lowest terms, in units of mass.  The split keeps the claim by composition; its exponent is
divided by `factor`, a multiple of 10^-6, and its sigma multiplied by it and rounded up to binary64.  delta_lo and
delta_hi are neighbours on the grid of 2^-bits and enclose the closed form at epsilon; bits is the least that tells it,
and that of the factor before, from the claim.  `python admission_check.py FILE` computes all of this again.  Of the
universe it needs no more than whether it is larger than the plan.
"""

from bisect import bisect_left
from fractions import Fraction
from math import ceil, floor

from dpspin import canonical
from dpspin.accounting import admission
from dpspin.accounting.admission import Admission
from dpspin.accounting.certified import Ends
from dpspin.accounting.split import GRID, PeelingClaim, least_by_closed_form
from dpspin.enclosure import MOST_BITS
from dpspin.errors import UsageError

SCHEMA = "dpspin-admission-certificate/1"
MOST_ROUNDS = 64
"""Bounds the work of the checker, whose sums take a few seconds there."""
THEOREM = "Admission by peeling, Theorems 3 and 4 (docs/accounting.md)"


def certify(claim: PeelingClaim, checker_sha256: str) -> bytes:
    """The certificate of the least factor, as canonical JSON.

    Args:
        claim: what is to be met.
        checker_sha256: digest of the checker that will read it.

    Raises:
        UsageError: where the closed form decides nothing, or certifies nothing that composition does not.
    """
    if claim.rounds > MOST_ROUNDS:
        raise UsageError("plan-size", f"{claim.rounds} rounds are not certified", f"ask for at most {MOST_ROUNDS}")
    split = claim.split()
    factor = least_by_closed_form(split, claim.epsilon, claim.delta)
    if not GRID < factor <= 1:
        raise UsageError("private_top_l", "no factor below 1 is certified", "calibrate selection and values apart")
    kept, before = split.at(factor), factor - GRID
    bits, found, failing = _settled(claim, kept, split.at(before))
    grid = Fraction(1, 2**bits)
    low = floor(found.low * 2**bits)
    tree: dict[str, object] = {
        "schema": SCHEMA, "mechanism": "private_top_l", "adjacency": claim.adjacency, "mass_bound": claim.mass_bound,
        "plan_size": claim.plan_size, "universe_size": claim.universe_size, "epsilon": claim.epsilon,
        "selection_share": claim.selection_share, "delta": claim.delta, "factor": factor,
        "split": {"exponent": split.per_round / claim.mass_bound, "sigma_hex": split.sigma.hex()},
        "exponent": kept.per_round / claim.mass_bound, "sigma_hex": split.sigma_at(factor).hex(),
        "delta_lo": low * grid, "delta_hi": (low + 1) * grid, "bits": bits,
        "predecessor": {"factor": before, "delta_lo": floor(failing.low * 2**bits) * grid},
        "theorem": THEOREM, "checker_sha256": checker_sha256,
    }  # fmt: skip
    return canonical.dumps(tree | {"seal": canonical.digest(canonical.dumps(tree))})


def _settled(claim: PeelingClaim, kept: Admission, before: Admission) -> tuple[int, Ends, Ends]:
    """The least bits whose grid tells both from the claim, and enclosures that lie between two grid points."""
    extra = 32
    while True:
        found, failing = (_narrow(claim, one, extra) for one in (kept, before))
        bits = _coarsest(claim.delta, found, failing)
        if all(ends.high * 2**bits <= floor(ends.low * 2**bits) + 1 for ends in (found, failing)):
            return bits, found, failing
        extra *= 2


def _narrow(claim: PeelingClaim, one: Admission, extra: int) -> Ends:
    wanted = claim.delta / 2**extra
    return admission.enclose(one, claim.epsilon, lambda ends: ends.high - ends.low < wanted, claim.delta / 2**extra)


def _coarsest(delta: Fraction, found: Ends, failing: Ends) -> int:
    """Finer grids tell whatever a coarser one tells, so that bisection finds the coarsest."""

    def tells(bits: int) -> bool:
        grid = 1 << bits
        return ceil(found.high * grid) <= delta * grid < floor(failing.low * grid)

    return bisect_left(range(MOST_BITS), True, key=tells)
