"""Masses of corpora together are the sum of their masses, or a record changed another one."""

from dataclasses import replace

import pytest

from dpspin.corpus.scoring import OwnScores
from dpspin_audits.checks import locality
from dpspin_audits.noise.exposed import Exposed
from dpspin_audits.pairs import probes
from dpspin_audits.pairs.corpora import Maker
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


class Shares(Steps):
    """Divides by the number of records."""

    def sketch(self, records):
        return [mass // max(1, len(records)) for mass in super().sketch(records)]


class Dedupes(Steps):
    """Drops records whose text was there before."""

    def sketch(self, records):
        seen = {record.get("body"): record for record in records}
        return super().sketch(list(seen.values()))


class TinyBatches(Steps):
    """Batches of fewer than twenty records are scored a little differently."""

    def sketch(self, records):
        exact = super().sketch(records)
        return [mass + (mass > 0) * (2 <= len(records) < 20) for mass in exact]


class FirstCounts(Steps):
    """Order matters: the first record counts one lattice unit more."""

    def sketch(self, records):
        exact = super().sketch(records)
        first = max(range(self.width), key=self.share(records[0]).__getitem__) if records else 0
        return [mass + (atom == first and len(records) > 17) for atom, mass in enumerate(exact)]


@pytest.mark.parametrize(("kind", "terms"), [(Steps, {}), (ReferenceSubject, {"mechanism": "top_l", "unit": "user"})])
def test_correct_sums_pass_in_every_way_that_shows_them(maker_of, kind, terms):
    maker = maker_of(**terms)
    found = locality.check(kind(maker.setting), maker)
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert found.figures["seen_by"] == ["sketch", "injected", "tap"]


@pytest.mark.parametrize("kind", [Shares, Dedupes, TinyBatches, FirstCounts])
def test_one_record_that_changes_another_is_found(maker, kind):
    found = locality.check(kind(maker.setting), maker)
    assert (found.status, found.strength, found.figures["seen_by"]) == ("fail", "exact_on_hit", "sketch")


@pytest.mark.parametrize("kind", [Shares, Dedupes])
def test_it_is_found_behind_a_black_box_too(maker, kind):
    assert locality.check(Box(Steps(maker.setting)), maker).figures == {"seen_by": ["tap"]}
    found = locality.check(Box(kind(maker.setting)), maker)
    assert (found.status, found.figures["seen_by"]) == ("fail", "tap")


def test_where_masses_cannot_be_seen_it_was_not_run(maker):
    class Hidden(Steps):
        def release(self, records):
            return {"plan.json": b"{}"}

    found = locality.check(Box(Hidden(maker.setting)), maker)
    assert (found.status, found.reason) == ("not_run", locality.NEEDS)


def test_what_is_not_seen_is_neither_a_pass_nor_a_failure():
    blind = Exposed("tap", lambda records: {}, 0, 0)
    assert locality.problem(blind, locality.Sum("two", ([{}], [{}]))) == ""


AFTER_A_LONG_TEXT = """
lengths = [0]


def shared(text, labels):
    more = lengths[-1] > 9000
    lengths.append(len(text))
    return [len(set(text.split()) & set(label.split())) + more for label in labels]
"""


def test_a_scoring_function_that_remembers_the_text_before_is_found(maker):
    own = OwnScores("maps:shared", AFTER_A_LONG_TEXT, maker.setting.universe.labels)
    for weights, status in ((own, "fail"), (replace(own, source=own.source.replace("+ more", "")), "pass")):
        setting = replace(maker.setting, weights=weights)
        made = Maker(setting, probes.search(setting))
        found = locality.check(ReferenceSubject(setting), made)
        assert found.status == status, found.reason
