"""A release from end to end: curator, then decoder, then the bundle (paper section 4).

This module sits above the curator and the decoder because neither may import the other: what passes between them is a
`SemanticPlan`, and nothing flows back.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpspin import canonical, plan, transcript
from dpspin.accounting.calibration import Noise, calibrate
from dpspin.accounting.utility import noise_floor
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import representation, scoring
from dpspin.corpus.jsonl import Record
from dpspin.corpus.scoring import Scoring
from dpspin.curator import intake
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, SystemBits
from dpspin.curator.release import Source, apply, draw, inject
from dpspin.decoder import backend, loop
from dpspin.decoder.backend import Backend
from dpspin.decoder.verifier import check_terms
from dpspin.deployment import Deployment
from dpspin.deployment import load as load_deployment
from dpspin.errors import UsageError
from dpspin.plan import PlanTerms
from dpspin.transcript import Role, VisibleObject, is_charge_id, precedes
from dpspin.universe import Universe, check_digest
from dpspin.universe import decode as decode_universe

BUNDLE = ("deployment.yaml", "universe.json", "plan.json", "summary.txt", "transcript.jsonl")


@dataclass(frozen=True, slots=True)
class Setting:
    """A deployment with the public files that it names, their digests checked, and what follows from them."""

    deployment: Deployment
    deployment_bytes: bytes
    universe: Universe
    universe_bytes: bytes
    weights: Scoring
    """What scores a text, without protected records; stays with the curator."""
    noise: Noise
    """The calibrated mechanism."""
    floor: int
    """tau, the noise floor, in lattice units."""
    stand_in: bool = False
    """Whether the template answers in place of a language model: for audits, which ask no server."""
    universe_charge: str | None = None
    """Id of the ledger's charge for the universe, once it is paid; only where its provenance is charged."""

    def terms(self, stamp: str | None = None) -> PlanTerms:
        """The public terms of this deployment's plans."""
        return plan.terms_of(self.deployment, self.universe, self.floor, stamp)


@dataclass(frozen=True, slots=True)
class Released:
    """What a release leaves behind."""

    bundle: dict[str, bytes]
    """File names and bytes for everyone."""
    sketch: list[int]
    """The exact masses in lattice units, for the curator alone."""
    counts: dict[str, int]
    """What was found in the corpus, for the curator alone (`intake.COUNTED`)."""


def load(deployment_bytes: bytes, place: str, read: Callable[[str], bytes]) -> Setting:
    """Check a deployment and everything that it names.

    Args:
        deployment_bytes: the deployment file.
        place: its name, for messages.
        read: gives the bytes of a file in the deployment's folder.

    Raises:
        UsageError: when a file cannot be used.
        IntegrityError: when a digest is not the declared one.
    """
    deployment = load_deployment(deployment_bytes, place)
    named = deployment.universe
    universe_bytes = check_digest(read(named.file), named.sha256, f"{named.file} (declared in {place})")
    universe = decode_universe(universe_bytes, named.file)
    weights = _scoring(deployment, universe, place, read)
    noise = calibrate(deployment, len(universe))
    floor = noise_floor(noise, len(universe), deployment.plan.size, deployment.plan.noise_beta)
    setting = Setting(deployment, deployment_bytes, universe, universe_bytes, weights, noise, floor)
    backend.check(deployment.decoder, place)
    check_terms(setting.terms())  # before any charge: whatever is released must have a summary
    return setting


def _scoring(deployment: Deployment, universe: Universe, place: str, read: Callable[[str], bytes]) -> Scoring:
    """Term weights, or the function that the rule names."""
    rule, pinned = deployment.assignment.rule, deployment.assignment.weights
    data = check_digest(read(pinned.file), pinned.sha256, f"{pinned.file} (declared in {place})")
    if ":" in rule:
        if pinned.file != (named := scoring.file_of(rule)):
            raise UsageError(
                f"{place}: assignment.weights.file", f"{rule!a} is not in {pinned.file!a}", f"write {named}"
            )
        return scoring.load(rule, data, universe.labels)
    weights = representation.decode(data, pinned.file)
    if weights.rule != rule or weights.atoms != len(universe):
        raise UsageError(
            f"{place}: assignment.weights",
            f"{pinned.file} holds rule {weights.rule!r} for {weights.atoms} atoms",
            f"declare that rule, or fit weights by {rule!r} for the {len(universe)} atoms",
        )
    return weights


def release(setting: Setting, records: Iterable[Record], bits: Bits, charge: str | None) -> Released:
    """Draw the noise, read the records, release the plan and have it put into words.

    Args:
        setting: public parameters and files.
        records: the corpus; both halves, the auxiliary one is left out here.
        bits: a `SystemBits` in earnest; anything else stamps the plan and is refused unless the corpus is synthetic.
        charge: id of the ledger's charge, written before this call; None for a demonstration on generated records.

    Raises:
        UsageError: for reproducible noise on a corpus that is not declared synthetic, before any record is read.
    """
    deployment = setting.deployment
    reproducible = type(bits) is not SystemBits  # a subclass may draw from anything
    if reproducible and not deployment.corpus.synthetic:
        raise UsageError("seed", "refused: corpus.synthetic is false", "release without a seed")
    noise = draw(deployment, len(setting.universe), bits, 1, rigorous=True)
    terms = setting.terms(plan.SEEDED if reproducible else None)
    return _released(
        setting, records, terms, charge, lambda exact: apply(exact, noise, deployment, bits, rigorous=True)
    )


def release_with(setting: Setting, records: Iterable[Record], source: Source) -> Released:
    """As `release`, under noise from outside: for audits of generated records.  The plan is stamped."""
    noise, size = setting.noise, setting.deployment.plan.size
    return _released(
        setting, records, setting.terms(plan.INJECTED), None, lambda exact: inject(exact, noise, size, source)
    )


def _released(
    setting: Setting,
    records: Iterable[Record],
    terms: PlanTerms,
    charge: str | None,
    admit: Callable[[list[int]], Samples],
) -> Released:
    """Read the records, admit atoms, build the plan and put it into words."""
    scoring.check(setting.weights)
    counts: Counter[str] = Counter(dict.fromkeys(intake.COUNTED, 0))
    exact = intake.exact_sketch(records, setting.deployment, setting.weights, counts)
    samples = admit(exact)
    pairs = [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]
    return Released(publish(plan.build(pairs, terms), setting, charge), exact, dict(counts))


def publish(released: plan.SemanticPlan, setting: Setting, charge: str | None) -> dict[str, bytes]:
    """Put a plan into words and lay out the bundle: of the plan, of public objects and of what a model answers."""
    return _published(released, setting, charge, backend.of(setting.deployment.decoder, stand_in=setting.stand_in))


def publish_again(
    released: plan.SemanticPlan, setting: Setting, charge: str | None, rows: Iterable[Mapping[str, Any]]
) -> dict[str, bytes]:
    """The bundle that follows from a plan, and from a model's drafts as a transcript has them.

    Args:
        released: the plan.
        setting: its public parameters.
        charge: as `publish`; what was charged for was answered by the model, whatever the record says.
        rows: of the transcript; nothing but drafts is taken from it, whether a model answered, and under which id the
            universe was charged.
    """
    terms, rows = setting.deployment.decoder, list(rows)
    setting = replace(setting, universe_charge=_universe_charge(setting.deployment, charge, rows))
    if terms.llm is None:
        return publish(released, setting, charge)
    texts = {str(row.get("name")): str(row.get("text") or "") for row in rows}
    drafts = [texts.get(f"draft-{number}", "") for number in range(1, terms.max_attempts + 1)]
    stood_in = charge is None and f'"answered_by":"{backend.STAND_IN}"' in texts.get("prompt-1", "")
    return _published(released, setting, charge, backend.replaying(terms, drafts, stand_in=stood_in))


def _universe_charge(deployment: Deployment, charge: str | None, rows: Iterable[Mapping[str, Any]]) -> str | None:
    """The id on record for a charged universe, where it can be one: that of a line before the release's own."""
    found = next((row.get("charge") for row in rows if row.get("name") == "universe.json"), None)
    if deployment.universe.charge is None or not is_charge_id(charge):
        return None
    return str(found) if precedes(found, str(charge)) else None


def _published(released: plan.SemanticPlan, setting: Setting, charge: str | None, writer: Backend) -> dict[str, bytes]:
    terms = setting.deployment.decoder
    outcome = loop.write(released, writer.decoder, terms.max_attempts, terms.contract_mode, writer.ask)
    summary = outcome.summary.encode()
    built: Role = "dp" if setting.deployment.universe.charge else "public"
    objects = [
        VisibleObject("deployment.yaml", "public", setting.deployment_bytes, None),
        VisibleObject("universe.json", built, setting.universe_bytes, setting.universe_charge),
        VisibleObject("plan.json", "dp", plan.encode(released), charge),
    ]
    for attempt in outcome.attempts:
        objects += [
            VisibleObject(f"prompt-{attempt.number}", "post-processing", attempt.prompt, charge),
            VisibleObject(f"draft-{attempt.number}", "post-processing", attempt.text.encode(), charge),
            VisibleObject(f"feedback-{attempt.number}", "post-processing", attempt.feedback, charge),
        ]
    objects.append(VisibleObject("summary.txt", "post-processing", summary, charge))
    files = {item.name: item.data for item in objects if item.name in BUNDLE}
    return files | {"transcript.jsonl": transcript.encode(objects)}


def curator_files(released: Released, setting: Setting) -> dict[str, bytes]:
    """What the curator may keep and nobody else may see: the exact sketch, and what was found in the corpus."""
    rows = [
        {"index": index, "label": label, "mass": mass}
        for index, (label, mass) in enumerate(zip(setting.universe.labels, released.sketch, strict=True))
    ]
    return {
        "sketch.json": canonical.dumps({"schema": "dpspin-sketch/1", "mass_unit": MASS_UNIT, "atoms": rows}),
        "corpus-report.json": canonical.dumps({"schema": "dpspin-corpus-report/1", "counts": released.counts}),
    }
