import json

import pytest
from click.testing import CliRunner

from dpspin.errors import UsageError
from dpspin_experiments.baselines import standing
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.methods import KEYWORDS
from dpspin_experiments.cli import experiment

TINY = """
schema: dpspin-sweep/1
name: tiny
source: {kind: cfpb, file: c.jsonl}
split: {key: auxiliary-2026, auxiliary_share: "1/2"}
atoms: {kind: labels}
rule: label
delta: "1e-6"
denominator: "10"
grids:
  - {name: main, purpose: plan, unit: record, universe_sizes: [5], plan_sizes: [2], mass_bounds: ["1"],
     sampling_rates: ["1"], epsilons: ["1"], mechanisms: [laplace], seeds: 2}
"""


@pytest.fixture
def place(tmp_path):
    rows = [
        {"id": f"c{n}", "text": f"a matter of {word}", "product": word, "issue": "Trouble"}
        for n in range(60)
        for word in [("fees", "cards", "loans")[n % 3]]
    ]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "tiny.yaml").write_text(TINY)
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(experiment, [str(each) for each in arguments], catch_exceptions=False)


def test_run_resume_and_results(place):
    first = call("run", place / "tiny.yaml", "--data", place, "--out", place / "out")
    assert "2 runs done, 0 kept, 0 failed" in first.output
    assert first.output.startswith("curator only: NON-PRIVATE")
    again = call("run", place / "tiny.yaml", "--data", place, "--out", place / "out")
    assert "0 runs done, 2 kept, 0 failed" in again.output
    found = call("results", place / "out", "--out", place / "page")
    assert found.exit_code == 0
    assert "tiny: " in found.output
    assert sorted(path.name for path in (place / "page").iterdir()) == ["results.csv", "results.html"]


def test_the_folder_of_data_may_be_named_by_the_environment(place, monkeypatch):
    monkeypatch.setenv("DPSPIN_DATA", str(place))
    assert "2 runs done" in call("run", place / "tiny.yaml", "--out", place / "out").output


def test_a_claim_that_is_refuted_is_a_finding(place, monkeypatch):
    (place / "compared.yaml").write_text(TINY + "comparison: {mechanism: laplace, epsilon: '1', seeds: 1}\n")
    shown = Shown(KEYWORDS, 1.0, 2.0, 1e-3, 20_000, refuted=True, law_refuted=False)
    monkeypatch.setattr(standing, "evidence_of", lambda *given: iter([shown]))
    arguments = ["run", place / "compared.yaml", "--data", place, "--out", place / "out"]
    found = CliRunner().invoke(experiment, [str(each) for each in arguments], standalone_mode=False)
    assert found.return_value == 1
    assert "methods compared, claims refuted: DP keyword histogram" in found.output


REVIEWS = ("my dry skin is gone", "a strong smell", "hair loss and a pump dispenser", "waste of money", "fast shipping")


def test_reviews_with_users_and_phrases(place):
    rows = [
        {"user_id": f"u{n % 40}", "text": REVIEWS[n % 5], "parent_asin": str(n), "timestamp": 1588687728923 + n}
        for n in range(400)
    ]
    (place / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sweep = TINY.replace("cfpb, file: c.jsonl", "amazon, file: a.jsonl").replace("unit: record", "unit: user")
    phrases = "kind: phrases, profile: amazon-beauty, least_support: 25"
    compared = "comparison: {mechanism: gaussian, epsilon: '2', seeds: 1}\n"
    (place / "reviews.yaml").write_text(sweep.replace("kind: labels", phrases) + compared)
    assert (
        "2 runs done, 0 kept, 0 failed"
        in call("run", place / "reviews.yaml", "--data", place, "--out", place / "o").output
    )
    manifest = json.loads((place / "o" / "curator_only" / "manifest.json").read_bytes())["user-5"]
    assert manifest["atoms"]["realised"] == 5
    assert manifest["atoms"]["support"]["dry skin"] >= 25
    assert manifest["data"]["auxiliary"]["users"] + manifest["data"]["protected"]["users"] == 40
    methods = (place / "o" / "curator_only" / "methods.csv").read_text()
    assert "DP keyword histogram" in methods
    assert "category" not in methods  # phrases are no categories, and reviews name none


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["run", "nowhere.yaml", "--out", "x"], "cannot be read"),
        (["run", "cfpb", "--data", "nowhere", "--out", "x"], "cannot be read"),
        (["results", "nowhere", "--out", "x"], "cannot be read"),
    ],
)
def test_what_is_not_there_is_named(arguments, problem, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=problem):
        call(*arguments)


def test_every_command_is_listed():
    assert {"attack", "results", "run"} <= set(experiment.commands)
