"""budget: whether what a subject charges covers what it releases.

Charges only grow and do not follow from records.  A release is charged at least what the claim says of it; further ones
of the same instance may cost less (composition theorems allow it) but never nothing, unless they repeat an earlier
plan.  Putting a released plan into words again is free.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from dpspin.decimals import exact
from dpspin.errors import SubjectError
from dpspin_audits.checks.check import Check
from dpspin_audits.checks.seeds import noise_of
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.running.outcomes import Bundle, kind, observe
from dpspin_audits.subject import BlackBox, Charges, Claim, Decodes, Records

ID = "budget"
RELEASES = 3
REMEDY = "charge every release what it costs, before records are read"


class Entry(NamedTuple):
    """What an instance has spent after a release, and the release; none where it refused."""

    epsilon: Fraction
    delta: Fraction
    bundle: Bundle | None


def check(subject: BlackBox, claim: Claim, maker: Maker) -> Check:
    """The verdict.

    Raises:
        SubjectError: when `spent` raises or is not two numbers.
    """
    if not isinstance(subject.fresh(), Charges):
        return Check(
            ID, "not_run", "exact_on_hit", "What the subject charges was not looked at.", {}, "needs `spent`",
            "offer `spent`",
        )  # fmt: skip
    accounts = [account(subject, [records] * RELEASES) for records in (maker.settled(), [])]
    last = accounts[0][-1]
    figures = {"releases": RELEASES, "epsilon": exact(last.epsilon), "delta": exact(last.delta)}
    found = next((fault for made in accounts for fault in faults(made, claim)), None) or _between(accounts)
    found = found or _worded_again(subject, maker.settled())
    if found is not None:
        return Check(ID, "fail", "exact_on_hit", "What is charged is not what is released.", figures, found, REMEDY)
    summary = f"The first of {RELEASES} releases is charged what is claimed, and no further one is free."
    return Check(ID, "pass", "exact_on_hit", summary, figures)


def account(subject: BlackBox, corpora: Sequence[Records]) -> list[Entry]:
    """What a new instance has spent, before its first release and after each."""
    instance = subject.fresh()
    entries = [Entry(*spent(instance), None)]
    for records in corpora:
        bundle = observe(partial(instance.release, records)).bundle
        entries.append(Entry(*spent(instance), bundle))
    return entries


def spent(instance: object) -> tuple[Fraction, Fraction]:
    """Epsilon and delta in total.

    Raises:
        SubjectError: when `spent` raises or is not two numbers.
    """
    try:
        epsilon, delta = map(Fraction, instance.spent()) if isinstance(instance, Charges) else (None, None)
    except Exception as error:
        raise SubjectError("the subject", f"spent raised {kind(error)}, or is not two exact numbers") from error
    if epsilon is None or delta is None:
        raise SubjectError("the subject", "a new instance has no `spent`")
    return epsilon, delta


def faults(entries: Sequence[Entry], claim: Claim) -> Iterator[str]:
    """Whatever is wrong with the entries of one instance."""
    if min(entries[0][:2]) < 0:
        yield "a new instance has spent less than nothing"
    for number, (before, after) in enumerate(pairwise(entries), start=1):
        epsilon, delta = after.epsilon - before.epsilon, after.delta - before.delta
        if min(epsilon, delta) < 0:
            yield f"release {number} lowered what was spent"
        if after.bundle is None:
            continue
        if number == 1 and (epsilon < claim.epsilon or delta < claim.delta):
            yield (f"the first release is charged epsilon {exact(epsilon)} and delta {exact(delta)}; "
                   f"claimed are {exact(claim.epsilon)} and {exact(claim.delta)}")  # fmt: skip
        earlier = [noise_of(entry.bundle) for entry in entries[:number] if entry.bundle is not None]
        if epsilon == delta == 0 and noise_of(after.bundle) not in earlier:
            yield f"release {number} is new and is charged nothing"


def _between(accounts: Sequence[Sequence[Entry]]) -> str | None:
    """Whether charges follow from the records; two instances that released equally often have spent the same."""
    sums = [[entry[:2] for entry in entries] for entries in accounts]
    return None if sums[0] == sums[1] else "what was spent after as many releases differs from corpus to corpus"


def _worded_again(subject: BlackBox, records: Records) -> str | None:
    """Whether another text about a released plan is charged."""
    instance = subject.fresh()
    bundle = observe(partial(instance.release, records)).bundle
    if not isinstance(instance, Decodes) or bundle is None or "plan.json" not in bundle:
        return None
    before = spent(instance)
    with suppress(Exception):  # a plan that its own decoder cannot read is a matter for other checks
        instance.decoder_input(bundle["plan.json"])
    return None if spent(instance) == before else "what was spent changed when a released plan was put into words again"
