"""Every baseline on the same records and the same budget, with what each can and cannot claim (paper section 6)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin import pipeline
from dpspin.corpus.jsonl import Record
from dpspin.curator.noise import Bits, SystemBits
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.bundle import released_masses
from dpspin_experiments.baselines import evidence, references
from dpspin_experiments.baselines.budget import Budget, Total, budget_of
from dpspin_experiments.baselines.clustering import Shape
from dpspin_experiments.baselines.documents import Document, documents
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.histogram import Histogram
from dpspin_experiments.baselines.subjects import Baseline, released, subject
from dpspin_experiments.baselines.urania import urania
from dpspin_experiments.baselines.vocabulary import categories, keywords
from dpspin_experiments.metrics import plan_utility

PLAN = "DP-SPIN plan"
WITHOUT_NOISE = "plan verbalised without noise"
CLUSTERED = Shape(clusters=16, smallest=25, shown=8)


class Output(NamedTuple):
    """What one baseline says of a corpus."""

    name: str
    text: str
    cost: Total | None
    """None for a reference without a guarantee: its text stays with the curator."""
    accounting: tuple[dict[str, Any], ...] = ()
    """Stage by stage (`budget.Budget.rows`)."""
    overlap: float | None = None
    """Share of the exact highest entries that were released, each method against its own exact counts (Overlap@L)."""


def private(setting: Setting) -> list[Baseline]:
    """The private baselines for a setting: as many entries, or clusters, as its plan has atoms."""
    atoms, size = setting.universe, setting.deployment.plan.size
    return [Histogram(keywords(atoms), size), Histogram(categories(atoms), size), urania(atoms, size)]


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
    deployment = setting.deployment
    if type(bits) is not SystemBits and not deployment.corpus.synthetic:
        raise UsageError("seed", "refused: corpus.synthetic is false", "release without a seed")
    units, budget = documents(records, deployment), budget_of(deployment)
    yield Output("direct, extractive", references.extractive(units), None)
    yield Output("direct, template", references.template(units, setting), None)
    yield Output("redacted by rules, extractive", references.redacted_extractive(units), None)
    yield Output("clustering", references.clustered(units, CLUSTERED), None)
    yield Output(WITHOUT_NOISE, references.verbalised(records, setting), None)
    yield _plan(setting, records, bits)
    for baseline in private(setting):
        yield _output(baseline, units, budget, bits)


def _plan(setting: Setting, records: Sequence[Record], bits: Bits) -> Output:
    found = pipeline.release(setting, records, bits, None)
    size, mechanism = setting.deployment.plan.size, setting.deployment.mechanism
    kept = plan_utility(found.sketch, list(released_masses(found.bundle)), size)
    cost = Total(Fraction(mechanism.epsilon), Fraction(mechanism.delta))
    return Output(PLAN, found.bundle["summary.txt"].decode(), cost, (), kept.overlap)


def _output(baseline: Baseline, units: Sequence[Document], budget: Budget, bits: Bits) -> Output:
    found = released(baseline, units, budget, bits)
    overlap = None
    if isinstance(baseline, Histogram):  # of the others, everything is released
        overlap = plan_utility(baseline.counts(units), list(found), baseline.shown).overlap
    rows = tuple(budget.rows(baseline.stages))
    return Output(baseline.name, baseline.text(found), budget.total(baseline.stages), rows, overlap)


def evidence_of(setting: Setting, seed: bytes, alpha: float) -> Iterator[Shown]:
    """Lower bounds on the epsilon of every private baseline (`evidence.shown`); all of them share alpha."""
    found = [subject(evidence.instance(each), setting.deployment) for each in private(setting)]
    return (evidence.shown(each, [evidence.extremal(each)], seed, alpha / len(found)) for each in found)
