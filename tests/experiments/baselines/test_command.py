"""The command: a table and JSON, deterministic, with exit code 1 where a claim is refuted."""

import json

import pytest
from click.testing import CliRunner

from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin_experiments.baselines import command
from dpspin_experiments.baselines.budget import Total
from dpspin_experiments.baselines.comparison import PLAN, WITHOUT_NOISE, Output
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.lexical import rarity

OUTPUTS = [
    Output(WITHOUT_NOISE, "late fees, lost card", None),
    Output(PLAN, "late fees, lost card", Total(1, 0), (), 0.9),
    Output("other", "zebras", Total(1, 0), ({"stage": "counts"},), None),
]
SHOWN = Shown("other", 1.0, 0.625, 1e-3, 20_000, refuted=False, law_refuted=False)


def run(monkeypatch, *options, refuted=False):
    monkeypatch.setattr(command, "outputs", lambda *given: iter(OUTPUTS))
    monkeypatch.setattr(command, "evidence_of", lambda *given: iter([SHOWN._replace(refuted=refuted)]))
    monkeypatch.setattr(embedded, "corpus", lambda deployment: iter(()))
    return CliRunner().invoke(command.baselines, options, standalone_mode=False, catch_exceptions=False)


def test_the_table_has_a_row_for_each_method_and_says_what_it_is(monkeypatch):
    found = run(monkeypatch, "--texts")
    lines = found.stdout.splitlines()
    assert lines[0].startswith("NON-PRIVATE")
    assert lines[4].split() == ["DP-SPIN", "plan", "1", "0", "0.90", "1.00"]
    assert lines[5].split() == ["other", "1", "0", "0.00", "at", "least", "0.62"]
    assert "zebras" in lines[-1]
    assert found.return_value == 0


def test_a_refuted_claim_is_a_finding(monkeypatch):
    assert run(monkeypatch, refuted=True).return_value == 1


def test_json_holds_accounting_and_evidence(monkeypatch):
    tree = json.loads(run(monkeypatch, "--json").stdout)
    assert tree["schema"] == "dpspin-baselines/1"
    first, plan, other = tree["methods"]
    assert first["cost"] is None
    assert plan["evidence"] is None
    assert other["evidence"]["epsilon_at_least"] == 0.625
    assert other["accounting"] == [{"stage": "counts"}]


def test_similarity_is_to_the_plan_without_noise():
    found = command.table(OUTPUTS, [], rarity(["late fees"]))
    assert "1.00" in found
    assert "0.00" in found


def test_real_records_are_refused(monkeypatch, setting):
    real = setting.deployment.model_copy(
        update={"corpus": setting.deployment.corpus.model_copy(update={"synthetic": False})}
    )
    spoilt = type("Spoilt", (), {"deployment": real})
    monkeypatch.setattr(command, "setting_of", lambda path: spoilt)
    with pytest.raises(UsageError, match="not declared synthetic"):
        run(monkeypatch)
