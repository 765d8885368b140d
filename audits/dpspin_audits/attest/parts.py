"""The parts of evidence that a statement rests on, typed; fields that none rests on are left alone."""

import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from dpspin.adjacency import Adjacency, Unit
from dpspin.settings import NonNegative, Number, Sha256, Strict
from dpspin_audits.checks.check import Status, Strength
from dpspin_audits.gate import Day


def _of_calendar(text: str) -> str:
    return datetime.date.fromisoformat(text).isoformat()


RealDay = Annotated[Day, AfterValidator(_of_calendar)]
"""A day that the calendar has."""


class Part(Strict):
    """A part of evidence; fields that no statement rests on are left alone."""

    model_config = ConfigDict(extra="ignore")


class Named(Part):
    """A tool, or a subject by its name."""

    name: str
    """As it calls itself."""
    version: str = ""
    """Of a tool."""
    spec: str = ""
    """Address of a subject."""


class Loss(Part):
    """An epsilon and a delta."""

    epsilon: NonNegative
    """As written."""
    delta: NonNegative
    """As written."""
    theorem: str = ""
    """What it follows from, where it was computed."""
    id: str = ""
    """Of a charge."""


class Claim(Part):
    """What the subject promises."""

    unit: Unit
    adjacency: Adjacency
    mass_bound: Number
    epsilon: NonNegative
    delta: NonNegative
    mechanism: str | None
    scale: Number | None
    exponent: Number | None
    values: str | None
    missing_ids: str


class Deployment(Part):
    """Public parameters that a statement repeats."""

    name: str
    population: str
    declared_at: str
    sha256: Sha256
    max_atoms: int
    universe_size: int
    plan_size: int
    public_denominator: Number
    sampling_rate: Number
    calibration: str | None
    em_mode: str | None
    selection_share: Number | None
    provenance: Literal["public", "auxiliary", "charged"]
    synthetic: bool


class Exposure(Part):
    """A line of the list of what a reader can see."""

    order: int | None
    name: str
    role: str | None
    sha256: Sha256
    size: int = Field(alias="bytes", default=0)
    charge: str | None = None
    text: str | None = None
    chain: str | None = None
    """Digest of its line of the transcript, where it has one."""

    def line(self) -> dict[str, object]:
        """Its line of the transcript, but for the digest of the line before it (`dpspin.transcript.encode`)."""
        return {
            "order": self.order, "name": self.name, "role": self.role, "charge": self.charge, "bytes": self.size,
            "sha256": self.sha256, "text": self.text,
        }  # fmt: skip


class Measured(Part):
    """What was measured."""

    epsilon_at_least: NonNegative


class Sentence(Part):
    """A sentence of the summary."""

    supported: bool


class Built(Part):
    """What a charged universe is declared to cost."""

    epsilon: NonNegative
    delta: NonNegative
    id: str | None
    """Of its charge; None where the audit saw none."""


class Accounting(Part):
    """The losses."""

    claimed: Loss
    accounted: Loss | None
    charge: Loss | None
    budget: Loss
    measured: Measured | None = None
    universe: Built | None = None
    """Only where the universe is charged, and so is `total`."""
    total: Loss | None = None


class Checked(Part):
    """The outcome of one check."""

    id: str
    required: bool
    status: Status
    strength: Strength
    summary: str
    figures: dict[str, Any]
    reason: str | None
    remedy: str | None = None
    location: dict[str, Any] | None = None


class Gap(Part):
    """Something that was not assessed."""

    id: str
    what: str
    why: str


class Waived(Part):
    """A waiver, and what became of it on the day of the audit."""

    check: str
    reason: str
    approver: str
    expires: RealDay
    state: Literal["in force", "expired", "not needed"]


class Gate(Part):
    """What waivers and a baseline set aside."""

    verdict: Status
    waivers: list[Waived]
    known: list[str]


class Evidence(Part):
    """An evidence file."""

    tool: Named
    verdict: Status
    stamp: str | None
    subject: Named
    deployment: Deployment
    claim: Claim
    exposures: list[Exposure]
    accounting: Accounting
    certificates: list[dict[str, Any]]
    checks: list[Checked]
    strengths: dict[str, dict[str, int]]
    plan: dict[str, Any] | None
    summary: list[Sentence] = Field(default=[])
    not_assessed: list[Gap]
    gate: Gate | None

    def check(self, name: str) -> Checked | None:
        """A check by its id."""
        return next((check for check in self.checks if check.id == name), None)
