"""What is written, sent or left behind is a finding; what is not watched is no pass."""

import pytest

from dpspin_audits.checks import conduct
from dpspin_audits.running.outcomes import Conduct, Outcome

RELEASED = (Outcome({"plan.json": b"{}"}), Outcome({"plan.json": b"{}"}, printed=b"progress"))


def test_releases_and_prints_alone_pass():
    found = conduct.check(Conduct(RELEASED, started=2))
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert found.figures == {"releases": 2, "printed": 1, "processes": 2}
    assert "was not seen" in found.summary


def test_without_a_process_of_its_own_nothing_was_watched():
    found = conduct.check(None)
    assert found.status == "not_run"
    assert found.reason.startswith("needs ")


def test_where_processes_cannot_be_seen_it_is_said_and_nothing_is_claimed():
    seen = Conduct(RELEASED, unseen="needs /proc")
    assert "leave" not in conduct.check(seen).summary
    found = conduct.unseen(seen)
    assert (found.id, found.status, found.reason) == ("conduct.processes", "not_run", "needs /proc")
    assert "leave" in conduct.check(Conduct(RELEASED)).summary


@pytest.mark.parametrize(
    ("seen", "status", "reason"),
    [(Conduct((), "no answer within 60 seconds"), "error", "60 seconds"),
     (Conduct(RELEASED, written=("n\n.csv",)), "fail", r"'n\n.csv' was written"),
     (Conduct(RELEASED, network=("('10.0.0.1', 80)",)), "fail", "10.0.0.1"),
     (Conduct(RELEASED, outlived=1), "fail", "was ended")],
)  # fmt: skip
def test_anything_else_is_said(seen, status, reason):
    found = conduct.check(seen)
    assert (found.status, found.strength) == (status, "exact_on_hit")
    assert reason in found.reason
