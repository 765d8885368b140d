"""The evidence file: everything that an audit found, as one tree without floats, clocks or paths.

The schema `dpspin-evidence/1` is published by `schema()`.  A report prints this tree and computes nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from typing import Any

from dpspin import __version__, canonical
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin.language_model import LanguageModel
from dpspin.mechanism import Gaussian, PrivateTopL
from dpspin.pipeline import Setting
from dpspin_audits import measured
from dpspin_audits.checks.check import WORST_FIRST, Check, Status, at_least, level
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.reference_subject import claim_of
from dpspin_audits.subject import BlackBox, Claim

SCHEMA = "dpspin-evidence/1"
SMOKE = (
    "distribution.ideal", "distribution.bits", "sensitivity", "rng", "hygiene", "canary", "contract",
    "accounting.claim", "universe.provenance",
)  # fmt: skip
"""Checks that a smoke audit requires."""
EXIT: Mapping[str, int] = {"pass": 0, "fail": 1, "inconclusive": 3, "not_run": 3, "error": 4}
"""Exit code of the command line for each verdict."""


def schema() -> dict[str, Any]:
    """The JSON Schema of an evidence file."""
    tree: dict[str, Any] = json.loads(files("dpspin_audits").joinpath("evidence.schema.json").read_bytes())
    return tree


def verdict(checks: Iterable[Check], required: Sequence[str] = SMOKE) -> Status:
    """The worst status of the required checks, or a finding of any other; a required one that is missing: not run."""
    found = {check.id: check.status for check in checks}
    statuses = {found.get(name, "not_run") for name in required} | {"fail"} & set(found.values())
    return next(status for status in WORST_FIRST if status in statuses)


def strengths_tree(checks: Iterable[Check]) -> dict[str, dict[str, int]]:
    """Number of checks by strength, then by status."""
    counted = Counter((check.strength, check.status) for check in checks)
    return {
        strength: {status: count for (other, status), count in sorted(counted.items()) if other == strength}
        for strength in sorted({strength for strength, _ in counted})
    }


def check_tree(check: Check, required: Sequence[str], reproduce: str) -> dict[str, object]:
    """One check as evidence holds it."""
    where = check.location
    return {
        "id": check.id,
        "required": check.id in required,
        "status": check.status,
        "strength": check.strength,
        "summary": check.summary,
        "figures": dict(check.figures),
        "location": None if where is None else {"file": where.file, "line": where.line},
        "reproduce": reproduce,
        "reason": check.reason,
        "remedy": check.remedy,
    }


def tool() -> dict[str, str]:
    """Who made the evidence."""
    return {"name": "dpspin", "version": __version__}


def claim_tree(claim: Claim) -> dict[str, object]:
    """What the subject promises."""
    return {
        "unit": claim.unit,
        "adjacency": claim.adjacency,
        "mass_bound": exact(claim.mass_bound),
        "epsilon": exact(claim.epsilon),
        "delta": exact(claim.delta),
        "mechanism": claim.mechanism,
        "scale": None if claim.scale is None else exact(claim.scale),
        "exponent": None if claim.exponent is None else exact(claim.exponent),
        "values": claim.values,
        "missing_ids": claim.missing_ids,
        "public_fields": list(claim.public_fields),
    }


def deployment_tree(setting: Setting) -> dict[str, object]:
    """The public parameters that a reader needs, numbers as written where they were written."""
    d, terms, claim = setting.deployment, setting.terms(), claim_of(setting)
    return {
        "name": d.name,
        "population": d.population,
        "declared_at": d.declared_at,
        "sha256": canonical.digest(setting.deployment_bytes),
        "unit": d.unit,
        "adjacency": d.adjacency,
        "mass_bound": d.mass_bound.text,
        "max_atoms": d.assignment.max_atoms,
        **({"scored_by": d.assignment.rule} if ":" in d.assignment.rule else {}),
        "universe_size": len(setting.universe),
        "plan_size": d.plan.size,
        "public_denominator": d.plan.public_denominator.text,
        "bins": [{"name": row.name, "from": row.from_.text} for row in d.plan.bins],
        "noise_floor": exact(Fraction(terms.floor, terms.mass_unit)),
        "margin": exact(Fraction(terms.margin, terms.mass_unit)),
        "margin_rule": d.plan.margin == "rule",
        "noise_beta": d.plan.noise_beta.text,
        "mechanism": d.mechanism.kind,
        "scale": None if claim.scale is None else exact(claim.scale),
        "exponent": None if claim.exponent is None else exact(claim.exponent),
        **_options(d),
        "provenance": d.universe.provenance,
        "provenance_note": d.universe.note,
        "synthetic": d.corpus.synthetic,
        "decoder": d.decoder.backend,
        "contract_mode": d.decoder.contract_mode,
        "max_attempts": d.decoder.max_attempts,
        **({} if d.decoder.llm is None else {"model": _model(d.decoder.llm)}),
    }


def _model(model: LanguageModel) -> dict[str, object]:
    """The language model that writes, and who runs it."""
    return {
        "name": model.model,
        "base_url": model.base_url,
        "template_sha256": model.prompt.sha256,
        "temperature": model.temperature.text,
        "seed": model.seed,
    }


def _options(d: Deployment) -> dict[str, object]:
    """Parameters that some deployments have; None elsewhere."""
    mechanism = d.mechanism
    return {
        "on_missing_user": None if d.user is None else d.user.on_missing_user,
        "sampling_rate": d.corpus.sampling_rate.text,
        "calibration": mechanism.calibration if isinstance(mechanism, Gaussian) else None,
        "em_mode": mechanism.em_mode if isinstance(mechanism, PrivateTopL) else None,
        "selection_share": mechanism.selection_share.text if isinstance(mechanism, PrivateTopL) else None,
        "values": mechanism.values if isinstance(mechanism, PrivateTopL) else None,
    }


def measured_tree(judgements: Sequence[Judgement], alpha: float) -> dict[str, object] | None:
    """The largest bound at the claimed delta; it holds at the level of the whole audit."""
    tests = [test for judgement in judgements for test in (*judgement.ideal, *judgement.bits)]
    if not tests:
        return None
    best = max(tests, key=lambda test: test.epsilon_at_least)
    least = {"epsilon_at_least": at_least(best.epsilon_at_least), "alpha": level(alpha), "runs": best.guesses.runs}
    return least | measured.figures(judgements)


def name_of(subject: BlackBox) -> str:
    """The subject's name for itself, or that of its class."""
    return str(getattr(subject, "name", type(subject).__name__))
