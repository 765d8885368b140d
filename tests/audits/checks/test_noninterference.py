"""Coupled releases of unrelated corpora are the same, or what differs is named."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest

from dpspin import canonical
from dpspin_audits.checks import noninterference
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.order_tells import OrderTells
from dpspin_audits.zoo.steps import Steps


class Box:
    """The black box behind a subject."""

    def __init__(self, inner):
        self.claim, self._inner = inner.claim, inner

    def fresh(self):
        return Box(self._inner.fresh())

    def release(self, records):
        return self._inner.release(records)


class Adds(Steps):
    """Adds a file to the bundle."""

    def added(self, records):
        return {}

    def published(self, records, samples, stamp=None):
        return {**super().published(records, samples, stamp), **self.added(records)}


class Counts(Adds):
    """The number of records."""

    def added(self, records):
        return {"notes.json": canonical.dumps({"records": len(records)})}


class Names(Adds):
    """A file whose name tells."""

    def added(self, records):
        return {f"summary-{len(records)}.txt": b""}


class Timed(Adds):
    """The time, which is no function of records."""

    def added(self, records):
        return {"log.json": canonical.dumps({"at": time.perf_counter_ns()})}


class TimedCounts(Adds):
    """The time, and the number of records beside it."""

    def added(self, records):
        return {"log.json": canonical.dumps({"at": time.perf_counter_ns(), "n": len(records)})}


class Fitted(Steps):
    """A denominator from the records."""

    def terms(self, records):
        return replace(super().terms(records), denominator=max(1, len(records)) * 2**20)


class Told(Steps):
    """The decoder is told how many records there are."""

    def release_with(self, records, noise):
        self._count = len(records)
        return super().release_with(records, noise)

    def release(self, records):
        self._count = len(records)
        return super().release(records)

    def decoder_input(self, plan_bytes):
        return super().decoder_input(plan_bytes) + b"!" * self._count


class AsksMore(Steps):
    """Asks for noise on as many values as there are records."""

    def release_with(self, records, noise):
        noise.laplace([0] * len(records), 1, label="more")
        return super().release_with(records, noise)


class Labels(Steps):
    """The label of a query tells."""

    def release_with(self, records, noise):
        noise.laplace([0], 1, label=f"{len(records)} records")
        return super().release_with(records, noise)


class Refuses(Steps):
    """Gives up where there are too few records."""

    def release_with(self, records, noise):
        if not records:
            raise LookupError
        return super().release_with(records, noise)


class Exact(Steps):
    """The order of atoms is that of the exact sketch."""

    def injected(self, exact, noise):
        found = super().injected(exact, noise)
        order = np.argsort(np.asarray(exact)[found.atoms[0]], kind="stable")
        return type(found)(found.atoms[:, order], found.masses)


@pytest.mark.parametrize("kind", [ReferenceSubject, Steps, Timed])
@pytest.mark.parametrize("terms", [{}, {"mechanism": "top_l", "unit": "user"}])
def test_correct_releases_are_coupled_and_the_same(maker_of, kind, terms):
    maker = maker_of(**terms)
    found = noninterference.check(kind(maker.setting), maker)
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert "injected" in found.figures["coupled_by"]
    assert found.figures["pairs"] >= 6


@pytest.mark.parametrize(
    ("kind", "what"),
    [(Counts, "'notes.json: records' differs"), (Names, "is there once"), (TimedCounts, "more than it does by itself"),
     (Fitted, "'plan.json: public_denominator' differs"), (Told, "decoder is given something else"),
     (AsksMore, "other noise is asked for"), (Labels, "other noise is asked for"), (Refuses, "breaks off"),
     (Exact, "plan.json: released"), (OrderTells, "plan.json: released")],
)  # fmt: skip
def test_what_depends_on_records_is_named(maker, kind, what):
    found = noninterference.check(kind(maker.setting), maker)
    assert (found.status, found.strength) == ("fail", "exact_on_hit")
    assert what in found.reason
    assert found.figures["coupled_by"] == ["injected"]


class Shuffles(Steps):
    """Draws a number for every record to put them in another order, which is no noise and harms nobody."""

    def release(self, records):
        return super().release(sorted(records, key=lambda _: random.random()))


def test_draws_that_are_no_noise_may_follow_the_number_of_records(maker):
    found = noninterference.check(Box(Shuffles(maker.setting)), maker)
    assert (found.status, found.figures) == ("pass", {"coupled_by": ["tap"], "pairs": 2})


@pytest.mark.parametrize("kind", [Counts, Names, Fitted])
def test_a_black_box_is_coupled_by_its_draws(maker, kind):
    assert noninterference.check(Box(Steps(maker.setting)), maker).status == "pass"
    found = noninterference.check(Box(kind(maker.setting)), maker)
    assert (found.status, found.figures["coupled_by"]) == ("fail", ["tap"])


def test_what_cannot_be_coupled_was_not_run(maker):
    class Unheld(Steps):
        def release(self, records):
            return {**super().release(records), "id": str(time.perf_counter_ns()).encode()}

    found = noninterference.check(Box(Unheld(maker.setting)), maker)
    assert (found.status, found.reason) == ("not_run", noninterference.NEEDS)


def test_the_alike_corpora_share_masses_and_nothing_else(maker_of):
    maker = maker_of(unit="user")
    pair, reference = noninterference.alike(maker), ReferenceSubject(maker.setting)
    assert reference.sketch(pair.one) == reference.sketch(pair.two)
    assert len(pair.two) == len(pair.one) + noninterference.EMPTY
    assert not {record["who"] for record in pair.one} & {record["who"] for record in pair.two}
