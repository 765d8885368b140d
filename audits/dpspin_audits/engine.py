"""The audit as one function: no clock, no files, no global state; the same seed gives the same evidence.

A subject that is not `Reproducible` brings randomness of its own; everything else here follows from the seed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dpspin.accounting.cost import Cost, accounted
from dpspin.accounting.second_opinion import Opinion, second_opinion
from dpspin.errors import SubjectError
from dpspin.pipeline import Setting
from dpspin_audits import depths, evidence, losses, proved, utility
from dpspin_audits.bundle import Files, exposures, plan_tree, sentences
from dpspin_audits.checks import (
    accounting,
    canary,
    certificate,
    conformance,
    contract,
    distribution,
    grouping,
    hygiene,
    implementation,
    locality,
    noninterference,
    proofs,
    provenance,
    rng,
    sensitivity,
    unassessed,
)
from dpspin_audits.checks.check import Check, Step, Strength
from dpspin_audits.distribution import stated
from dpspin_audits.distribution.campaign import HERE, Workplace, judgements
from dpspin_audits.distribution.judgement import PER_FAMILY, Judgement
from dpspin_audits.distribution.terms import Shares, Terms
from dpspin_audits.distribution.trials import SMOKE, WHOLE_RELEASES, Effort
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.pairs.families import families
from dpspin_audits.pairs.probes import search
from dpspin_audits.reference_subject import claim_of
from dpspin_audits.running import outcomes
from dpspin_audits.statistics.given import GivenScore
from dpspin_audits.subject import Batched, BlackBox

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Audit:
    """What is asked."""

    setting: Setting
    subject: BlackBox
    spec: str
    """Address of the subject, as it was given."""
    command: str
    """The command that repeats this audit."""
    seed: bytes
    alpha: float = 0.001
    """Probability that any statistical check of this audit accuses a subject that keeps its claim, at most."""
    effort: Effort = SMOKE
    released: Effort = WHOLE_RELEASES
    """The effort for a subject that cannot sample."""
    bundle: Files = field(default_factory=dict)
    """A released bundle to judge as well; empty for none."""
    modes: Mapping[str, int] = field(default_factory=dict)
    """Modes of its files (stat(2)), where it was read from a folder."""
    required: Sequence[str] = evidence.SMOKE
    further: Sequence[str] = ()
    """Checks that are required where they can be run."""
    score: GivenScore | None = None
    """A score that somebody else wrote, tried beside the others; a subject may have one as its attribute `score`."""
    proofs: bytes | None = None
    """A certificate of `dpspin prove` to cite; None for the shipped one."""


def _quiet(_: str) -> None:
    """No progress."""


def audit(
    asked: Audit,
    *,
    place: Workplace = HERE,
    elsewhere: outcomes.Elsewhere | None = None,
    watch: implementation.Watch | None = None,
    progress: Progress = _quiet,
) -> dict[str, Any]:
    """Judge a subject.

    Args:
        asked: subject, deployment and parameters.
        place: who draws labelled runs; no figure depends on it.
        elsewhere: releases in new processes (`processes.Elsewhere`), or None.
        watch: judges a writer in a new process (`tripwire.check`), or None.
        progress: told the name of each step before it begins.

    Returns:
        The evidence tree (`evidence.schema`), for `canonical.dumps`.

    Raises:
        UsageError: when the deployment gives nothing to audit, or its universe's cost and the claim have no sum.
    """
    losses.check_addable(asked.setting, asked.subject.claim)
    inquiry = _Inquiry(asked, elsewhere, watch, progress)
    found, broken = inquiry.tried(place)
    checks = [*_distributions(found, broken, asked), *inquiry.others(found)]
    return _tree(inquiry, checks + unassessed.checks(checks), found)


class _Inquiry:
    """One audit in progress: what several checks share, each computed once."""

    def __init__(
        self, asked: Audit, elsewhere: outcomes.Elsewhere | None, watch: implementation.Watch | None, progress: Progress
    ) -> None:
        self._elsewhere, self._watch, self._progress = elsewhere, watch, progress
        self._maker = Maker(asked.setting, search(asked.setting))
        progress("first contact")
        self._contact = implementation.first_contact(elsewhere, self._maker)
        if self._contact and self._contact.ended:
            gone = implementation.Gone(asked.subject.claim, evidence.name_of(asked.subject), self._contact.ended)
            asked, self._elsewhere = replace(asked, subject=gone), None
        self.asked = asked
        made, samples = families(self._maker), isinstance(asked.subject, Batched)
        self._families = [family for family in made if samples or family.small]
        self._effort = asked.effort if samples else asked.released
        self._curve = stated.curve(asked.subject.claim, asked.setting)
        self._score = asked.score or getattr(asked.subject, "score", None)
        each = PER_FAMILY + bool(self._curve) + (self._score is not None)
        own = sum(each + family.heavy for family in self._families)
        once = dict.fromkeys(("support", "sampling", "independence", "canary"), 1)
        self._share = Shares(asked.alpha, {"distribution": own, **once}).each

    @cached_property
    def cost(self) -> Cost:
        """The loss that follows from the deployment."""
        return accounted(self.asked.setting.deployment, len(self.asked.setting.universe))

    @cached_property
    def opinion(self) -> Opinion | None:
        """Another library's figure, where it has one."""
        return second_opinion(self.cost)

    @cached_property
    def issued(self) -> certificate.Issued:
        """A certificate for the claim."""
        return certificate.issue(self.asked.subject.claim, self.asked.setting)

    @cached_property
    def _bundles(self) -> list[Files]:
        """The given bundle, and releases of no record, of one, and of many."""
        one = self._maker.records(self._maker.members("one", [self._maker.full(self._maker.probes.single[0])]))
        made = [outcomes.release(self.asked.subject, records) for records in ([], one, self._maker.settled())]
        return [self.asked.bundle, *made] if self.asked.bundle else made

    def tried(self, place: Workplace) -> tuple[list[Judgement], str | None]:
        """Judgements in the order of the families, or the reason why there are none."""
        subject, claim = self.asked.subject, self.asked.subject.claim
        scale = float(claim.scale or claim_of(self.asked.setting).scale or 1)
        terms = Terms(claim, scale, self._share, self.asked.seed, self._effort, self._curve, self._score)
        if isinstance(subject, implementation.Gone):
            place = HERE
        try:
            return judgements(self._families, subject, terms, place, self._announced), None
        except SubjectError as error:
            return [], str(error)

    def _announced(self, family: str) -> None:
        self._progress(f"distribution: {family}")

    def others(self, judgements: Sequence[Judgement]) -> list[Check]:
        """Every check that is not about distributions, in the order of the list."""
        return [self._guarded(name, *step) for name, step in self._steps(judgements).items()]

    def _steps(self, judgements: Sequence[Judgement]) -> Mapping[str, Step]:
        subject, claim, setting = self.asked.subject, self.asked.subject.claim, self.asked.setting
        maker, seed = self._maker, self.asked.seed
        searched = sensitivity.texts(maker.probes.words, self._effort.searched, seed)
        return {
            sensitivity.ID: ("exact_on_hit", lambda: sensitivity.check(subject, claim, judgements, maker, searched)),
            noninterference.ID: ("exact_on_hit", lambda: noninterference.check(subject, maker)),
            locality.ID: ("exact_on_hit", lambda: locality.check(subject, maker)),
            grouping.ID: ("exact_on_hit", lambda: grouping.check(subject, claim, maker)),
            rng.ID: ("exact_on_hit", lambda: rng.check(subject, claim, maker, self._elsewhere, self._contact)),
            hygiene.ID: ("exact_on_hit", lambda: hygiene.check(self._bundles, setting, self.asked.modes)),
            canary.ID: ("exact_on_hit", lambda: canary.check(subject, claim, maker, seed, self._share)),
            contract.ID: ("exact", lambda: contract.check(self._bundles)),
            accounting.CLAIM: ("exact", lambda: accounting.claim(claim, setting)),
            certificate.ID: ("exact", lambda: certificate.check(claim, self.issued)),
            accounting.OPINION: ("exact_on_hit", lambda: accounting.second_opinion(self.cost, self.opinion)),
            provenance.ID: ("declared", lambda: provenance.check(setting)),
            conformance.ID: ("exact", lambda: conformance.check(subject)),
            proofs.ID: ("proved", lambda: proofs.check(subject, setting, self.asked.proofs)),
            **self._implementation.steps(lambda: self._bundles),
        }

    @property
    def _implementation(self) -> implementation.Asked:
        shared = self._maker, self.asked.seed, self._share, self._contact, self._elsewhere, self._watch
        return implementation.Asked(self.asked.subject, *shared)

    def _guarded(self, name: str, strength: Strength, step: Callable[[], Check]) -> Check:
        self._progress(name)
        try:
            return step()
        except SubjectError as error:
            return _broken(name, strength, str(error))


def _distributions(judgements: Sequence[Judgement], broken: str | None, asked: Audit) -> list[Check]:
    if broken is None:
        return [make(judgements, asked.subject.claim) for make in (distribution.ideal, distribution.bits)]
    return [_broken(name, "statistical", broken) for name in (distribution.IDEAL, distribution.BITS)]


def _broken(name: str, strength: Strength, what: str) -> Check:
    return Check(name, "error", strength, "The implementation broke off.", {}, what, "mend it and audit again")


def _tree(inquiry: _Inquiry, checks: Sequence[Check], judgements: Sequence[Judgement]) -> dict[str, Any]:
    asked = inquiry.asked
    required = depths.required(asked.required, asked.further, checks)
    seen, plan = exposures(asked.bundle), plan_tree(asked.bundle)
    figures = losses.whole(asked.setting, asked.subject.claim, inquiry.cost, inquiry.opinion, seen)
    return {
        "schema": evidence.SCHEMA,
        "tool": evidence.tool(),
        "verdict": evidence.verdict(checks, required),
        "stamp": plan["stamp"] if plan else None,
        "subject": {"spec": asked.spec, "name": evidence.name_of(asked.subject)},
        "deployment": evidence.deployment_tree(asked.setting),
        "claim": evidence.claim_tree(asked.subject.claim),
        "exposures": seen,
        "utility": utility.tree(asked.setting),
        "accounting": figures | {"measured": evidence.measured_tree(judgements, asked.alpha)},
        "certificates": [] if inquiry.issued.tree is None else [inquiry.issued.tree],
        "proofs": proved.tree(checks),
        "checks": [evidence.check_tree(check, required, asked.command) for check in checks],
        "strengths": evidence.strengths_tree(checks),
        "plan": plan,
        "summary": sentences(asked.bundle),
        "not_assessed": unassessed.entries(list(checks)),
        "seeds": {"audit": asked.seed.hex()},
        "gate": None,
    }
