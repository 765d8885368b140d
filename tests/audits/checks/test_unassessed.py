"""What is not checked is listed, and nothing is listed twice."""

from dpspin_audits.checks import unassessed
from dpspin_audits.checks.check import Check
from dpspin_audits.evidence import SMOKE


def test_every_id_that_this_version_does_not_run_is_listed_with_a_reason():
    checks = unassessed.checks()
    assert {check.status for check in checks} == {"not_run"}
    assert not {check.id for check in checks} & set(SMOKE)
    ran = Check("rng", "pass", "exact", "Fine.")
    skipped = Check("sensitivity", "not_run", "exact", "Not tested.", {}, "needs `contribution`")
    rows = unassessed.entries([ran, skipped, *checks])
    assert len({row["id"] for row in rows}) == len(rows) == 1 + len(checks) + len(unassessed.LIMITS)
    assert rows[0] == {"id": "sensitivity", "what": "Not tested", "why": "needs `contribution`"}
    assert all(row["what"] and row["why"] for row in rows)
