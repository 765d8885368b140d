"""Our release keeps its claim, as one test of our own suite."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from dpspin_audits.distribution.trials import Effort

LITTLE = Effort(pilot=128, training=500, testing=1000, searched=20)
"""A few seconds; the workflow's own audit tries more."""
SURE = 1e-6
"""False alarms: our noise cannot be repeated, so that one would come by chance."""


def test_our_release_keeps_its_claim(dpspin_audit: Callable[..., Mapping[str, Any]]) -> None:
    """The fixture fails this test, and names every check that did not pass, where the verdict is none."""
    evidence = dpspin_audit(os.environ["SUBJECT"], os.environ["DEPLOYMENT"], alpha=SURE, effort=LITTLE)
    assert evidence["claim"]["epsilon"] == "1"
