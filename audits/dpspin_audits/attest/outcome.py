"""In one word what a statement may say of an audit: PASSED, WARNED or FAILED; nobody can ask for another one."""

from typing import Literal

from dpspin_audits.attest.parts import Evidence

Result = Literal["PASSED", "WARNED", "FAILED"]
"""The words of in-toto's test result."""


def result(found: Evidence) -> Result:
    """What the evidence allows.

    PASSED needs a verdict of pass, noise that came neither from a seed nor from outside, and nothing set aside by a
    waiver or a baseline.  WARNED stands for no answer, and for a gate that did not open; FAILED for everything else.
    """
    if found.stamp is not None or found.verdict in ("fail", "error"):
        return "FAILED"
    return "PASSED" if found.verdict == "pass" and not _set_aside(found) else "WARNED"


def _set_aside(found: Evidence) -> bool:
    gate = found.gate
    if gate is None:
        return False
    return gate.verdict != "pass" or bool(gate.known) or any(one.state == "in force" for one in gate.waivers)
