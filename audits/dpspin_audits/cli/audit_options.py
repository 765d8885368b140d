"""Options of `dpspin audit`: who works, where progress is kept, and which findings a team has answered for."""

import datetime
import secrets
import shlex
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

import click

from dpspin import canonical, pipeline
from dpspin_audits import engine, files, gate
from dpspin_audits.distribution import checkpoint, workplaces
from dpspin_audits.distribution.campaign import Workplace
from dpspin_audits.distribution.work import Address
from dpspin_audits.subject import BlackBox


class Level(click.ParamType[float]):
    """A probability between 0 and 1."""

    name = "probability"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """From text to a number."""
        try:
            level = float(Decimal(value))
        except (InvalidOperation, ValueError, TypeError):
            level = 0.0
        if not 0 < level < 1:
            self.fail(f"{value!r} is not a probability between 0 and 1, such as 0.001", param, ctx)
        return level


def placed(
    address: Address, workers: int, scheduler: str | None, subject: BlackBox
) -> AbstractContextManager[Workplace]:
    """Where blocks are drawn: workers of a cluster, processes of this machine, or this thread."""
    if scheduler is not None:
        return workplaces.cluster(address, scheduler, subject)
    return workplaces.processes(address, workers)


def address_of(spec: str, setting: pipeline.Setting, seconds: float | None) -> Address:
    """The subject's address for processes that find modules where this one does."""
    return Address(spec, setting, seconds, tuple(entry for entry in sys.path if entry))


def command_of(*words: object, **options: object) -> str:
    """The command that repeats an audit; words and options that were not given are left out."""
    named = [word for name, value in options.items() if value is not None for word in (f"--{name}", value)]
    return shlex.join(["dpspin", "audit", *(str(word) for word in (*words, *named) if word is not None)])


def seed_of(given: bytes | None, progress: Path | None) -> bytes:
    """The seed that was given, that of the audit which a folder holds, or a new one."""
    begun = checkpoint.begun_with(progress) if progress else None
    return given or (bytes.fromhex(begun["seed"]) if begun else secrets.token_bytes(16))


def kept_in(folder: Path | None, asked: engine.Audit, scoring: str | None) -> checkpoint.Checkpoint | None:
    """Where finished families are kept; None for nowhere.

    Raises:
        UsageError, IntegrityError: as `checkpoint.Checkpoint`.
    """
    if folder is None:
        return None
    terms = {
        "seed": asked.seed.hex(),
        "deployment": canonical.digest(asked.setting.deployment_bytes),
        "subject": asked.spec,
        "alpha": repr(asked.alpha),
        "effort": [asked.effort.counts, asked.released.counts],
        "score": scoring,
        **checkpoint.program(asked.subject),
    }
    return checkpoint.Checkpoint(folder, terms)


class Gates(NamedTuple):
    """What a team accepts."""

    waivers: tuple[gate.Waiver, ...]
    known: frozenset[str]

    def hold(self, tree: Mapping[str, Any]) -> gate.Gate:
        """Checks against waivers and a baseline, today."""
        return gate.gate(tree["checks"], self.waivers, self.known, datetime.datetime.now(datetime.UTC).date())


def gates_of(waivers: Path | None, baseline: Path | None) -> Gates | None:
    """Both files, read before anything is run; None where neither is given.

    Raises:
        UsageError: when a file cannot be used.
    """
    if waivers is None and baseline is None:
        return None
    known = gate.findings(files.read(baseline), str(baseline)) if baseline else frozenset[str]()
    return Gates(gate.load(files.read(waivers), str(waivers)) if waivers else (), known)
