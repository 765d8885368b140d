"""A deployment's own numbers as theorems: what one protected unit can change, and what the released plan then costs.

`instance` writes a short Coq source about the translated kernel at the deployment's m, B, L, noise and relation, the
same bytes for the same deployment.  Its first theorem is the sensitivity of the sketch in lattice units.  The second is
what the released plan costs, and whatever is computed from it: pure differential privacy at an exact rational epsilon
where the noise is discrete Laplace.  Where it is Gaussian, there are two: (epsilon, delta) on the premise that rounded
noise keeps the pair which Balle and Wang (2018) give continuous noise, and a larger epsilon on no premise.
"""

from fractions import Fraction
from textwrap import fill
from typing import NamedTuple

from dpspin import canonical
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Noise, Peeling, calibrate, value_epsilon
from dpspin.accounting.certified import tight_epsilon
from dpspin.accounting.gaussian import meets
from dpspin.accounting.search import rounded_up
from dpspin.adjacency import MASS_UNIT, Adjacency, sensitivity
from dpspin.curator.sketch import bound
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin_proofs import renyi
from dpspin_proofs.clauses import (
    ALL_ADMITTED,
    ALL_GAUSSIAN,
    ALSO_LISTED,
    ASSUMED,
    COVERED,
    DEFINED,
    GAUSSIAN,
    GAUSSIAN_ALSO,
    LAPLACE,
    LISTED,
    PLAN,
    PREMISE,
    SENSITIVITY,
    SINGLE,
    TOP_L,
    TOP_L_GAUSSIAN,
)
from dpspin_proofs.register import Theorem, register

FILE = "Deployment"

RELATIONS = {
    ("record", "add_drop"): ("record_add_remove", "x D D'", ["Permutation D' (x :: D)"]),
    ("record", "replacement"): (
        "record_replace", "x y E D D'", ["Permutation D (x :: E)", "Permutation D' (y :: E)"],
    ),
    ("user", "add_drop"): (
        "user_add_remove", "u X D D'", ["owned_by u X", "not_owned_by u D", "Permutation D' (D ++ X)"],
    ),
    ("user", "replacement"): (
        "user_replace", "u u' X Y E D D'",
        [
            "owned_by u X", "not_owned_by u E", "owned_by u' Y", "not_owned_by u' E", "Permutation D (E ++ X)",
            "Permutation D' (E ++ Y)",
        ],
    ),
}  # fmt: skip
"""The theorem of each relation, what it is about, and when two corpora are neighbours."""
GAP = "gaussian"
"""Name of the gap of deployments whose noise is Gaussian."""
UNITS = {"record": "record", "user": "user with all records"}
CHANGES = {"add_drop": "comes or goes", "replacement": "is exchanged"}
SUPPOSED = "If rounded noise keeps the epsilon and delta of continuous noise (Balle and Wang 2018), "
WITH_DELTA = "{what} costs at most epsilon {epsilon} with delta {delta} {where}."


class Instance(NamedTuple):
    """A generated source and its theorems."""

    source: str
    theorems: tuple[Theorem, ...]


class _Cost(NamedTuple):
    """A proof, the theorem that it applies, the epsilon that it shows, and words of the statement and the proof."""

    proof: str
    lemma: str
    epsilon: Fraction
    words: dict[str, str]
    name: str = "deployment_plan"
    gaps: tuple[str, ...] = ()
    says: str = "{what} costs at most epsilon {epsilon} {where}."


def instance(deployment: Deployment, digest: str, atoms: int) -> Instance:
    """The theorems about one deployment.

    Args:
        deployment: public parameters.
        digest: SHA-256 of the deployment file's bytes.
        atoms: m, the size of its universe.
    """
    noise = calibrate(deployment, atoms)
    added = noise.values if isinstance(noise, Peeling) else noise
    if gaussian := isinstance(added, GaussianNoise):
        costs, listed = _gaussian(deployment, noise, added, atoms), LISTED + ALSO_LISTED
    else:
        costs, listed = (_laplace(deployment, noise, added, atoms),), LISTED
    source, moves = _sensitivity(deployment, digest, atoms, (listed, GAUSSIAN_ALSO if gaussian else ""))
    source += DEFINED.format(**costs[0].words)
    found = [Theorem("deployment_sensitivity", FILE, f"dpspin.kernel.{_sketch(deployment)}", moves, (), (), ())]
    axioms = {theorem.name: theorem.axioms for theorem in register().theorems}
    for cost in costs:
        says, rests = _sentence(deployment, cost), axioms[f"{cost.lemma}_{deployment.unit}"]
        source += _plan(deployment, cost, says)
        found.append(Theorem(cost.name, FILE, "dpspin.curator.release.release", says, (), rests, cost.gaps))
    return Instance(source, tuple(found))


def source_digest(made: Instance) -> str:
    """SHA-256 of the generated source."""
    return canonical.digest(made.source.encode())


def _sensitivity(deployment: Deployment, digest: str, atoms: int, head: tuple[str, str]) -> tuple[str, str]:
    """The first theorem and its sentence."""
    lemma, variables, neighbours = RELATIONS[deployment.unit, deployment.adjacency]
    moved = sensitivity(deployment.adjacency, deployment.mass_bound, atoms)
    l1, l2, coordinate = (
        int(value) for value in (moved.l1 * MASS_UNIT, moved.l2_squared * MASS_UNIT**2, moved.coordinate * MASS_UNIT)
    )
    source = SENSITIVITY.format(
        digest=digest, atoms=atoms, bound=bound(deployment), unit=deployment.unit, listed=head[0], also=head[1],
        variables=variables, neighbours=" ->\n  ".join(neighbours), lemma=lemma, coordinate=coordinate, l1=l1, l2=l2,
        sketch=_sketch(deployment),
        moved="0 <= d j" if deployment.adjacency == "add_drop" else "Z.abs (d j)",
        given=" ".join(f"H{number}" for number in range(len(neighbours))),
        single=SINGLE if (atoms, deployment.adjacency) == (1, "replacement") else "",
    )  # fmt: skip
    who = f"Where one {UNITS[deployment.unit]} {CHANGES[deployment.adjacency]}, the sketch of {atoms} atoms moves"
    return (
        source,
        f"{who} by at most {coordinate} lattice units an atom, {l1} in total, and {l2} in the sum of squares.",
    )


def _laplace(deployment: Deployment, noise: Noise, added: LaplaceNoise, atoms: int) -> _Cost:
    """What a plan under discrete Laplace noise costs."""
    most, rounds = bound(deployment), min(deployment.plan.size, atoms)
    twice = deployment.adjacency == "replacement" and atoms > 1
    words = {
        "shift": str(most * (1 + twice)),
        "rounds": str(rounds),
        "premise": "",
        "indistinct": "indistinct ({epsilon})",
    }
    words["defined"] = f"Definition rate : R := {_real(1 / added.scale)}.\n"
    if not isinstance(noise, Peeling):
        words |= {"plan": f"full_plan {rounds}", "law": f"noisy_{_sketch(deployment)} bound atoms rate", "close": ""}
        return _Cost(LAPLACE, "laplace", value_epsilon(deployment.mechanism), words)
    words["defined"] += f"Definition exponent : R := {_real(noise.exponent)}.\n"
    law = f"release (Z.to_nat atoms) (Z.to_nat {rounds}) exponent rate (coord ({_sketch(deployment)}"
    words |= {"plan": "sparse_plan (Z.to_nat atoms)", "law": law, "close": " bound atoms))"}
    if rounds == atoms:  # where every atom is admitted, only the values cost
        return _Cost(ALL_ADMITTED, "all_admitted", int(words["shift"]) / added.scale, words)
    terms = _joint(deployment.adjacency, rounds)
    epsilon = max(x * noise.exponent * most + y * most / added.scale for x, y in terms)
    return _Cost(TOP_L, "release", epsilon, words)


def _gaussian(deployment: Deployment, noise: Noise, added: GaussianNoise, atoms: int) -> tuple[_Cost, ...]:
    """What a plan under rounded Gaussian noise costs: at the pair of continuous noise, and as it is proved."""
    most, rounds, delta = bound(deployment), min(deployment.plan.size, atoms), Fraction(deployment.mechanism.delta)
    noisy = rounds if isinstance(noise, Peeling) else atoms
    squares = most**2 * (1 + (deployment.adjacency == "replacement" and noisy > 1))
    shape = _gaussian_shape(deployment, noise, added, atoms)
    words = shape.words | {"noisy": str(noisy), "squares": str(squares), "delta": _real(delta)}
    words["indistinct"] = f"nearly_indistinct ({{epsilon}}) ({_real(delta)})"
    spent = _spent(deployment, squares / added.sigma**2, delta)
    known = words | {"spent": _real(spent), "known": ASSUMED}
    known["premise"] = PREMISE.format(**known)
    proved = renyi.least(squares / added.sigma**2 / 2, delta)
    words |= {"spent": _real(proved.epsilon), "premise": "", "order": str(proved.order), "parts": str(renyi.PARTS)}
    words |= {"top": str(proved.exponent), "bottom": str(renyi.GRID), "loss": _real(proved.loss)}
    words["known"] = COVERED.format(**words)
    return (
        shape._replace(
            epsilon=rounded_up(shape.epsilon + spent), words=known, gaps=(GAP,), says=f"{SUPPOSED}{WITH_DELTA}"
        ),
        shape._replace(
            epsilon=rounded_up(shape.epsilon + proved.epsilon),
            words=words,
            name="deployment_plan_proved",
            says=WITH_DELTA,
        ),
    )


def _spent(deployment: Deployment, ratio: Fraction, delta: Fraction) -> Fraction:
    """What continuous noise costs at delta: the share that was calibrated for, or the least where noise is smaller."""
    claimed = value_epsilon(deployment.mechanism)
    return claimed if meets(claimed, ratio, delta) else rounded_up(tight_epsilon(ratio, delta).high)


def _gaussian_shape(deployment: Deployment, noise: Noise, added: GaussianNoise, atoms: int) -> _Cost:
    """The law and the plan, and the epsilon of admission."""
    rounds = min(deployment.plan.size, atoms)
    words = {"defined": f"Definition variance : R := {_real(added.sigma**2)}.\n"}
    if not isinstance(noise, Peeling):
        law = f"noises (rounded variance) ({_sketch(deployment)}"
        words |= {"plan": f"full_plan {rounds}", "law": law, "close": " bound atoms)"}
        return _Cost(GAUSSIAN, "gaussian", Fraction(0), words)
    words["defined"] += f"Definition exponent : R := {_real(noise.exponent)}.\n"
    law = f"gaussian_release variance atoms (Z.to_nat {rounds}) exponent (coord ({_sketch(deployment)}"
    words |= {"plan": "sparse_plan (Z.to_nat atoms)", "law": law, "close": " bound atoms))"}
    if rounds == atoms:  # where every atom is admitted, only the values cost
        return _Cost(ALL_GAUSSIAN, "all_gaussian", Fraction(0), words)
    chosen = (rounds + (deployment.adjacency == "replacement")) * noise.exponent * bound(deployment)
    return _Cost(TOP_L_GAUSSIAN, "top_l_gaussian", chosen, words)


def _sentence(deployment: Deployment, cost: _Cost) -> str:
    """A cost in words."""
    what = "the released plan, and whatever is computed from it,"
    return cost.says.format(
        what=what if cost.says.startswith(SUPPOSED) else what.capitalize(),
        epsilon=exact(cost.epsilon),
        delta=exact(Fraction(deployment.mechanism.delta)),
        where=f"where one {UNITS[deployment.unit]} {CHANGES[deployment.adjacency]}",
    )


def _plan(deployment: Deployment, cost: _Cost, says: str) -> str:
    """A theorem about the plan."""
    words = cost.words | {"unit": deployment.unit, "relation": deployment.adjacency, "epsilon": _real(cost.epsilon)}
    words |= {"name": cost.name, "indistinct": words["indistinct"].format(epsilon=words["epsilon"])}
    return PLAN.format(**words, says=fill(says, 112, subsequent_indent="   "), proof=cost.proof.format(**words))


def _sketch(deployment: Deployment) -> str:
    return "user_sketch" if deployment.unit == "user" else "sketch"


def _joint(adjacency: Adjacency, rounds: int) -> list[tuple[int, int]]:
    """The loss of admission and values together: the largest of x a + y v, for a = eta B and v = B / b (spec.md 3)."""
    if adjacency == "add_drop":
        return [(rounds, 0), (rounds - 1, 1), (1, 1)]
    return [(2, 1)] if rounds == 1 else [(rounds + 1, 1), (rounds, 2)]


def _real(value: Fraction) -> str:
    """A rational as a real number in Coq."""
    return f"{value.numerator} / {value.denominator}"
