"""Ids that programs take for one are two units, and the policy for records without one is the declared one."""

import unicodedata

import pytest

from dpspin_audits.checks import grouping
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.steps import Steps


class Box:
    """The black box behind a subject."""

    def __init__(self, inner):
        self.claim, self._inner = inner.claim, inner

    def fresh(self):
        return Box(self._inner.fresh())

    def release(self, records):
        return self._inner.release(records)


def check(kind, maker, boxed=False):
    subject = kind(maker.setting)
    return grouping.check(Box(subject) if boxed else subject, subject.claim, maker)


def tidied(tidy):
    class Tidies(Steps):
        def unit_of(self, record):
            unit = super().unit_of(record)
            return None if unit is None else tidy(unit.removeprefix("user "))

    return Tidies


def number(text):
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


TIDY = {
    "case": str.lower,
    "case folding": str.casefold,
    "blanks": str.strip,
    "composition": lambda text: unicodedata.normalize("NFC", text),
    "compatibility": lambda text: unicodedata.normalize("NFKC", text),
    "leading zeros": lambda text: text.lstrip("0"),
    "numbers": number,
    "64 characters": lambda text: text[:64],
    "255 characters": lambda text: text[:255],
    "the part before @": lambda text: text.partition("@")[0],
    "what is invisible": lambda text: "".join(c for c in text if c.isprintable()),
    "words for nothing": lambda text: "missing" if text.lower() in ("null", "none", "nan") else text,
}


@pytest.mark.parametrize(
    ("kind", "terms"),
    [(Steps, {}), (ReferenceSubject, {"unit": "user"}),
     (Steps, {"unit": "user", "missing": "own_unit", "mechanism": "top_l"})],
)  # fmt: skip
def test_ids_compared_as_they_are_pass_in_every_way(maker_of, kind, terms):
    found = check(kind, maker_of(**terms))
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert found.figures["seen_by"] == ["unit_key", "sketch", "injected", "tap"]


@pytest.mark.parametrize("how", TIDY)
def test_every_way_of_tidying_ids_is_found_by_keys_and_by_masses(maker_of, how):
    maker = maker_of(unit="user")
    by_key = check(tidied(TIDY[how]), maker)
    assert (by_key.status, by_key.figures["seen_by"]) == ("fail", "unit_key")

    class NoKeys(tidied(TIDY[how])):
        unit_key = None

    by_mass = check(NoKeys, maker)
    assert (by_mass.status, by_mass.figures["seen_by"]) == ("fail", "sketch")


def test_a_black_box_is_seen_by_its_draws(maker_of):
    maker = maker_of(unit="user")
    assert check(Steps, maker, boxed=True).figures == {"seen_by": ["tap"]}
    found = check(tidied(str.strip), maker, boxed=True)
    assert (found.status, found.figures["seen_by"]) == ("fail", "tap")
    assert "blank" in found.reason


class Pools(Steps):
    """All records without a user are one user."""

    unit_key = None

    def unit_of(self, record):
        return super().unit_of(record) if "who" in record else "nobody"


class Keeps(Steps):
    """Records without a user count, although they are dropped."""

    unit_key = None

    def share(self, record):
        return super().share({**record, "who": "user 1"} if "who" not in record else record)


class Drops(Steps):
    """Records without a user do not count, although each is its own unit."""

    unit_key = None

    def share(self, record):
        return super().share(record) if "who" in record else [0] * self.width


class Unclipped(Steps):
    """A user's records are never clipped."""

    def aggregate(self, unit):
        return [sum(column) for column in zip(*map(self.share, unit), strict=True)]


@pytest.mark.parametrize(
    ("kind", "missing", "reason"),
    [(Pools, "own_unit", "records without an id"), (Keeps, "drop", "to be dropped"), (Drops, "own_unit", "of its own"),
     (Unclipped, "drop", "more mass than the bound")],
)  # fmt: skip
def test_missing_ids_and_the_bound_are_held_to_what_is_declared(maker_of, kind, missing, reason):
    found = check(kind, maker_of(unit="user", missing=missing))
    assert found.status == "fail"
    assert reason in found.reason


class OneKey(Steps):
    """Shows one key for all records without an id."""

    def unit_key(self, record):
        return super().unit_key(record) if "who" in record else "nobody"


@pytest.mark.parametrize(("missing", "reason"), [("drop", "has a key"), ("own_unit", "have one key")])
def test_keys_of_records_without_an_id_are_looked_at(maker_of, missing, reason):
    found = check(OneKey, maker_of(unit="user", missing=missing))
    assert reason in found.reason


def test_the_table_holds_pairs_of_ids_that_are_both_protected(maker_of):
    for terms in ({}, {"unit": "user"}):
        maker = maker_of(**terms)
        rows = grouping.table(maker)
        assert len(rows) >= len(grouping.ALIKE)
        assert all(one != two and maker.kept(one) and maker.kept(two) for _, (one, two) in rows)
