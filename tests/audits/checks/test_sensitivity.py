"""Maps and sketches that are shown are searched, and released masses are believed over what is shown."""

import time

import pytest

from dpspin.curator.noise import SeededBits
from dpspin.errors import SubjectError
from dpspin_audits.checks import sensitivity
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.steps import Steps
from dpspin_audits.zoo.user_unclipped import UserUnclipped

TEXTS = [f"text {number}" for number in range(50)]


def test_the_search_holds_hostile_and_ordinary_texts():
    texts = sensitivity.texts(["card", "fee"], 1000, b"s")
    assert len(texts) >= 1000
    assert {"", "\x00", "NaN"} <= set(texts)
    assert sum(text.startswith(("card ", "fee ")) for text in texts) > 400
    assert texts == sensitivity.texts(["card", "fee"], 1000, b"s")


def judgements(*shifts):
    return [Judgement((), (), (), shift, 100, 0) for shift in shifts]


class Shown:
    """A contribution map alone."""

    def __init__(self, mass):
        self._mass = mass

    def contribution(self, record):
        return [self._mass, *[0] * 11]


@pytest.mark.parametrize(("mass", "status"), [(5, "pass"), (2**20 + 1, "fail")])
def test_a_map_that_is_shown_is_searched(reference, maker, mass, status):
    found = sensitivity.check(Shown(mass), reference.claim, [], maker, TEXTS)
    assert (found.status, found.strength) == (status, "exact_on_hit")


@pytest.mark.parametrize(("kind", "status"), [(ReferenceSubject, "pass"), (UserUnclipped, "fail")])
def test_a_sketch_that_is_shown_is_searched_although_the_map_is_clean(maker_of, kind, status):
    maker = maker_of(unit="user")
    subject = kind(maker.setting)
    assert sensitivity.check(subject, subject.claim, [], maker, TEXTS).status == status


@pytest.mark.parametrize(
    ("shifts", "status"),
    [([(0.9, 1.1)], "pass"), ([(1.01, 1.2)], "fail"), ([(0.9, 1.1), (1.5, 1.6)], "fail"),
     ([(0.2, 1.9)], "inconclusive"), ([None], "not_run"), ([], "not_run")],
)  # fmt: skip
def test_a_map_that_is_hidden_is_judged_by_the_shift_of_medians(reference, maker, shifts, status):
    assert sensitivity.check(object(), reference.claim, judgements(*shifts), maker, []).status == status


@pytest.mark.parametrize(("shift", "status"), [((1.9, 2.1), "pass"), ((2.1, 2.2), "fail")])
def test_under_replacement_masses_may_shift_by_twice_the_bound(setting_of, maker_of, shift, status):
    claim = ReferenceSubject(setting_of(adjacency="replacement")).claim
    maker = maker_of(adjacency="replacement")
    assert sensitivity.check(object(), claim, judgements(shift), maker, []).status == status


def test_a_clean_map_does_not_excuse_what_is_released(reference, maker):
    found = sensitivity.check(Shown(5), reference.claim, judgements((1.5, 1.6)), maker, TEXTS)
    assert (found.status, found.strength) == ("fail", "statistical")


class Hidden:
    """A subject behind which another one stands; it shows what it is given to show."""

    def __init__(self, inner, **shown):
        self.claim, self._inner, self._shown = inner.claim, inner, shown
        self.__dict__.update(shown)

    def fresh(self):
        return Hidden(self._inner.fresh(), **self._shown)

    def release(self, records):
        return self._inner.release(records)


def held(subject, maker):
    return sensitivity.check(subject, subject.claim, [], maker, TEXTS)


def test_the_strongest_variant_speaks_for_a_pass(maker, setting):
    assert held(ReferenceSubject(setting), maker).figures["variant"] == "injected"
    found = held(Hidden(ReferenceSubject(setting)), maker)
    assert (found.status, found.strength, found.figures["variant"]) == ("pass", "exact_on_hit", "tap")


def test_a_clean_injection_does_not_excuse_what_is_released(maker_of):
    maker = maker_of(unit="user")
    subject = Hidden(UserUnclipped(maker.setting), release_with=ReferenceSubject(maker.setting).release_with)
    found = held(subject, maker)
    assert (found.status, found.figures["variant"]) == ("fail", "tap")
    assert "under the same draws" in found.reason


def test_a_seed_is_used_where_nothing_else_can_be_held(maker):
    steps = Steps(maker.setting)

    def seeded(records, seed):
        samples = steps.noisy(steps.sketch(records), SeededBits(seed), 1)
        return steps.published(records, samples, "seeded")

    subject = Hidden(Unheld(), release_seeded=seeded)
    subject.claim = subject._inner.claim = steps.claim
    found = held(subject, maker)
    assert (found.status, found.figures["variant"]) == ("pass", "seeded")


class Unheld:
    """Releases a number that nobody can hold."""

    claim = None

    def fresh(self):
        return self

    def release(self, records):
        return {"plan.json": str(time.perf_counter_ns()).encode()}


def test_a_subject_that_changes_its_records_is_named(maker, setting):
    class Sorts(Steps):
        def release(self, records):
            records.reverse()
            return super().release(records)

    with pytest.raises(SubjectError, match="changed the records"):
        sensitivity.check(Hidden(Sorts(setting)), Sorts(setting).claim, [], maker, TEXTS)
