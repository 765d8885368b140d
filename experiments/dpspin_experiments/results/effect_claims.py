"""Claims on the probe and the ablations (paper sections 6.3 and 6.4; figure 6)."""

from math import sqrt

from dpspin_experiments.results.evidence import FULL, NAMES, SPARSE, Evidence, means, rises
from dpspin_experiments.results.finding import NO_USERS, NOTHING, Finding, verdict

RARE = 0.25
"""What "infrequent" is taken to mean; the paper gives no number."""
DEVIATIONS = 3
"""Standard deviations by which a rate may fall between neighbouring supports before that is no chance of few seeds."""


def probe_admission_rises(seen: Evidence) -> Finding:
    """Admission of the probe is rare at small support and rises with it."""
    found = {name: means(seen.probes(name), "probe_admitted") for name in (*FULL, SPARSE)}
    if any(len(values) < 2 for values in found.values()):
        return NOTHING
    said = "; ".join(f"{NAMES[name]}: " + " ".join(f"{x:.2f}" for x in values) for name, values in found.items())
    rare = all(values[0] <= RARE for values in found.values())
    seeds = min(group.figures["probe_admitted"].runs for name in found for group in seen.probes(name))
    chance = DEVIATIONS * sqrt(0.5 / seeds)  # of a difference of two rates, at most
    rising = all(rises(values, chance) for values in found.values())
    supports = ", ".join(str(group.condition.probe_support) for group in seen.probes(FULL[0]))
    why = (
        f"A fixed L admits atoms of pure noise: sparse admission takes the probe in {found[SPARSE][0]:.0%} of runs "
        "without a single record of it, so that being admitted says little."
        if found[SPARSE][0] > 0
        else ""
    )
    return Finding(verdict(rare and rising), f"admission rates at s = {supports}: {said}", why)


def mention_follows_admission(seen: Evidence) -> Finding:
    """Mention follows admission and may be lower."""
    pairs = [
        (group.mean("probe_admitted") or 0.0, group.mean("probe_mentioned") or 0.0)
        for name in (*FULL, SPARSE)
        for group in seen.probes(name)
    ]
    if not pairs:
        return NOTHING
    lower = sum(mentioned < admitted for admitted, mentioned in pairs)
    above = sum(mentioned > admitted for admitted, mentioned in pairs)
    why = "The template names every admitted atom, so that the two are one; a free writer is needed to see them part."
    said = f"mention is below admission in {lower} of {len(pairs)} groups, and above it in {above}"
    return Finding(verdict(above == 0), said, why)


def larger_m_narrows_the_gap(seen: Evidence) -> Finding:
    """A larger universe can have a smaller gap at the boundary."""
    groups = seen.ablation("ablation-m", FULL[0])
    gaps = means(groups, "boundary_gap")
    if len(gaps) < 2:
        return NOTHING
    sizes = [group.universe_size for group in groups]
    kept = means(groups, "overlap")
    said = "; ".join(
        f"m {m}: gap {gap:.2f}, Overlap {overlap:.2f}" for m, gap, overlap in zip(sizes, gaps, kept, strict=True)
    )
    return Finding(verdict(min(gaps[1:]) < gaps[0]), said)


def larger_l_keeps_more(seen: Evidence) -> Finding:
    """L changes the target and the mass that can be kept."""
    groups = seen.ablation("ablation-L", FULL[0])
    best, lost = means(groups, "best_mass"), means(groups, "loss")
    if len(best) < 2:
        return NOTHING
    said = "; ".join(
        f"L {group.condition.plan_size}: top mass {mass:.0f}, Loss {loss:.1f}"
        for group, mass, loss in zip(groups, best, lost, strict=True)
    )
    return Finding(verdict(rises(best)), said)


def fewer_units_less_mass(seen: Evidence) -> Finding:
    """Fewer units have less mass under the same noise."""
    groups = seen.ablation("ablation-n", FULL[0])
    mass, floor = means(groups, "sketch_mass"), means(groups, "noise_floor")
    if len(mass) < 2:
        return NOTHING
    units = [group.figures["effective_units"] for group in groups]
    said = "; ".join(
        f"{each.mean:.0f} units ({each.least:.0f} to {each.most:.0f}): mass {m:.0f}"
        for each, m in zip(units, mass, strict=True)
    )
    why = (
        "The number of units is not fixed here: picking exactly n by a hash would let one unit displace another, which "
        "is replacement and twice the sensitivity. No amplification by sampling is claimed."
    )
    return Finding(
        verdict(rises(mass) and max(floor) == min(floor)), f"{said}; the same noise floor {floor[0]:.2f}", why
    )


def larger_b_keeps_more(seen: Evidence) -> Finding:
    """B trades noise for clipped mass."""
    groups = seen.ablation("ablation-B", FULL[0])
    mass, floor = means(groups, "sketch_mass"), means(groups, "noise_floor")
    if len(mass) < 2:
        return NO_USERS
    said = "; ".join(
        f"B {group.condition.mass_bound}: mass {m:.0f}, noise floor {tau:.1f}, MassRetained {kept:.3f}"
        for group, m, tau, kept in zip(groups, mass, floor, means(groups, "mass_retained"), strict=True)
    )
    return Finding(verdict(rises(mass) and rises(floor)), said)
