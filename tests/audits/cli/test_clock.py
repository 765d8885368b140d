"""The clock's figures stand in timings.json, and a subject's prints never mix with progress."""

import json

from dpspin_audits.cli import clock
from dpspin_audits.distribution.campaign import Share
from dpspin_audits.reference_subject import ReferenceSubject


def test_every_step_has_its_milliseconds_and_the_release_its_figures(monkeypatch):
    times = iter([1.0, 1.5, 3.25])
    monkeypatch.setattr(clock.time, "perf_counter", lambda: next(times))
    with clock.Clock() as shown:
        for name in ("one", "two", "end"):
            shown.step(name)
        monkeypatch.setattr(clock.time, "perf_counter", lambda: 9.0)
        found = json.loads(shown.timings({"auc": "0.500"}))
    assert found == {
        "schema": "dpspin-timings/1",
        "steps": [{"step": "one", "milliseconds": 500}, {"step": "two", "milliseconds": 1750}],
        "release": {"auc": "0.500"},
    }


def test_a_release_is_timed_on_adjacent_corpora(setting, monkeypatch):
    monkeypatch.setattr(clock.timing.measured, "__defaults__", (3,))
    found = clock.timed(ReferenceSubject(setting), setting)
    assert (found["pair"], found["runs"]) == ("running time", 3)
    assert all(median > 0 for median in found["median_microseconds"])


def test_the_gauge_shows_time_left_and_the_bound_so_far(monkeypatch):
    monkeypatch.setattr(clock.time, "perf_counter", lambda: 1.0)
    with clock.Clock() as shown:
        shown.step("distribution: a pair")
        shown.gauge(Share(30, 120, 0.91239))
        (task,) = shown._bar.tasks
        assert (task.completed, task.total, task.percentage) == (30, 120, 25)
        assert task.fields["bound"] == "epsilon at least 0.9123 so far"
        text = "".join(str(column.render(task)) for column in shown._bar.columns[1:2] + shown._bar.columns[3:4])
    assert "0.9123" in text
