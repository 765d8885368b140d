"""What an audit prints of a gate."""

from pathlib import Path

from dpspin_audits.cli.audit_table import show

TREE = {
    "subject": {"spec": "ref"}, "deployment": {"name": "d"}, "verdict": "fail", "stamp": None, "checks": [],
    "accounting": {"measured": None, "claimed": {"epsilon": "1"}, "accounted": {"epsilon": "1"}}, "gate": None,
}  # fmt: skip


def test_without_a_gate_nothing_is_said_of_one(capsys):
    show(TREE, Path("out"))
    assert "gate" not in capsys.readouterr().out


def test_expired_waivers_are_named_as_such(capsys):
    row = {"check": "rng", "reason": "r", "approver": "a", "expires": "2020-01-01", "state": "expired"}
    show(TREE | {"gate": {"verdict": "fail", "waivers": [row], "known": []}}, Path("out"))
    said = capsys.readouterr().out
    assert "waiver of rng, expired: r (a, until 2020-01-01)" in said
    assert "gate: fail" in said
    assert "verdict: fail" in said
