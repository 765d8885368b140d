"""Claims on plan utility at record and user level (paper sections 6.1 and 6.2; figures 3 to 5)."""

from collections.abc import Sequence
from itertools import pairwise

from dpspin_experiments.results.evidence import FULL, NAMES, SPARSE, TIGHT, Evidence, means
from dpspin_experiments.results.finding import NO_USERS, NOTHING, Finding, verdict
from dpspin_experiments.sweep.groups import Group

LARGE = 0.9
"""What "a large fraction" and "close to one" are taken to mean; the paper gives no number."""
DOMINATED = (
    "In the paper's mode each of L rounds gets 1 / (2 L) of half the budget, less than a mass-bounded unit needs: the "
    "exponent that spends exactly its share is at least twice as large under add/drop. A full Laplace sketch has the "
    "better bound for selection even then."
)


def retained(seen: Evidence) -> Finding:
    """Full sketches keep a large fraction of the mass."""
    groups = [group for group in seen.plans("record") if group.condition.mechanism in FULL]
    return _kept(groups) if groups else NOTHING


def overlap_is_more_sensitive(seen: Evidence) -> Finding:
    """Overlap falls where MassRetained does not."""
    pairs = [
        (group.mean("overlap") or 0.0, group.mean("mass_retained") or 0.0)
        for group in seen.plans("record")
        if group.condition.mechanism in FULL
    ]
    if not pairs:
        return NOTHING
    below = sum(overlap <= retained for overlap, retained in pairs)
    worst = max(pairs, key=lambda pair: pair[1] - pair[0])
    said = f"Overlap is at most MassRetained in {below} of {len(pairs)} groups; farthest apart "
    said += f"at Overlap {worst[0]:.3f}, MassRetained {worst[1]:.3f}"
    return Finding(verdict(below == len(pairs)), said)


def sparse_loses_more_at_small_epsilon(seen: Evidence) -> Finding:
    """Full sketches lose less than sparse admission at small epsilon."""
    groups = seen.plans("record")
    if not groups:
        return NOTHING
    least = groups[0].condition.epsilon
    at = [group for group in groups if group.condition.epsilon == least]
    full, sparse, tight = (means(at, "loss", name) for name in (FULL[0], SPARSE, TIGHT))
    gaussian = means(at, "loss", FULL[1])
    if not (full and sparse and gaussian):
        return NOTHING
    said = f"mean Loss at epsilon {least}: Laplace {full[0]:.1f}, Gaussian {gaussian[0]:.1f}, admission {sparse[0]:.1f}"
    if tight:
        said += f", tight admission {tight[0]:.1f}"
    return Finding(verdict(max(full[0], gaussian[0]) < sparse[0]), said, DOMINATED)


def loss_falls_with_epsilon(seen: Evidence) -> Finding:
    """Loss decreases, most of all for sparse admission."""
    drops = {name: means(seen.plans("record"), "loss", name) for name in (*FULL, SPARSE)}
    if any(len(values) < 2 for values in drops.values()):
        return NOTHING
    falls = {name: values[0] - values[-1] for name, values in drops.items()}
    steps = sum(later < earlier for values in drops.values() for earlier, later in pairwise(values))
    total = sum(len(values) - 1 for values in drops.values())
    said = f"mean Loss falls in {steps} of {total} steps; from first to last by " + ", ".join(
        f"{NAMES[name]} {fall:.1f}" for name, fall in falls.items()
    )
    return Finding(verdict(min(falls.values()) > 0 and falls[SPARSE] == max(falls.values())), said)


def users_keep_mass(seen: Evidence) -> Finding:
    """At user level with B = 1, full sketches keep almost all mass."""
    groups = [group for group in seen.plans("user") if group.condition.mechanism in FULL]
    return _kept(groups) if groups else NO_USERS


def users_sparse_depends_on_epsilon(seen: Evidence) -> Finding:
    """At user level, sparse admission depends more on epsilon and improves with it."""
    groups = seen.plans("user")
    found = {name: means(groups, "mass_retained", name) for name in (*FULL, SPARSE)}
    if any(len(values) < 2 for values in found.values()):
        return NO_USERS
    ranges = {name: max(values) - min(values) for name, values in found.items()}
    said = "range of mean MassRetained over epsilon: "
    said += ", ".join(f"{NAMES[name]} {width:.3f}" for name, width in ranges.items())
    agrees = ranges[SPARSE] == max(ranges.values()) and found[SPARSE][-1] > found[SPARSE][0]
    why = DOMINATED
    if not agrees:
        low = min(FULL, key=lambda name: found[name][0])
        why = (
            f"At the least epsilon the {NAMES[low]} has fallen to {found[low][0]:.2f}, admission to "
            f"{found[SPARSE][0]:.2f}; at the largest, admission has {found[SPARSE][-1]:.2f}."
        )
    return Finding(verdict(agrees), said, why)


def _kept(groups: Sequence[Group]) -> Finding:
    """Whether the full sketches keep a large fraction at every epsilon, or from which one on (rising in `groups`)."""
    least: dict[str, float] = {}
    for group in groups:
        epsilon, mean = group.condition.epsilon, group.mean("mass_retained") or 0.0
        least[epsilon] = min(mean, least.get(epsilon, 1.0))
    said = "least mean MassRetained of both by epsilon: " + ", ".join(f"{e}: {x:.3f}" for e, x in least.items())
    below = [epsilon for epsilon, mean in least.items() if mean < LARGE]
    why = (
        f"Below {LARGE} at epsilon {', '.join(below)}: the noise is large beside the gaps of so small a corpus, "
        "Gaussian noise most. The text that this project was written from has neither budgets nor numbers of units."
    )
    return Finding(verdict(not below), said, why if below else "")
