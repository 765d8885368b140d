"""An audit as one call with an answer to assert on, for test suites."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpspin_audits import addresses, engine
from dpspin_audits.cli.inputs import setting_of
from dpspin_audits.distribution.trials import SMOKE, Effort
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import BlackBox


@dataclass(frozen=True, slots=True)
class Audited:
    """The outcome of an audit."""

    evidence: Mapping[str, Any]
    """The evidence tree (`dpspin schema evidence`)."""

    @property
    def verdict(self) -> str:
        """The worst status of the required checks."""
        return str(self.evidence["verdict"])

    @property
    def complaint(self) -> str:
        """The required checks that did not pass, a line each, and the seed that repeats the audit; "" after a pass."""
        wrong = [check for check in self.evidence["checks"] if check["required"] and check["status"] != "pass"]
        said = [f"{c['id']}: {c['status']}: {c['summary']} {c['reason'] or ''}".rstrip() for c in wrong]
        return "\n".join([*said, f"seed {self.evidence['seeds']['audit']}"]) if said else ""


def audited(
    subject: BlackBox | str,
    deployment: str | Path | None = None,
    *,
    seed: bytes | None = None,
    alpha: float = 0.001,
    effort: Effort = SMOKE,
) -> Audited:
    """Judge a subject.

    Args:
        subject: an object, or its address (`dpspin_audits.subject`).
        deployment: its file; None for the embedded one.
        seed: repeats an audit; None for fresh randomness.
        effort: how many runs and searches.
        alpha: share of audits of a correct subject that end in a finding, at most.

    Raises:
        UsageError: when the deployment or the address cannot be used.
    """
    setting = setting_of(None if deployment is None else Path(deployment))
    spec = subject if isinstance(subject, str) else f"py:{type(subject).__module__}:{type(subject).__name__}"
    found = addresses.resolve(subject, setting, ReferenceSubject) if isinstance(subject, str) else subject
    chosen = seed or secrets.token_bytes(16)
    command = f"dpspin_audit({spec!r}, seed=bytes.fromhex({chosen.hex()!r}))"
    try:
        return Audited(engine.audit(engine.Audit(setting, found, spec, command, chosen, alpha, effort)))
    finally:
        if isinstance(subject, str):
            addresses.close(found)
