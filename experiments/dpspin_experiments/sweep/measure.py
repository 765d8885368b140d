"""One run: a plan by the reference's own core call, its summary, and every measure of both (paper appendix B).

The exact sketch is used throughout: results are for the curator alone.
"""

import json
from typing import Any

from dpspin import plan
from dpspin.accounting.calibration import Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, Integers, SeededBits, SystemBits
from dpspin.curator.release import apply, draw
from dpspin.decoder import loop, template
from dpspin.decoder.metrics import unsupported_atom_rate, unsupported_comparison_rate
from dpspin.kernel import highest
from dpspin.pipeline import Setting
from dpspin.plan import SemanticPlan
from dpspin_experiments import lexical, metrics, probe
from dpspin_experiments.sweep.bench import Bench, Exactly
from dpspin_experiments.sweep.conditions import Run

Figures = dict[str, float | None]


def measure(run: Run, bench: Bench, seed: bytes) -> dict[str, Any]:
    """The results of one run; the noise is seeded where the corpus is synthetic, and the system's own elsewhere.

    Args:
        run: the condition and its seed.
        bench: the data.
        seed: of the noise, another one for every run.
    """
    setting, exactly = bench.of(run)
    bits: Bits = SeededBits(seed) if bench.synthetic else SystemBits()
    noise = draw(setting.deployment, len(setting.universe), bits, 1, rigorous=False)
    samples = apply(exactly.sketch, noise, setting.deployment, bits, rigorous=False)
    terms = setting.terms(plan.SEEDED if bench.synthetic else None)
    released = plan.build(_pairs(samples), terms)
    outcome = loop.write(released, template.decoder, setting.deployment.decoder.max_attempts)
    figures = {
        **_utility(setting, exactly, samples, noise),
        **_contract(released, outcome),
        **_likeness(released, outcome.summary, exactly, _words(run, bench)),
    }
    if run.condition.probe_support is not None:
        seen = probe.seen(released, outcome.summary, exactly.sketch)
        figures |= {
            "probe_admitted": float(seen.admitted),
            "probe_mentioned": float(seen.mentioned),
            "probe_exact_rank": float(seen.exact_rank),
        }
    return {
        "audience": metrics.AUDIENCE,
        "condition": run.condition._asdict(),
        "seed": run.seed,
        "realised_universe_size": len(setting.universe),
        "effective": {"units": exactly.units, "records": exactly.records},
        "figures": figures,
        "plan": json.loads(plan.encode(released))["released"],
        "summary": outcome.summary,
        "attempts": [
            {"number": attempt.number, "accepted": attempt.verdict.accepted, "feedback": attempt.feedback.decode()}
            for attempt in outcome.attempts
        ],
    }


def _pairs(samples: Samples) -> list[tuple[int, int]]:
    return [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]


def _utility(setting: Setting, exactly: Exactly, samples: Samples, noise: Integers) -> Figures:
    sketch, size = exactly.sketch, setting.deployment.plan.size
    pairs = _pairs(samples)
    admitted = [atom for atom, _ in pairs]
    found = metrics.plan_utility(sketch, admitted, size)
    if isinstance(setting.noise, Peeling):
        errors = metrics.selected_errors(sketch, admitted, [mass for _, mass in pairs])
    else:
        errors = metrics.full_errors(noise[0].tolist())
    return {
        "overlap": found.overlap,
        "mass_retained": found.retained,
        "loss": found.loss,
        "error_largest": errors.largest,
        "error_total": errors.total,
        "error_euclidean": errors.euclidean,
        "sketch_mass": sum(sketch) / MASS_UNIT,
        "best_mass": sum(sketch[atom] for atom in highest(sketch, size)) / MASS_UNIT,
        "boundary_gap": metrics.boundary_gap(sketch, size),
        "noise_floor": setting.floor / MASS_UNIT,
    }


def _contract(released: SemanticPlan, outcome: loop.Outcome) -> Figures:
    verdicts = [attempt.verdict for attempt in outcome.attempts]
    rates = {
        "unsupported_atoms": unsupported_atom_rate(outcome.summary, released),
        "unsupported_comparisons": unsupported_comparison_rate(verdicts, released),
    }
    return {name: None if rate is None else float(rate) for name, rate in rates.items()} | {
        "accepted": float(not outcome.fell_back),
        "accepted_attempts": sum(verdict.accepted for verdict in verdicts) / len(verdicts),
    }


def _words(run: Run, bench: Bench) -> tuple[lexical.Rarity, lexical.Embed | None]:
    """What summaries are compared by, of auxiliary texts alone."""
    at = run.condition.unit, run.condition.universe_size
    return bench.rarity(*at), None if bench.sweep.summary_embedding_backend == "none" else bench.space(*at)


def _likeness(
    released: SemanticPlan, summary: str, exactly: Exactly, words: tuple[lexical.Rarity, lexical.Embed | None]
) -> Figures:
    """The summary beside that of the non-private plan under the same terms (B.5, B.6)."""
    best = highest(exactly.sketch, released.terms.plan_size)
    reference = template.summary(plan.build([(atom, exactly.sketch[atom]) for atom in best], released.terms))
    weights, embed = words
    found: Figures = {
        f"likeness_{name}": value for name, value in lexical.similarity(summary, reference, weights)._asdict().items()
    }
    if embed is not None:
        found["likeness_embedding"] = lexical.embedding_similarity(summary, reference, embed)
    return found
