"""The command: a table and JSON, deterministic, with exit code 1 where a claim is refuted."""

import json

import pytest
from click.testing import CliRunner

from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin_experiments.baselines import command
from dpspin_experiments.baselines.budget import Total
from dpspin_experiments.baselines.comparison import Output
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.methods import KEYWORDS, PLAN, WITHOUT_NOISE
from dpspin_experiments.lexical import rarity
from dpspin_experiments.metrics import PlanUtility

OUTPUTS = [
    Output(WITHOUT_NOISE, {}, "late fees, lost card", None),
    Output(PLAN, {}, "late fees, lost card", Total(1, 0), (), PlanUtility(0.9, None, 3.0)),
    Output(KEYWORDS, {}, "zebras", Total(1, 0), ({"stage": "counts"},), None),
]
SHOWN = Shown(KEYWORDS, 1.0, 0.625, 1e-3, 20_000, refuted=False, law_refuted=False)


def run(monkeypatch, *options, **changed):
    monkeypatch.setattr(command, "outputs", lambda *given: iter(OUTPUTS))
    monkeypatch.setattr(command, "evidence_of", lambda *given: iter([SHOWN._replace(**changed)]))
    monkeypatch.setattr(embedded, "corpus", lambda deployment: iter(()))
    return CliRunner().invoke(command.baselines, options, standalone_mode=False, catch_exceptions=False)


def test_the_table_has_a_row_for_each_method_and_says_what_it_is(monkeypatch):
    found = run(monkeypatch, "--texts")
    lines = found.stdout.splitlines()
    assert lines[0].startswith("NON-PRIVATE")
    assert lines[4].split() == ["DP-SPIN", "plan", "1", "0", "0.90", "1.00"]
    assert lines[5].split() == ["DP", "keyword", "histogram", "1", "0", "0.00", "at", "least", "0.62"]
    assert "zebras" in lines[-1]
    assert found.return_value == 0


@pytest.mark.parametrize("field", ["refuted", "law_refuted"])
def test_a_refuted_claim_or_law_is_a_finding_and_is_said(monkeypatch, field):
    found = run(monkeypatch, **{field: True})
    assert found.return_value == 1
    assert "at least 0.62; refuted" in found.stdout
    assert "at least 0.62; refuted" not in run(monkeypatch).stdout


def test_json_holds_accounting_and_evidence(monkeypatch):
    tree = json.loads(run(monkeypatch, "--json").stdout)
    assert tree["schema"] == "dpspin-baselines/1"
    first, plan, other = tree["methods"]
    assert first["cost"] is None
    assert plan["evidence"] is None
    assert (plan["utility"]["overlap"], other["utility"]) == (0.9, None)
    assert other["given"].endswith("noisy counts")
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
