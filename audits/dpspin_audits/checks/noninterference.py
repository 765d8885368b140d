"""noninterference: whether anything but the noisy plan reaches the bundle or the decoder.

Two releases are coupled so that their noisy values are the same although their records have nothing in common; then
everything else must be the same, byte for byte: files, what the decoder is given, and what noise is asked for.  Noise
that is put in answers the same to both.  Where none can be put in, the two corpora have the same sketch instead, with
other ids, another order and records that contribute nothing, and the draws are held.  No chance is involved: what
differs depends on records (the premise of Theorem 5.8).
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from dpspin.errors import SubjectError, UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.checks.check import Check, Location
from dpspin_audits.checks.leaves import leaves, line_of
from dpspin_audits.lines import line_differing
from dpspin_audits.noise.held import NEEDS, SEEDS, Held, Release, Run, Variant, holding
from dpspin_audits.noise.source import LEVEL, Frozen
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import BlackBox, Records

ID = "noninterference"
EMPTY = 37
"""Units without mass that one of two corpora holds beside those with mass."""
BROKEN = Run({}, None, ())
"""In place of a release that raised."""
FOLLOWS = ("bytes", "plan_id", "sha256", "chain")
"""Values that change with any other: named last."""
REMEDY = "compute everything that leaves the curator from the noisy plan and public objects alone"


class Pair(NamedTuple):
    """Two corpora that one release must not tell apart once their noisy values are the same."""

    what: str
    one: Records
    two: Records


def unrelated(maker: Maker) -> list[Pair]:
    """Corpora that share no record and no sketch."""
    full = [maker.full(found) for found in maker.probes.single]
    up, down = (maker.records(maker.members("rank", chain(*steps))) for steps in _ladders(maker))
    few = maker.records(maker.members("few", [full[-1], ("",)]))
    many = maker.records(maker.varied("many", 40))
    heavy = maker.records(maker.members("heavy", [full[0]] * 60))
    return [
        Pair("no record and many", (), many),
        Pair("few and many", few, heavy),
        Pair("varied and alike", many, heavy),
        Pair("masses that rise and masses that fall from atom to atom", up, down),
    ]


def _ladders(maker: Maker) -> tuple[list[list[tuple[str, ...]]], list[list[tuple[str, ...]]]]:
    """Texts of one, two, three units and so on, on the atoms that frozen noise releases: upwards and downwards."""
    atoms = sorted(maker.probes.single, key=lambda found: found.heaviest)[: maker.setting.deployment.plan.size]
    full = [maker.full(found) for found in atoms]
    up = [[texts] * count for count, texts in enumerate(full, start=1)]
    down = [[texts] * count for count, texts in enumerate(reversed(full), start=1)]
    return up, down


def alike(maker: Maker) -> Pair:
    """The same masses, from units with other ids in another order, beside units without mass."""
    one = [member for found in maker.probes.single[:2] for member in maker.heavy(found)]
    two = maker.members("another", [member.texts for member in reversed(one)])
    empty = maker.members("empty", [("",)] * EMPTY)
    return Pair("the same masses", maker.records(one), maker.records([*empty, *two]))


def check(subject: BlackBox, maker: Maker) -> Check:
    """The verdict, by injected noise and by held draws, as far as the subject allows.

    Raises:
        SubjectError: when a release raises, or injected noise leaves no stamp.
    """
    tried: list[Variant] = []
    with holding(subject, decoders=True) as held:
        for variant, pair, runs in _coupled(held, maker):
            found = difference(*runs)
            if found is not None:
                seen = f"{pair.what}, the same noisy values: {found.what}"
                return Check(
                    ID, "fail", "exact_on_hit", "Something but the noisy plan depends on records.",
                    {"coupled_by": [variant], "pair": pair.what}, seen, REMEDY,
                    Location(found.file, found.line) if found.file else None,
                )  # fmt: skip
            tried.append(variant)
    if not tried:
        return Check(ID, "not_run", "exact_on_hit", "No two releases could be coupled.", {}, NEEDS, "offer it")
    figures: dict[str, object] = {"coupled_by": sorted(set(tried)), "pairs": len(tried)}
    return Check(ID, "pass", "exact_on_hit", "Bundle and decoder see nothing but the noisy plan.", figures)


def _coupled(held: Held, maker: Maker) -> Iterator[tuple[Variant, Pair, tuple[Run, Run, Run]]]:
    """Pairs of runs with the same noisy values, and the first run once more."""
    if held.injectable:
        for pair in unrelated(maker):
            for level in (LEVEL, 1):
                yield "injected", pair, _three(partial(_injected, held, level), pair)
    pair = alike(maker)
    for variant, release in held.ways(pair.one).items():
        for seed in SEEDS:
            runs = _three(partial(_by_seed, release, seed), pair)
            if _masses(runs[0]) == _masses(runs[2]) is not None:
                yield variant, pair, runs


def _injected(held: Held, level: int, records: Records) -> Run:
    return held.injected(records, Frozen((), level))


def _by_seed(release: Release, seed: bytes, records: Records) -> Run:
    return release(records, seed)


def _three(release: Callable[[Records], Run], pair: Pair) -> tuple[Run, Run, Run]:
    """Runs of the first corpus, twice, and of the second; to break off is an outcome, unless all three do."""
    runs, broken = [], []
    for records in (pair.one, pair.one, pair.two):
        try:
            runs.append(release(records))
        except SubjectError as error:
            broken.append(error)
            runs.append(BROKEN)
    if len(broken) == len(runs):
        raise broken[0]
    return runs[0], runs[1], runs[2]


def _masses(run: Run) -> object:
    try:
        return released_masses(run.bundle)
    except UsageError:
        return None


class Difference(NamedTuple):
    """Where two releases differ."""

    what: str
    file: str | None = None
    line: int | None = None


def difference(one: Run, again: Run, two: Run) -> Difference | None:
    """The first difference between two coupled releases; what a release changes by itself does not count.

    Args:
        one: of the first corpus.
        again: of the first corpus, in the same way.
        two: of the second corpus.
    """
    if BROKEN in (one, again, two):
        return Difference("one of the two breaks off") if (one == BROKEN) == (again == BROKEN) else None
    if set(one.bundle) != set(two.bundle):
        odd = min(set(one.bundle) ^ set(two.bundle))
        return Difference(f"{odd!a} is there once", odd)
    found = next(filter(None, (_file(one, again, two, name) for name in sorted(one.bundle))), None)
    if found is not None:
        return found
    if [asked.query for asked in one.asked] != [asked.query for asked in two.asked]:
        return Difference("other noise is asked for")
    return Difference("the decoder is given something else") if one.decoder == again.decoder != two.decoder else None


def _file(one: Run, again: Run, two: Run, name: str) -> Difference | None:
    if one.bundle[name] == again.bundle.get(name):
        line = line_differing(one.bundle[name], two.bundle[name])
        return None if line is None else Difference(f"{_where(one, two, name)} differs", name, line)
    more = sorted(path for path in _changed(one, two) - _changed(one, again) if path.startswith(f"{name}: "))
    if more:
        return Difference(f"{name!a} differs in more than it does by itself", name, line_of(more[0], one.bundle))
    return None


def _changed(one: Run, two: Run) -> set[str]:
    left, right = leaves(one.bundle), leaves(two.bundle)
    return {path for path in set(left) | set(right) if left.get(path) != right.get(path)}


def _where(one: Run, two: Run, name: str) -> str:
    """The first value that differs, by its path; words of a text are not repeated."""
    paths = (path for path in _changed(one, two) if path.startswith(f"{name}: ") and ": word " not in path)
    return ascii(min(paths, key=lambda path: (path.endswith(FOLLOWS), path), default=name))
