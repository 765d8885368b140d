"""Families are reported in their order, kept when they are finished, and leave nothing behind that draws."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.distribution.campaign import HERE, Workplace, judgements, planned
from dpspin_audits.distribution.judgement import judge
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.pairs.families import families
from dpspin_audits.reference_subject import ReferenceSubject

EFFORT = Effort(pilot=64, training=600, testing=1000)


@pytest.fixture
def terms(reference):
    return Terms(reference.claim, 1.0, 5e-5, b"seed", EFFORT)


@pytest.fixture
def three(maker):
    return families(maker)[:3]


class Shelf(dict):
    """Keeps judgements in memory."""

    put = dict.__setitem__


@pytest.mark.parametrize("at_once", [1, 3])
def test_threads_change_nothing_but_the_time(reference, three, terms, at_once):
    expected = [judge(family, reference, terms) for family in three]
    said = []
    assert judgements(three, reference, terms, HERE, said.append) == expected
    with ThreadPoolExecutor(2) as pool:
        place = Workplace(pool, families=at_once)
        assert judgements(three, reference, terms, place, said.append) == expected
    assert said == [family.name for family in three] * 2


def test_what_is_kept_is_not_tried_again(reference, three, terms):
    shelf, told = Shelf(), []
    first = judgements(three, reference, terms, Workplace(kept=shelf), print)
    assert set(shelf) == {family.name for family in three}
    del shelf[three[1].name]
    again = judgements(three, Counting(reference.setting), terms, Workplace(kept=shelf, gauge=told.append), print)
    assert again == first
    assert len(Counting.drawn) == 2 * (1 + 1 + len(three[1].candidates))
    assert (told[-1].runs, told[-1].planned) == (sum(planned(family, EFFORT) for family in three),) * 2


class Counting(ReferenceSubject):
    """Counts its calls of `sample`."""

    drawn: ClassVar[list[int]] = []

    def sample(self, records, runs):
        self.drawn.append(runs)
        return super().sample(records, runs)


def test_how_far_it_is_and_the_bound_so_far_grow(reference, three, terms):
    told = []
    found = judgements(three, reference, replace(terms, alpha=0.05), Workplace(gauge=told.append), print)
    runs, bounds = [share.runs for share in told], [share.epsilon_at_least for share in told]
    assert runs == sorted(runs)
    assert bounds == sorted(bounds)
    assert bounds[-1] == max(test.epsilon_at_least for one in found for test in (*one.ideal, *one.bits)) > 0.5


class Breaks(ReferenceSubject):
    """Cannot sample where there are many records."""

    def sample(self, records, runs):
        if len(records) > 2:
            raise MemoryError
        return super().sample(records, runs)


@pytest.mark.parametrize("workers", [0, 2])
def test_the_first_family_that_breaks_off_is_the_error_and_finished_ones_stay(setting, maker, terms, workers):
    tried, shelf = [families(maker)[at] for at in (2, 0, 1)], Shelf()
    with ThreadPoolExecutor(2) as pool, pytest.raises(SubjectError, match="sample raised MemoryError"):
        judgements(tried, Breaks(setting), terms, Workplace(pool if workers else None, kept=shelf), print)
    assert set(shelf) == {tried[0].name}
