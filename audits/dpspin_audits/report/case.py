"""The case: evidence read once into the values that several sections of the report share."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import built
from dpspin_audits.report.built import Built
from dpspin_audits.report.figures import Losses
from dpspin_audits.report.numerals import percent
from dpspin_audits.report.prose import Text, code, link, text
from dpspin_audits.report.tree import Node, completed
from dpspin_audits.report.vocabulary import LIMITS, SECTIONS, STATUSES, Subject, subject_of

IMPORTANCE = ("proofs", "noninterference", "independence", "timing", "declared", "universe.provenance", "memory")
"""Ids of what a reader should learn first that it was not assessed; the rest follows in the order of the evidence."""

UNITS = ("record", "user")

OTHER_LAW = "not the stated law"
"""How the reason of a check begins whose finding is about the mechanism and not about (epsilon, delta)."""


class Check(NamedTuple):
    """One check and its result."""

    id: str
    required: bool
    status: str
    strength: str
    summary: str
    reason: str | None
    remedy: str | None
    place: str | None
    reproduce: str | None
    subject: Subject
    figures: Node
    finding: int
    """Number of the finding, from 1; 0 where there is none."""

    @property
    def is_other_law(self) -> bool:
        """Whether it found another law than the stated one, without contradicting the claim itself."""
        return self.status == "fail" and (self.reason or "").startswith(OTHER_LAW)

    @property
    def answered(self) -> bool:
        """Whether the check ended in a result that says something about the claim by itself."""
        return self.status == "fail" or (self.status == "pass" and self.strength != "declared")


class Gap(NamedTuple):
    """Something that was not assessed."""

    id: str
    status: str
    title: str
    """A few words, for the first screen."""
    what: str
    why: str


def accepted(gate: Node) -> set[str]:
    """Ids of checks whose findings a gate does not count: waived, or found by an earlier audit too."""
    waived = {row.text("check") for row in gate.nodes("waivers") if row.text("state") == "in force"}
    return waived.union(gate.texts("known"))


class Case(NamedTuple):
    """Everything that more than one section needs."""

    root: Node
    deployment: Node
    claim: Node
    checks: tuple[Check, ...]
    """Problems first, required ones before others of the same status."""
    gaps: tuple[Gap, ...]
    losses: Losses
    built: Built | None = None
    """The universe's own charge, where it was built from protected records."""

    @property
    def exposed(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta that one unit is exposed to: those of the claim, and of a charged universe with it."""
        if self.built:
            return self.built.whole_epsilon, self.built.whole_delta
        return self.losses.claimed, self.losses.delta

    @property
    def findings(self) -> tuple[Check, ...]:
        """Failing checks, in order of their numbers."""
        return tuple(check for check in self.checks if check.finding)

    @property
    def set_aside(self) -> tuple[Check, ...]:
        """Findings that a gate does not count, because somebody waived them or an earlier audit had them."""
        if not self.root.has("gate"):
            return ()
        aside = accepted(self.root.node("gate"))
        return tuple(check for check in self.findings if check.id in aside)

    @property
    def is_sparse(self) -> bool:
        """Whether themes are admitted before noise is added, and to these alone."""
        return self.deployment.text("mechanism") == "private_top_l"

    @property
    def noised(self) -> str:
        """The themes whose masses the noise floor is about, in words."""
        size, released = self.deployment.count("universe_size"), self.deployment.count("plan_size")
        return f"the {min(size, released):,} admitted themes" if self.is_sparse else f"all {size:,} themes"


def _place(check: Node) -> str | None:
    location = check.maybe_node("location")
    if location is None:
        return None
    return location.text("file") + (f":{location.count('line')}" if location.has("line") else "")


def _check(node: Node) -> Check:
    status = node.text("status")
    if status not in STATUSES:
        raise node.wrong("status", f"one of {', '.join(STATUSES)}")
    return Check(
        id=node.text("id"),
        required=node.flag("required"),
        status=status,
        strength=node.text("strength"),
        summary=node.text("summary"),
        reason=node.maybe_text("reason"),
        remedy=node.maybe_text("remedy"),
        place=_place(node),
        reproduce=node.maybe_text("reproduce"),
        subject=subject_of(node.text("id")),
        figures=node.node("figures"),
        finding=0,
    )


def _checks(root: Node) -> tuple[Check, ...]:
    found = sorted(
        (_check(node) for node in root.nodes("checks")), key=lambda c: (STATUSES.index(c.status), not c.required)
    )
    return tuple(
        check._replace(finding=number if check.status == "fail" else 0) for number, check in enumerate(found, 1)
    )


def _gap(check: Check, said: Node | None) -> Gap:
    status = "declared" if check.status == "pass" else check.status
    what = said.text("what") if said else check.subject.title
    why = said.text("why") if said else check.reason or check.summary
    return Gap(check.id, status, check.subject.title, what, why)


def _gaps(root: Node, checks: tuple[Check, ...]) -> tuple[Gap, ...]:
    """Checks without an answer, what the evidence lists besides, and what is declared, by importance.

    Required checks come first, then errors and undecided results, then the order of `IMPORTANCE`.
    """
    listed = {node.text("id"): node for node in root.nodes("not_assessed")}
    silent = [check for check in checks if not check.answered]
    gaps = [_gap(check, listed.pop(check.id, None)) for check in silent]
    for id_, node in listed.items():
        gaps.append(Gap(id_, "not_run", LIMITS.get(id_, node.text("what")), node.text("what"), node.text("why")))
    choice, date = "Choice of ε and bins before data", root.node("deployment").text("declared_at")
    gaps.append(Gap("declared", "declared", choice, choice, f"declared, {date}"))
    required = {check.id for check in silent if check.required}
    return tuple(sorted(gaps, key=lambda gap: _importance(gap, required)))


def _importance(gap: Gap, required: set[str]) -> int:
    if gap.id in required and gap.status != "declared":
        return -2
    if gap.status in ("error", "inconclusive"):
        return -1
    return IMPORTANCE.index(gap.id) if gap.id in IMPORTANCE else len(IMPORTANCE)


def is_covered(exposure: Node, *, synthetic: bool) -> bool:
    """Whether an object is public, computed from others, covered by a charge, or made from generated records."""
    role = exposure.text("role") if exposure.has("role") else ""
    return role in ("public", "post-processing") or (role == "dp" and (exposure.has("charge") or synthetic))


def _losses(root: Node, checks: tuple[Check, ...]) -> Losses:
    accounting, deployment = root.node("accounting"), root.node("deployment")
    claimed = accounting.node("claimed")
    accounted, measured = accounting.maybe_node("accounted"), accounting.maybe_node("measured")
    outside = [
        exposure.text("name")
        for exposure in root.nodes("exposures")
        if not is_covered(exposure, synthetic=deployment.flag("synthetic"))
    ]
    return Losses(
        claimed=claimed.number("epsilon"),
        delta=claimed.number("delta"),
        accounted=accounted.number("epsilon") if accounted else None,
        needed=accounted.number("delta") if accounted else None,
        measured=measured.number("epsilon_at_least") if measured else None,
        runs=measured.count("runs") if measured else 0,
        confidence=percent(1 - measured.number("alpha")) if measured else "",
        outside=tuple(outside),
        unit=root.node("claim").text("unit"),
        lawful=not any(check.is_other_law for check in checks),
    )


def opened(root: Node) -> Case:
    """Read the shared values of an evidence tree; sections that it lacks are empty and listed as not assessed."""
    root = Node(completed(root.tree), root.path)
    if root.node("claim").text("unit") not in UNITS:
        raise root.node("claim").wrong("unit", f"one of {', '.join(UNITS)}")
    checks = _checks(root)
    shared = root.node("deployment"), root.node("claim"), checks, _gaps(root, checks), _losses(root, checks)
    return Case(root, *shared, built.of(root))


def where(check: Check) -> Text:
    """A link to what the report says about a check."""
    if check.finding:
        return to_finding(check)
    if check.required and check.status != "pass":
        return link("below", "unanswered")
    section = SECTIONS["gaps" if check.status != "pass" else check.subject.section]
    return link(f"section\u00a0{section.number}", section.id)


def to_finding(check: Check, before: str = "") -> Text:
    """A link to a finding by its number."""
    return link(f"{before}F{check.finding}", f"f{check.finding}")


def to_section(id_: str) -> Text:
    """A link to a section by its number."""
    return link(f"section\u00a0{SECTIONS[id_].number}", id_)


def objects(names: tuple[str, ...]) -> list[Text]:
    """File names as a list of texts, two at most and the number of the rest."""
    shown = [code(name) for name in names[:2]]
    return [*shown, text(f"{len(names) - 2} more")] if len(names) > 2 else shown
