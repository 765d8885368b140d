"""The only clock of an audit: progress on a terminal, and timings.json, which is no part of the evidence."""

import os
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dpspin import canonical, pipeline
from dpspin_audits.checks import timing
from dpspin_audits.checks.check import at_least
from dpspin_audits.distribution.campaign import Share
from dpspin_audits.pairs import probes
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import BlackBox


class Clock:
    """Steps and their seconds: shown on a terminal, kept in timings.json, never part of the evidence."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float]] = []
        columns = (
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[bound]}"),
            TimeElapsedColumn(), TextColumn("passed, left"), TimeRemainingColumn(),
        )  # fmt: skip
        # a descriptor of its own: what a subject prints is taken from the usual one, by which no progress may come
        shown = os.fdopen(os.dup(2), "w") if sys.stderr.isatty() else None
        self._bar = Progress(*columns, console=Console(file=shown), transient=True, disable=shown is None)
        self._task = self._bar.add_task("start", total=None, bound="")

    def __enter__(self) -> "Clock":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.step("end")
        self._bar.stop()

    def step(self, name: str) -> None:
        """A step begins."""
        self.steps.append((name, time.perf_counter()))
        self._bar.update(self._task, description=name)

    def gauge(self, share: Share) -> None:
        """How far the labelled runs are; time left is that of these runs."""
        bound = f"epsilon at least {at_least(share.epsilon_at_least)} so far"
        self._bar.update(self._task, total=share.planned, completed=share.runs, bound=bound)

    def timings(self, release: dict[str, object]) -> bytes:
        """timings.json: milliseconds of each step, and how the running time of a release follows from records."""
        rows = [
            {"step": name, "milliseconds": round(1000 * (after - before))}
            for (name, before), (_, after) in zip(self.steps, self.steps[1:], strict=False)
        ]
        return canonical.dumps({"schema": "dpspin-timings/1", "steps": rows, "release": release})


def timed(subject: BlackBox, setting: pipeline.Setting) -> dict[str, object]:
    """How the running time of a release follows from records."""
    made = timing.adjacent(Maker(setting, probes.search(setting)))
    return timing.measured(subject, made, time.perf_counter_ns)
