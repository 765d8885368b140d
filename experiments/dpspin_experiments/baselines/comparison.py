"""Every method on the same records and the same budget, with what each can and cannot claim (paper section 6).

All methods come out in one form, `Output`: a name, the object that the writer of the summary is given, the summary, the
cost with its accounting, and utility.  All of them for the embedded corpus, the plan and five references included:

    setting = dpspin_audits.cli.inputs.setting_of(None)
    records = list(dpspin.corpus.embedded.corpus(setting.deployment))
    every = {each.name: each for each in outputs(setting, records, SeededBits(b"a seed"))}
    shown = {each.name: each for each in evidence_of(setting, b"a seed", 0.001)}

`prepared` reads the corpus once; `references_of` and `private_of` give the same in parts, the second anew for each
source of noise.  What a method does and what its writer sees, in words, is in `methods.METHODS`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin import pipeline, plan
from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.corpus.dictionary import SEPARATOR
from dpspin.corpus.jsonl import Record
from dpspin.curator.noise import Bits, SystemBits
from dpspin.curator.release import apply, draw
from dpspin.errors import UsageError
from dpspin.pipeline import Released, Setting
from dpspin_audits.reference_subject import claim_of
from dpspin_experiments.baselines import evidence, references
from dpspin_experiments.baselines.budget import Total, budget_of
from dpspin_experiments.baselines.clustering import Shape
from dpspin_experiments.baselines.documents import Document, documents
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.histogram import Histogram
from dpspin_experiments.baselines.methods import CLUSTERING, EXTRACTIVE, PLAN, REDACTED, TEMPLATE, WITHOUT_NOISE
from dpspin_experiments.baselines.subjects import Baseline, released, subject
from dpspin_experiments.baselines.urania import urania
from dpspin_experiments.baselines.vocabulary import categories, keywords
from dpspin_experiments.metrics import PlanUtility, plan_utility

CLUSTERED = Shape(clusters=16, smallest=25, shown=8)
MOST_CLUSTERED = 2500
"""Units that the reference without a guarantee clusters, the first of the corpus: its table of terms is dense."""


class Output(NamedTuple):
    """What one method says of a corpus."""

    name: str
    """A key of `methods.METHODS`."""
    seen: Mapping[str, Any]
    """The object that the writer of the summary is given, as JSON; of a reference it is or holds protected text."""
    text: str
    """The summary, a function of `seen` and of public rules."""
    cost: Total | None
    """None for a reference without a guarantee: its text stays with the curator."""
    accounting: tuple[dict[str, Any], ...] = ()
    """Stage by stage (`budget.Budget.rows`)."""
    utility: PlanUtility | None = None
    """What was told against the exact highest entries: atoms by mass for a plan, entries of its own vocabulary by units
    for a histogram and for URANIA-style descriptions; None where nothing was told, or everything exactly."""


class Prepared(NamedTuple):
    """One corpus, read once; for the curator alone."""

    setting: Setting
    units: Sequence[Document]
    exact: Released
    """The plan without noise, and the exact sketch."""


def private(setting: Setting) -> list[Baseline]:
    """The private baselines for a setting: as many entries, or clusters, as its plan has atoms.

    Where no label of the universe has parts, a source names no categories (phrases), and there is no such histogram.
    """
    atoms, size = setting.universe, setting.deployment.plan.size
    parted = any(SEPARATOR in label for label in atoms.labels)
    by_category = [Histogram(categories(atoms), size)] if parted else []
    return [Histogram(keywords(atoms), size), *by_category, urania(atoms, size)]


def prepared(setting: Setting, records: Sequence[Record]) -> Prepared:
    """Read a corpus, both halves, as all methods read it."""
    return Prepared(setting, documents(records, setting.deployment), references.without_noise(records, setting))


def outputs(setting: Setting, records: Sequence[Record], bits: Bits) -> Iterator[Output]:
    """References first, then the plan and the private baselines, each of which spends the whole budget of one release.

    Nothing of it has been charged: whoever publishes one of them charges a ledger first.

    Args:
        setting: the deployment whose claim, relation, unit and plan size hold for all.
        records: the corpus, both halves.
        bits: source of the noise; a release in earnest takes `SystemBits`.

    Raises:
        UsageError: for reproducible noise on a corpus that is not declared synthetic.
    """
    _check(setting, bits)
    found = prepared(setting, records)
    yield from references_of(found)
    yield from private_of(found, bits)


def references_of(found: Prepared) -> Iterator[Output]:
    """The methods without a guarantee; they depend on no noise."""
    units, clean = found.units, references.without_identifiers(found.units)
    clusters = references.clustered(units[:MOST_CLUSTERED], CLUSTERED)
    groups = [{"size": each.size, "terms": list(each.terms)} for each in clusters]
    yield Output(EXTRACTIVE, _texts(units), references.extractive(units), None)
    yield Output(TEMPLATE, _texts(units), references.template(units, found.setting), None)
    yield Output(REDACTED, _texts(clean), references.extractive(clean), None)
    yield Output(CLUSTERING, {"groups": groups}, references.of_clusters(clusters), None)
    yield _of_bundle(WITHOUT_NOISE, found.exact.bundle)


def private_of(found: Prepared, bits: Bits) -> Iterator[Output]:
    """The plan and the private baselines, one release of each.

    Raises:
        UsageError: as `outputs`.
    """
    _check(found.setting, bits)
    yield _plan(found, bits)
    for baseline in private(found.setting):
        yield _output(baseline, found, bits)


def evidence_of(setting: Setting, seed: bytes, alpha: float) -> Iterator[Shown]:
    """Lower bounds on the epsilon of the plan and of every private baseline (`evidence.shown`); all share alpha."""
    found = [subject(evidence.instance(each), setting.deployment) for each in private(setting)]
    each = alpha / (1 + len(found))
    yield evidence.plan_shown(setting, PLAN, seed, each)
    for one in found:
        yield evidence.shown(one, [evidence.extremal(one)], seed, each)


def _check(setting: Setting, bits: Bits) -> None:
    if type(bits) is not SystemBits and not setting.deployment.corpus.synthetic:
        raise UsageError("seed", "refused: corpus.synthetic is false", "release without a seed")


def _texts(units: Sequence[Document]) -> dict[str, Any]:
    return {"units": [{"text": each.text, "categories": list(each.categories)} for each in units]}


def _of_bundle(name: str, bundle: Mapping[str, bytes], **more: Any) -> Output:
    return Output(name, json.loads(bundle["plan.json"]), bundle["summary.txt"].decode(), None)._replace(**more)


def _plan(found: Prepared, bits: Bits) -> Output:
    """By the reference's core call and its own publication, on the sketch that was computed once."""
    setting, sketch = found.setting, found.exact.sketch
    deployment = setting.deployment
    noise = draw(deployment, len(sketch), bits, 1, rigorous=True)
    samples = apply(sketch, noise, deployment, bits, rigorous=True)
    pairs = [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]
    stamp = None if type(bits) is SystemBits else plan.SEEDED
    bundle = pipeline.publish(plan.build(pairs, setting.terms(stamp)), setting, None)
    mechanism = deployment.mechanism
    cost = Total(Fraction(mechanism.epsilon), Fraction(mechanism.delta))
    kept = plan_utility(sketch, [atom for atom, _ in pairs], deployment.plan.size)
    return _of_bundle(PLAN, bundle, cost=cost, accounting=(_stage(setting),), utility=kept)


def _stage(setting: Setting) -> dict[str, Any]:
    """The plan's accounting as `budget.Budget.rows` has it, in units of mass; of admission, its values alone."""
    terms, claim = setting.deployment, claim_of(setting)
    moved = sensitivity(terms.adjacency, terms.mass_bound, len(setting.universe))
    return {
        "stage": "masses", "share": "1", "l1": str(moved.l1), "l2_squared": str(moved.l2_squared),
        "noise": terms.mechanism.kind, "scale": str(claim.scale),
    }  # fmt: skip


def _output(baseline: Baseline, found: Prepared, bits: Bits) -> Output:
    budget = budget_of(found.setting.deployment)
    numbers = released(baseline, found.units, budget, bits)
    told = baseline.told(numbers)
    counts = [int(count) * MASS_UNIT for count in baseline.vocabulary.rows(found.units).sum(axis=0)]
    return Output(
        baseline.name,
        baseline.seen(numbers),
        baseline.text(numbers),
        budget.total(baseline.stages),
        tuple(budget.rows(baseline.stages)),
        plan_utility(counts, told, len(told)) if told else None,
    )
