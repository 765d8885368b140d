"""The audit as one function: no clock, no files, no global state; the same seed gives the same evidence.

A subject that is not `Reproducible` brings randomness of its own; everything else here follows from the seed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from dpspin.accounting.cost import Cost, accounted
from dpspin.accounting.second_opinion import Opinion, second_opinion
from dpspin.errors import SubjectError
from dpspin.pipeline import Setting
from dpspin_audits import evidence, probes, stated, utility
from dpspin_audits.bundle import Files, charge_of, exposures, plan_tree, sentences
from dpspin_audits.checks import (
    accounting,
    canary,
    certificate,
    contract,
    distribution,
    hygiene,
    provenance,
    rng,
    sensitivity,
    unassessed,
)
from dpspin_audits.checks.check import Check, Strength
from dpspin_audits.corpora import Maker
from dpspin_audits.families import Family, families
from dpspin_audits.judgement import PER_FAMILY, Judgement, Terms, judge
from dpspin_audits.reference_subject import claim_of
from dpspin_audits.subject import Batched, BlackBox
from dpspin_audits.trials import SMOKE, WHOLE_RELEASES, Effort

Progress = Callable[[str], None]
Step = tuple[Strength, Callable[[], Check]]


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
    bundle: Files = field(default_factory=dict)
    """A released bundle to judge as well; empty for none."""
    required: Sequence[str] = evidence.SMOKE


def _quiet(_: str) -> None:
    """No progress."""


def audit(
    asked: Audit,
    *,
    workers: Executor | None = None,
    elsewhere: rng.Elsewhere | None = None,
    progress: Progress = _quiet,
) -> dict[str, Any]:
    """Judge a subject.

    Args:
        asked: subject, deployment and parameters.
        workers: threads that families are tried in; figures do not depend on their number.
        elsewhere: two releases from new processes (`processes.Elsewhere`), or None.
        progress: told the name of each step before it begins.

    Returns:
        The evidence tree (`evidence.schema`), for `canonical.dumps`.

    Raises:
        UsageError: when the deployment gives nothing to audit.
    """
    inquiry = _Inquiry(asked, elsewhere, progress)
    judgements, broken = inquiry.tried(workers)
    checks = [*_distributions(judgements, broken, asked), *inquiry.others(judgements), *unassessed.checks()]
    return _tree(inquiry, checks, judgements)


class _Inquiry:
    """One audit in progress: what several checks share, each computed once."""

    def __init__(self, asked: Audit, elsewhere: rng.Elsewhere | None, progress: Progress) -> None:
        self.asked, self._elsewhere, self._progress = asked, elsewhere, progress
        self._maker = Maker(asked.setting, probes.search(asked.setting))
        made = families(self._maker)
        samples = isinstance(asked.subject, Batched)
        self._families = [family for family in made if samples or family.small]
        self._effort = asked.effort if samples else WHOLE_RELEASES
        self._curve = stated.curve(asked.subject.claim, asked.setting)
        each = PER_FAMILY + bool(self._curve)
        tests = sum(each + family.heavy for family in self._families) + 1  # and the canary's
        self._share = asked.alpha / tests

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
        return certificate.issue(self.asked.subject.claim, len(self.asked.setting.universe))

    @cached_property
    def _bundles(self) -> list[Files]:
        """The given bundle, and releases of no record, of one, and of many."""
        one = self._maker.records(self._maker.members("one", [self._maker.full(self._maker.probes.single[0])]))
        made = [canary.release(self.asked.subject, records) for records in ([], one, self._maker.settled())]
        return [self.asked.bundle, *made] if self.asked.bundle else made

    def tried(self, workers: Executor | None) -> tuple[list[Judgement], str | None]:
        """Judgements in the order of the families, or the reason why there are none."""
        claim = self.asked.subject.claim
        scale = float(claim.scale or claim_of(self.asked.setting).scale or 1)
        terms = Terms(claim, scale, self._share, self.asked.seed, self._effort, self._curve)
        work = partial(judge, subject=self.asked.subject, terms=terms)
        results = iter(workers.map(work, self._families) if workers else map(work, self._families))
        try:
            return [self._next(family, results) for family in self._families], None
        except SubjectError as error:
            return [], str(error)

    def _next(self, family: Family, results: Iterator[Judgement]) -> Judgement:
        self._progress(f"distribution: {family.name}")
        return next(results)

    def others(self, judgements: Sequence[Judgement]) -> list[Check]:
        """Every check that is not about distributions, in the order of the list."""
        return [self._guarded(name, *step) for name, step in self._steps(judgements).items()]

    def _steps(self, judgements: Sequence[Judgement]) -> Mapping[str, Step]:
        subject, claim, setting = self.asked.subject, self.asked.subject.claim, self.asked.setting
        maker, width, seed = self._maker, len(setting.universe), self.asked.seed
        searched = sensitivity.texts(maker.probes.words, self._effort.searched, seed)
        return {
            sensitivity.ID: ("exact_on_hit", lambda: sensitivity.check(subject, claim, judgements, maker, searched)),
            rng.ID: ("exact_on_hit", lambda: rng.check(subject, claim, maker.settled(), width, self._elsewhere)),
            hygiene.ID: ("exact_on_hit", lambda: hygiene.check(self._bundles, setting)),
            canary.ID: ("exact_on_hit", lambda: canary.check(subject, claim, maker, seed, self._share)),
            contract.ID: ("exact", lambda: contract.check(self._bundles)),
            accounting.CLAIM: ("exact", lambda: accounting.claim(claim, setting)),
            certificate.ID: ("exact", lambda: certificate.check(claim, self.issued)),
            accounting.OPINION: ("exact_on_hit", lambda: accounting.second_opinion(self.cost, self.opinion)),
            provenance.ID: ("declared", lambda: provenance.check(setting)),
        }

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
    seen, plan = exposures(asked.bundle), plan_tree(asked.bundle)
    figures = evidence.accounting_tree(asked.setting, inquiry.cost, inquiry.opinion, charge_of(seen))
    return {
        "schema": evidence.SCHEMA,
        "tool": evidence.tool(),
        "verdict": evidence.verdict(checks, asked.required),
        "stamp": plan["stamp"] if plan else None,
        "subject": {"spec": asked.spec, "name": evidence.name_of(asked.subject)},
        "deployment": evidence.deployment_tree(asked.setting),
        "claim": evidence.claim_tree(asked.subject.claim),
        "exposures": seen,
        "utility": utility.tree(asked.setting),
        "accounting": figures | {"measured": evidence.measured_tree(judgements, asked.alpha)},
        "certificates": [] if inquiry.issued.tree is None else [inquiry.issued.tree],
        "checks": [evidence.check_tree(check, asked.required, asked.command) for check in checks],
        "plan": plan,
        "summary": sentences(asked.bundle),
        "not_assessed": unassessed.entries(list(checks)),
        "seeds": {"audit": asked.seed.hex()},
    }
