"""`dpspin account ledger`: rows, what is left, what a release would do; a broken chain is exit code 5."""

import json

import pytest

from dpspin import canonical
from dpspin.accounting.ledger import charge
from dpspin_audits.cli.inputs import setting_of


@pytest.fixture
def charged(folder, state):
    """Charges a number of releases of the user's own deployment; gives the file of the ledger."""

    def charge_releases(times):
        setting = setting_of(folder / "deployment.yaml")
        for _ in range(times):
            charge(state, setting.deployment, canonical.digest(setting.deployment_bytes), "deployment.yaml")
        (ledger,) = state.glob("*.ledger.jsonl")
        return ledger

    return charge_releases


def test_an_empty_ledger_has_its_whole_budget_and_is_not_made(dpspin, folder, state):
    run = dpspin("account", "ledger", folder / "deployment.yaml")
    budget = setting_of(None).deployment.budget
    assert (run.code, run.err) == (0, "")
    assert "0 charges, chain verified" in run.out
    assert f"left: epsilon {budget.epsilon.text}, delta {budget.delta.text}" in run.out
    assert "a release would be charged epsilon 1, delta 0" in run.out
    assert not state.exists()


def test_charges_are_listed_and_counted_and_reading_changes_nothing(dpspin, folder, charged):
    ledger = charged(2)
    before = ledger.read_bytes()
    run = dpspin("account", "ledger", folder / "deployment.yaml", "--json")
    tree = json.loads(run.out)
    budget = setting_of(None).deployment.budget
    assert [row["id"] for row in tree["charges"]] == ["0001", "0002"]
    assert tree["spent"] == {"epsilon": "2", "delta": "0"}
    assert (tree["chain"], tree["further"], tree["refused"]) == ("verified", {"epsilon": "1", "delta": "0"}, None)
    assert int(tree["left"]["epsilon"]) == budget.epsilon - 2
    assert ledger.read_bytes() == before


def test_a_population_is_enough(dpspin, charged):
    name = charged(1).name.removesuffix(".ledger.jsonl")
    run = dpspin("account", "ledger", "--population", name)
    assert (run.code, f"population {name}: 1 charge, chain verified" in run.out) == (0, True)
    assert "a release would" not in run.out
    assert dpspin("account", "ledger", "--population", "nobody").out == "population nobody: 0 charges, chain verified\n"


def test_a_release_beyond_the_budget_would_be_refused(dpspin, folder, charged):
    charged(1)
    path = folder / "deployment.yaml"
    epsilon = setting_of(None).deployment.budget.epsilon.text
    text = path.read_text().replace(f'epsilon: "{epsilon}"', 'epsilon: "1"')
    path.write_text(text)
    run = dpspin("account", "ledger", path)
    assert run.code == 0
    assert "left: epsilon 0, delta" in run.out
    assert "a release would be refused: " in run.out
    assert "1 is spent of 1" in run.out


@pytest.mark.parametrize(
    "fault",
    [
        lambda data: data[:-1],
        lambda data: data.replace(b'"epsilon":"1"', b'"epsilon":"0"'),
        lambda data: data.splitlines(keepends=True)[1],
    ],
)
def test_a_broken_chain_is_exit_code_5_and_prints_no_row(dpspin, folder, charged, fault):
    ledger = charged(2)
    ledger.write_bytes(fault(ledger.read_bytes()))
    for arguments in ((folder / "deployment.yaml",), ("--population", ledger.name.removesuffix(".ledger.jsonl"))):
        run = dpspin("account", "ledger", *arguments)
        assert (run.code, run.out, run.err.count("\n")) == (5, "", 1)
        assert ledger.name in run.err


@pytest.mark.parametrize("arguments", [
    ("--population", "../x"), ("--population", "a/b"), ("--population", "a\x1b[0m"),
    ("--population", "x", "deployment.yaml"),
])  # fmt: skip
def test_what_is_no_population_is_exit_code_2(dpspin, arguments):
    run = dpspin("account", "ledger", *arguments)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
