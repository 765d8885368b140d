"""A pytest plugin: the fixture `dpspin_audit` judges a subject inside somebody else's test suite.

    def test_our_release_keeps_its_claim(dpspin_audit):
        dpspin_audit(OurSubject(), "deployment.yaml")

pytest loads it wherever dpspin is installed; nothing else is imported until the fixture is asked for.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest


@pytest.fixture
def dpspin_audit() -> Callable[..., Mapping[str, Any]]:
    """Call it as `audited.audited`: gives the evidence, or fails the test and names every check that did not pass."""
    from dpspin_audits.audited import audited  # noqa: PLC0415 - a second that other suites do not pay

    def required(*subject: Any, **options: Any) -> Mapping[str, Any]:
        found = audited(*subject, **options)
        if found.verdict != "pass":
            pytest.fail(f"verdict {found.verdict}\n{found.complaint}", pytrace=False)
        return found.evidence

    return required
