"""What is not checked is listed, and nothing is listed twice."""

from dpspin_audits.checks import unassessed
from dpspin_audits.checks.check import Check
from dpspin_audits.evidence import SMOKE


def test_every_id_that_no_check_has_is_listed_with_a_reason():
    ran = Check("rng", "pass", "exact", "Fine.")
    checks = unassessed.checks([ran])
    assert {check.id for check in checks} == set(unassessed.WHAT)
    assert {check.status for check in checks} == {"not_run"}
    assert not {check.id for check in checks} & set(SMOKE)
    skipped = Check("sensitivity", "not_run", "exact", "Not tested.", {}, "needs `contribution`")
    rows = unassessed.entries([ran, skipped, *checks])
    assert len({row["id"] for row in rows}) == len(rows) == 1 + len(checks) + len(unassessed.LIMITS)
    assert rows[0] == {"id": "sensitivity", "what": "Not tested", "why": "needs `contribution`"}
    assert all(row["what"] and row["why"] for row in rows)


def test_an_id_that_a_check_has_is_not_listed():
    taken = next(iter(unassessed.WHAT))
    assert taken not in {check.id for check in unassessed.checks([Check(taken, "pass", "exact", "Fine.")])}
