"""canary: whether traces of planted records reach anything that leaves a release.

Bundles, what is printed and texts of exceptions are searched for planted tokens, digests of planted text, of corpora
and of lists of ids, for counts of records and units, which are primes, and for exact masses: a hit is a violation for
certain, to within the chance of guessing 64 bits.  Other values without noise are found by constancy: a value that is
the same in every release of one corpus and another one in every release of the adjacent corpus.  Candidates come from
runs of their own; then, on n fresh releases of each corpus, an (epsilon, delta)-DP release keeps both values of a
candidate with probability at most r^(2n), r = (e^eps + delta) / (1 + e^eps).  (With p = P(value | D) and
q = P(other | D'), p <= e^eps (1 - q) + delta and the same with p and q exchanged; p q is largest where both are equal.)
"""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil, log
from typing import NamedTuple

from dpspin.adjacency import MASS_UNIT
from dpspin.errors import SubjectError
from dpspin_audits.checks import hostile, traces
from dpspin_audits.checks.check import Check, Location, level
from dpspin_audits.checks.leaves import Leaves, leaves, line_of
from dpspin_audits.distribution.trials import derive
from dpspin_audits.pairs.adjacent import Change, pair
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.pairs.families import VARIED
from dpspin_audits.running.outcomes import released
from dpspin_audits.statistics.bounds import rate_allowed
from dpspin_audits.subject import BlackBox, Claim, Records

ID = "canary"
SCOUTS = 4
"""Releases of each corpus from which candidates are taken."""
MOST_RUNS = 400
MOST_CANDIDATES = 16
RECORDS, USERS = (307, 311, 331, 337), (101, 103, 107, 109)
"""Prime numbers of records, and of users with so many: a chance hit in all has a probability of 1e-10 a number."""
FILLED = 2 / 3
"""No atom may weigh more than this part of a count: then no noisy mass is near it."""
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
    planted = _plant(maker, token)
    scouts = [[_files(subject, records, maker) for _ in range(SCOUTS)] for records in planted.corpora]
    found = _certain(subject, maker, planted, scouts[1])
    if found is not None:
        return found
    candidates = constant([[leaves(bundle) for bundle in side] for side in scouts])[:MOST_CANDIDATES]
    runs = runs_needed(float(claim.epsilon), float(claim.delta), alpha / MOST_CANDIDATES)
    figures = {"scouts": SCOUTS, "runs": min(runs, MOST_RUNS), "alpha": level(alpha)}
    left = _confirm(subject, planted.corpora, candidates, min(runs, MOST_RUNS))
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
        Location(left[0].partition(": ")[0], line_of(left[0], scouts[1][0]) or line_of(left[0], scouts[0][0])),
    )  # fmt: skip


class _Planted(NamedTuple):
    """What was planted, and where."""

    token: str
    corpora: tuple[Records, Records]
    """Without it, and with it."""
    texts: list[str]
    """Fields of its records, and the records as JSON."""


def _plant(maker: Maker, token: str) -> _Planted:
    """Adjacent corpora and the unit that differs; a user's records are two, so that their number changes."""
    base = maker.varied("canary", VARIED)
    text = maker.probes.single[0].text
    texts = (f"{text} {token}",) * (2 if maker.by_user else 1)
    new = Member(next(maker.identifiers(token)), texts)
    old = Member(next(maker.identifiers("before")), (text,)) if maker.replaces else None
    made, records = pair(ID, maker, base, Change(new, old)), maker.records([new])
    values = {value for record in records for value in record.values()}
    whole = {text for record in records for text in traces.spellings(record)}
    return _Planted(token, (made.without, made.with_), sorted(values | whole))


def _files(subject: BlackBox, records: Records, maker: Maker) -> Mapping[str, bytes]:
    """What leaves a release, but for public files.

    Raises:
        SubjectError: when there is no bundle.
    """
    found = released(subject, records)
    if found.bundle is None:
        raise SubjectError("the subject", f"release raised {found.error}")
    public = (maker.setting.deployment_bytes, maker.setting.universe_bytes)
    return {name: data for name, data in found.files.items() if data not in public}


def _certain(subject: BlackBox, maker: Maker, planted: _Planted, scouts: Iterable[Mapping[str, bytes]]) -> Check | None:
    """A finding that needs no statistics."""
    written = traces.marks(planted.texts, planted.corpora, maker.setting.deployment.corpus.id_field)
    for files in (*scouts, *_provoked(subject, maker, planted)):
        name = traces.holder(files, planted.token, written)
        if name is not None:
            where = Location(name, traces.line(files[name], planted.token, written))
            return _hit("Part of a planted record stands in what was released.", where,
                        f"{name!a} holds a planted token or a digest of planted text")  # fmt: skip
    counted = [*_counted(subject, maker)]
    path = traces.counts(counted)
    if path is None:
        return None
    return _hit("An exact count or mass stands in what was released.",
                Location(path.partition(": ")[0], line_of(path, counted[-1].files)),
                f"{path!a} follows the exact number or mass of records over corpora of prime sizes")  # fmt: skip


def _hit(summary: str, where: Location, seen: str) -> Check:
    return Check(ID, "fail", "exact_on_hit", summary, {}, seen, REMEDY, where)


def _provoked(subject: BlackBox, maker: Maker, planted: _Planted) -> Iterator[Mapping[str, bytes]]:
    """What leaves releases of unusual records that hold the token, and one without it afterwards."""
    few = list(planted.corpora[0][:3])
    for record in hostile.records(maker, few[0], planted.token).values():
        yield released(subject, [*few, record]).files
    yield released(subject, few).files


def _counted(subject: BlackBox, maker: Maker) -> Iterator[traces.Counted]:
    """Releases of corpora of prime sizes on which no atom weighs nearly as much as there are units."""
    for records, users in zip(RECORDS, USERS, strict=True):
        made = _filled(maker.varied("count", users), records) if maker.by_user else maker.varied("count", records)
        masses = maker.masses(made)
        if max(masses) < FILLED * MASS_UNIT * len(made):
            units = () if maker.replaces else (len(made),)  # under replacement the number of units is public
            primes = (records, *units) if maker.by_user else units
            yield traces.Counted(primes, tuple(masses), _files(subject, maker.records(made), maker))


def _filled(users: list[Member], records: int) -> list[Member]:
    """The last user gets more records, so that there are as many as asked for."""
    last, missing = users[-1], records - sum(len(user.texts) for user in users)
    return [*users[:-1], Member(last.id, last.texts + last.texts[:1] * missing)]


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
            whole = leaves(released(subject, records).files)
            side.append({path: whole[path] for path in candidates if path in whole})
        candidates = [path for path in candidates if _tells(path, seen)]
        if not candidates:
            break
    return candidates
