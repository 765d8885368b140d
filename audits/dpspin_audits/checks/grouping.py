"""grouping: whether records are put together by their unit's id exactly as it is written, and by nothing else.

A table of pairs of ids that programs take for one: each pair is two units, and two units have the sum of their masses.
One id is one unit: a user with twice the records has no more than the bound.  A record without an id follows the
declared policy: it counts nothing, or it is a unit of its own, and it is never pooled (spec.md section 8, row 12).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count, islice, pairwise
from typing import NamedTuple

from dpspin.curator import intake
from dpspin_audits.checks.check import Check
from dpspin_audits.checks.locality import Sum, problem, verdict
from dpspin_audits.handed import hand
from dpspin_audits.noise.exposed import Exposed, beside, exposed
from dpspin_audits.noise.held import holding
from dpspin_audits.pairs.corpora import Maker, Member, corpus_record
from dpspin_audits.subject import BlackBox, Claim, Keyed, Record

ID = "grouping"
REMEDY = "compare ids exactly as given; treat a record without one as the deployment declares"
LOOKED_AT = 400
"""Numbers tried for two ids that are both protected and selected."""
ALIKE = (
    ("case", "User {}", "user {}"),
    ("a blank at the end", "user {}", "user {} "),
    ("a blank in front", "user {}", " user {}"),
    ("a tab at the end", "user {}", "user {}\t"),
    ("a line end", "user {}", "user {}\n"),
    ("a no-break space", "user {}", "user\u00a0{}"),
    ("a zero-width space", "user {}", "user {}\u200b"),
    ("a NUL", "user {}", "user {}\x00"),
    ("composed and decomposed letters", "Zo\u00eb {}", "Zoe\u0308 {}"),
    ("full-width digits", "{}", "\uff11{}"),
    ("a ligature", "\ufb01ve {}", "five {}"),
    ("sharp s", "Stra\u00dfe {}", "Strasse {}"),
    ("leading zeros", "{}", "0{}"),
    ("a point and a zero", "{}", "{}.0"),
    ("an exponent", "{}", "{}e0"),
    ("a plus sign", "{}", "+{}"),
    ("an underscore", "1{}", "1_{}"),
    ("integers beyond 2^53", "9007199254740992{}1", "9007199254740992{}2"),
    ("decimals beyond a double", "0.12345678901234567{}1", "0.12345678901234567{}2"),
    ("the 65th character", "x" * 64 + "{}a", "x" * 64 + "{}b"),
    ("the 256th character", "y" * 255 + "{}a", "y" * 255 + "{}b"),
    ("the part before an at sign", "ada{}@one.example", "ada{}@two.example"),
    ("the prefix of a record", "{}", "record {}"),
)  # fmt: skip
"""What sets two ids apart, and the two."""
NAMELESS = 4
WORDS = (
    "null", "NULL", "Null", "nil", "none", "None", "NONE", "nan", "NaN", "NAN", "na", "NA", "n/a", "N/A", "undefined",
    "unknown", "anonymous", "-", "--", "0", "0.0", "false", "False",
)  # fmt: skip
"""Ids that programs take for a missing one; neighbours are paired."""


class Row(NamedTuple):
    """Two ids that differ."""

    what: str
    ids: tuple[str, str]


def table(maker: Maker) -> list[Row]:
    """Every pair of the table with both ids protected and selected, then words that stand for no id."""
    rows = []
    for what, one, two in ALIKE:
        number = next((n for n in range(1, LOOKED_AT) if maker.kept(one.format(n)) and maker.kept(two.format(n))), None)
        if number is not None:
            rows.append(Row(what, (one.format(number), two.format(number))))
    words = [word for word in WORDS if maker.kept(word)]
    return rows + [Row("words for nothing", (one, two)) for one, two in pairwise(words)]


def check(subject: BlackBox, claim: Claim, maker: Maker) -> Check:
    """The verdict, by `unit_key` and by every way that shows exact masses.

    Raises:
        SubjectError: when a release, or `unit_key`, raises.
    """
    rows, tried = table(maker), []
    first = maker.probes.single[0].atoms
    if isinstance(subject, Keyed):
        bad = next(_keys(subject, claim, maker, rows), None)
        if bad is not None:
            return _fail("unit_key", bad, rows)
        tried.append("unit_key")
    with holding(subject) as held:
        for way in exposed(subject, held, beside(maker), first):
            found = list(_sums(way, claim, maker, rows))
            bad = next((each for each in found if each), None)
            if bad is not None:
                return _fail(way.variant, bad, rows)
            if None in found:
                tried.append(way.variant)
    unit = "users" if maker.by_user else "records"
    return verdict(ID, tried, f"No two {unit} of {len(rows)} pairs with almost equal ids are taken for one.")


def _fail(variant: str, seen: str, rows: list[Row]) -> Check:
    figures = {"seen_by": variant, "pairs": len(rows)}
    return Check(ID, "fail", "exact_on_hit", "Records are not grouped by the id as given.", figures, seen, REMEDY)


def _keys(subject: Keyed, claim: Claim, maker: Maker, rows: list[Row]) -> Iterator[str]:
    """What is wrong with the keys of records."""
    text = maker.probes.single[0].text

    def key(identifier: str, number: int = 0) -> object:
        return _key(subject, maker.record(f"{identifier}-r{number}" if maker.by_user else identifier, text, identifier))

    for row in rows:
        one, two = map(key, row.ids)
        if one is None or two is None:
            yield f"{row.what}: a record with an id has no key"
        if one == two:
            yield f"{row.what}: two ids have one key"
        if maker.by_user and one != key(row.ids[0], 1):
            yield f"{row.what}: two records of one user have different keys"
    keys = [_key(subject, record) for record in _nameless(maker)]
    if claim.missing_ids == "drop" and any(each is not None for each in keys):
        yield "a record without an id has a key, although it counts nothing"
    if claim.missing_ids != "drop" and len({*map(repr, keys)}) < len(keys):
        yield "records without an id have one key"


def _key(subject: Keyed, record: Record) -> object:
    return hand([record], "unit_key", lambda given: subject.unit_key(given[0]))


def _sums(way: Exposed, claim: Claim, maker: Maker, rows: list[Row]) -> Iterator[str | None]:
    """What is wrong with masses, row by row: None where nothing is, the empty string where too little is seen."""
    texts = maker.full(maker.probes.single[0])
    yield from _alike(way, maker, rows)
    if not maker.by_user:
        return
    once, twice = (maker.records([Member(rows[0].ids[0], texts * times)]) for times in (1, 2))
    less, more = way.masses(once), way.masses(twice)
    if any(more[key] - less[key] > way.slack for key in set(less) & set(more)):
        yield "a user with twice the records has more mass than the bound"
    nameless = _nameless(maker)
    yield _policy(way, claim, nameless)
    yield problem(way, Sum("records without an id", tuple([record] for record in nameless)))
    yield problem(way, Sum("a record without an id beside a user", ([nameless[0]], once)))


def _alike(way: Exposed, maker: Maker, rows: list[Row]) -> Iterator[str | None]:
    """All ids at once: units with the same texts have the same mass; pair by pair only where their sum is another."""
    texts = maker.full(maker.probes.single[0])
    units = [maker.records([Member(name, texts)]) for row in rows for name in row.ids]
    unique = list({repr(unit): unit for unit in units}.values())
    together, one = way.masses([record for unit in unique for record in unit]), way.masses(unique[0])
    seen = set(one) & set(together)
    if all(abs(together[key] - len(unique) * one[key]) <= len(unique) * way.slack for key in seen):
        yield None if any(one[key] > way.slack for key in seen) else ""
    else:
        for row, pair in zip(rows, zip(units[::2], units[1::2], strict=True), strict=True):
            yield problem(way, Sum(row.what, pair))
        yield "ids that differ: the masses of all are not the sum of the masses of each"


def _policy(way: Exposed, claim: Claim, nameless: list[Record]) -> str | None:
    """Whether a record without an id counts as declared."""
    alone, nothing = way.masses(nameless[:1]), way.masses([])
    moved = [alone[key] - nothing[key] for key in set(alone) & set(nothing)]
    if claim.missing_ids == "drop" and any(abs(step) > way.slack for step in moved):
        return "a record without an id counts, although it is to be dropped"
    if claim.missing_ids != "drop" and moved and not any(step > way.slack for step in moved):
        return "a record without an id does not count, although it is to be a unit of its own"
    return None if moved else ""


def _nameless(maker: Maker) -> list[Record]:
    """Records without a user's id, protected and selected where they count at all."""
    if not maker.by_user:
        return []
    text = maker.probes.single[0].text
    made = (maker.record(f"nameless-{number}", text) for number in count())
    return list(islice((record for record in made if _counts(maker, record)), NAMELESS))


def _counts(maker: Maker, record: Record) -> bool:
    """Whether a record without an id would count, if such records do."""
    d, read = maker.setting.deployment, corpus_record(record, maker.setting)
    dropped = d.user is None or d.user.on_missing_user == "drop"
    return dropped or any(True for _ in intake.protected_scores([read], d, maker.setting.weights, Counter()))
