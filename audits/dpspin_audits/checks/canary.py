"""canary: whether traces of planted records reach the release folder.

Planted tokens and digests of planted text must not occur at all: a hit is a violation for certain.  Counts and other
values without noise are found by constancy: a value that is the same in every release of one corpus and another one in
every release of the adjacent corpus.  Candidates come from runs of their own; then, on n fresh releases of each corpus,
an (epsilon, delta)-DP release keeps both values of a candidate with probability at most r^(2n), r = (e^eps + delta) /
(1 + e^eps).  (With p = P(value | D) and q = P(other | D'), p <= e^eps (1 - q) + delta and the same with p and q
exchanged; p q is largest where both are equal.)
"""

import hashlib
from collections.abc import Mapping
from math import ceil, log

from dpspin.errors import SubjectError
from dpspin_audits.checks.check import Check, Location, level
from dpspin_audits.checks.leaves import Leaves, leaves
from dpspin_audits.corpora import Maker, Member
from dpspin_audits.families import VARIED
from dpspin_audits.pairs import Change, pair
from dpspin_audits.statistics.bounds import rate_allowed
from dpspin_audits.subject import BlackBox, Claim, Records
from dpspin_audits.trials import derive

ID = "canary"
SCOUTS = 4
"""Releases of each corpus from which candidates are taken."""
MOST_RUNS = 400
MOST_CANDIDATES = 16
REMEDY = "release nothing that is computed from records without noise"


def runs_needed(epsilon: float, delta: float, alpha: float) -> int:
    """The least n at which constancy on both corpora has a false-alarm probability of at most `alpha`."""
    rate = rate_allowed(epsilon, delta)
    return ceil(log(alpha) / log(rate) / 2) if rate < 1 else MOST_RUNS + 1


def check(subject: BlackBox, claim: Claim, maker: Maker, seed: bytes, alpha: float) -> Check:
    """The verdict.

    Raises:
        SubjectError: when a release raises.
    """
    token = "q" + derive(seed, "token").hex()[:20]
    corpora, planted = _corpora(maker, token)
    scouts = [[release(subject, records) for _ in range(SCOUTS)] for records in corpora]
    found = next((hit for bundle in scouts[1] if (hit := _planted(bundle, token, planted))), None)
    if found is not None:
        return Check(
            ID, "fail", "exact_on_hit", "Part of a planted record stands in the release folder.", {},
            f"{found!a} holds a planted token or a digest of planted text", REMEDY, Location(found),
        )  # fmt: skip
    candidates = constant([[leaves(bundle) for bundle in side] for side in scouts])[:MOST_CANDIDATES]
    runs = runs_needed(float(claim.epsilon), float(claim.delta), alpha / MOST_CANDIDATES)
    figures = {"scouts": SCOUTS, "runs": min(runs, MOST_RUNS), "alpha": level(alpha)}
    left = _confirm(subject, corpora, candidates, min(runs, MOST_RUNS))
    if not left:
        return Check(ID, "pass", "statistical", "No planted token and no value without noise was found.", figures)
    seen = f"{left[0]!a} was one value in all releases of a corpus and another in all of the adjacent one"
    if runs > MOST_RUNS:
        return Check(
            ID, "inconclusive", "statistical", "A value may carry no noise.", figures,
            f"{seen}; at the claimed epsilon {runs} releases of each would be needed to tell", "look at that value",
        )  # fmt: skip
    return Check(
        ID, "fail", "statistical", "A value in the release folder carries no noise.", figures, seen, REMEDY,
        Location(left[0].partition(":")[0]),
    )  # fmt: skip


def _corpora(maker: Maker, token: str) -> tuple[tuple[Records, Records], list[str]]:
    """Adjacent corpora, and the values of the planted unit; a user's records are two, so that their number changes."""
    base = maker.varied("canary", VARIED)
    text = maker.probes.single[0].text
    texts = (f"{text} {token}",) * (2 if maker.by_user else 1)
    new = Member(next(maker.identifiers(token)), texts)
    old = Member(next(maker.identifiers("before")), (text,)) if maker.replaces else None
    made = pair(ID, maker, base, Change(new, old))
    return (made.without, made.with_), sorted({value for record in maker.records([new]) for value in record.values()})


def constant(sides: list[list[Leaves]]) -> list[str]:
    """Paths with one value in all bundles of one corpus and another in all of the other; a missing path is a value."""
    paths = sorted({path for side in sides for bundle in side for path in bundle})
    return [path for path in paths if _tells(path, sides)]


def _tells(path: str, sides: list[list[Leaves]]) -> bool:
    values = [{bundle.get(path) for bundle in side} for side in sides]
    return len(values[0]) == len(values[1]) == 1 and values[0] != values[1]


def _confirm(subject: BlackBox, corpora: tuple[Records, Records], candidates: list[str], runs: int) -> list[str]:
    """Candidates that stay constant over fresh releases; none is left as soon as each has changed once."""
    seen: list[list[Leaves]] = [[], []]
    for _ in range(runs):
        for side, records in zip(seen, corpora, strict=True):
            whole = leaves(release(subject, records))
            side.append({path: whole[path] for path in candidates if path in whole})
        candidates = [path for path in candidates if _tells(path, seen)]
        if not candidates:
            break
    return candidates


def release(subject: BlackBox, records: Records) -> Mapping[str, bytes]:
    """One release of a new instance.

    Raises:
        SubjectError: when it raises, or is not a mapping of names to bytes.
    """
    try:
        bundle = dict(subject.fresh().release(records))
    except Exception as error:
        raise SubjectError("the subject", f"release raised {type(error).__name__}") from error
    if not all(isinstance(name, str) and isinstance(data, bytes) for name, data in bundle.items()):
        raise SubjectError("the subject", "release returned something other than names and bytes")
    return bundle


def _planted(bundle: Mapping[str, bytes], token: str, texts: list[str]) -> str | None:
    """The first file that holds the token or a digest of planted text."""
    marks = [token] + [
        hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()
        for name in ("sha256", "sha1", "md5")
        for text in texts
    ]
    for name, data in bundle.items():
        lower = (name.encode() + data).lower()
        if any(mark.encode() in lower for mark in marks):
            return name
    return None
