"""A universe that was built from protected records, from the page's own example to a policy on the sum of losses."""

import json
import re
from pathlib import Path

import pytest

from dpspin import canonical

PAGE = (Path(__file__).parents[3] / "docs" / "accounting.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.partition("## A universe with a charge of its own")[2].partition("```yaml\n")[2].partition("```")[0]
SUM = ("1.5", "0.0000001")
POLICY = """schema: dpspin-policy/1
unit: record
adjacency: add_drop
max_epsilon: "{epsilon}"
max_delta: "{delta}"
checks: [{{check: universe.provenance, strength: declared}}, {{check: accounting.claim, strength: exact}}]
"""
DAYS = ("--not-before", "2027-01-01", "--not-after", "2027-03-31")


def declared(folder):
    """The embedded deployment with the lines of the page's example in the place of its own."""
    path = folder / "deployment.yaml"
    text, digest = path.read_text(), canonical.digest((folder / "universe.json").read_bytes())
    universe, _, budget = EXAMPLE.replace("…", digest).partition("budget:")
    for name, lines in (("universe", universe), ("budget", f"budget:{budget}")):
        text, found = re.subn(rf"^{name}:.*\n(?:  .*\n)+", lines, text, flags=re.MULTILINE)
        assert found == 1
    path.write_text(text)
    return path


@pytest.fixture
def path(folder):
    return declared(folder)


def rows(state):
    (found,) = state.glob("*.ledger.jsonl")
    return [json.loads(line) for line in found.read_bytes().splitlines()]


def transcript(folder):
    return [json.loads(line) for line in (folder / "transcript.jsonl").read_bytes().splitlines()]


def rechained(folder, change):
    """The transcript of a bundle with other rows and a chain that holds."""
    lines, previous = b"", "0" * 64
    for row in transcript(folder):
        change(row)
        line = canonical.dumps(row | {"previous": previous})
        lines, previous = lines + line, canonical.digest(line)
    (folder / "transcript.jsonl").write_bytes(lines)


def test_releases_pay_for_the_universe_once_and_bundles_say_under_which_charge(dpspin, path, tmp_path, state):
    before = dpspin("account", "ledger", path)
    due = "a release would be charged epsilon 1.5, delta 0.0000001 (for its universe: epsilon 0.5, delta 0.0000001; "
    assert f"{due}its own: epsilon 1, delta 0), and leave epsilon 1.5, delta 0.0000009" in before.out
    tree = json.loads(dpspin("account", "ledger", path, "--json").out)
    assert tree["further"] == {"epsilon": "3/2", "delta": "1/10000000"}
    assert tree["further_universe"] == {"epsilon": "1/2", "delta": "1/10000000"}

    first = dpspin("release", path, "--out", tmp_path / "one")
    second = dpspin("release", path, "--out", tmp_path / "two")
    assert first.out.endswith("under charge 0002 of population synthetic-complaints, its universe under 0001\n")
    assert second.out.endswith("under charge 0003 of population synthetic-complaints, its universe under 0001\n")
    digest = canonical.digest((path.parent / "universe.json").read_bytes())
    assert [(row.get("universe"), row["epsilon"]) for row in rows(state)] == [(digest, "1/2"), (None, "1"), (None, "1")]
    for name, charge in (("one", "0002"), ("two", "0003")):
        found = {row["name"]: (row["role"], row["charge"]) for row in transcript(tmp_path / name)}
        assert found["universe.json"] == ("dp", "0001")
        assert found["plan.json"] == ("dp", charge)
        verified = dpspin("verify", tmp_path / name, "--json")
        assert verified.code == 0, verified
        objects = {row["name"]: (row["role"], row["covered_by"]) for row in json.loads(verified.out)["objects"]}
        assert objects["universe.json"] == ("dp", "charge 0001")

    after = dpspin("account", "ledger", path)
    assert f"universe {digest[:12]}" in after.out
    assert "spent: epsilon 2.5, delta 0.0000001 of epsilon 3, delta 0.000001" in after.out
    assert "a release would be refused" in after.out
    refused = dpspin("release", path, "--out", tmp_path / "three")
    assert (refused.code, "2.5 is spent of 3 and this release costs 1" in refused.err) == (2, True)


def test_a_budget_for_the_release_alone_is_refused_and_nothing_is_charged(dpspin, path, tmp_path, state):
    path.write_text(path.read_text().replace('budget: {epsilon: "3"', 'budget: {epsilon: "1"'))
    run = dpspin("release", path, "--out", tmp_path / "out")
    assert run.code == 2
    assert "budget.epsilon: 0 is spent of 1 and this release and its universe cost 1.5" in run.err
    assert not list(state.glob("*")) or not (state / "synthetic-complaints.ledger.jsonl").read_bytes()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"charge": None}, "is no id of a charge before 0002"),
        ({"charge": "0000"}, "is no id of a charge before 0002"),
        ({"charge": "0002"}, "is no id of a charge before 0002"),
        ({"charge": "31337 units"}, "is no id of a charge before 0002"),
        ({"role": "public", "charge": None}, "is no id of a charge before 0002"),
        ({"role": "public"}, "where dp follows"),
    ],
)
def test_a_bundle_that_hides_the_charge_of_its_universe_is_found(dpspin, path, tmp_path, change, said):
    dpspin("release", path, "--out", tmp_path / "out")
    assert dpspin("verify", tmp_path / "out").code == 0
    rechained(tmp_path / "out", lambda row: row.update(change) if row["name"] == "universe.json" else None)
    run = dpspin("verify", tmp_path / "out", "--json")
    assert run.code == 1
    assert any(said in row["found"] for row in json.loads(run.out)["findings"]), run.out


def test_curves_add_each_universe_once(dpspin, path):
    one = json.loads(dpspin("account", "curve", path, "--json").out)
    three = json.loads(dpspin("account", "curve", path, path, path, "--json").out)
    for tree, releases in ((one, 1), (three, 3)):
        assert tree["universes"] == {"epsilon": "1/2", "delta": "1/10000000"}
        assert tree["claimed"] == {"epsilon": f"{releases}", "delta": "0"}
        assert tree["claimed_with_universes"] == {"epsilon": f"{2 * releases + 1}/2", "delta": "1/10000000"}
    said = dpspin("account", "curve", path).out
    assert "their universes, built from the records: epsilon 0.5, delta 1e-07; all together: epsilon 1.5" in said


def test_audit_report_and_attestation_show_both_losses_and_a_policy_bounds_the_sum(dpspin, path, tmp_path, only):
    only("universe.provenance", "accounting.claim", "budget", "hygiene", "contract")
    dpspin("release", path, "--out", tmp_path / "bundle")
    out = tmp_path / "out"
    run = dpspin("audit", path, "--bundle", tmp_path / "bundle", "--seed", "5e1f", "--out", out)
    assert run.code == 0, run
    tree = json.loads((out / "evidence.json").read_bytes())
    assert tree["claim"]["epsilon"] == tree["accounting"]["claimed"]["epsilon"] == "1"
    assert tree["accounting"]["universe"] == {"id": "0001", "epsilon": "0.5", "delta": "1e-7"}
    assert tree["accounting"]["charge"] == {"id": "0002", "epsilon": "1", "delta": "0"}
    assert tree["accounting"]["total"] == dict(zip(("epsilon", "delta"), SUM, strict=True))
    checks = {row["id"]: row for row in tree["checks"]}
    judged, spent = checks["universe.provenance"], checks["budget"]["figures"]
    assert (judged["status"], judged["strength"]) == ("pass", "declared")
    assert "at a cost of their own of epsilon 0.5, delta 1e-7, as declared" in judged["summary"]
    assert (spent["epsilon"], spent["delta"]) == ("3.5", "0.0000001")  # three releases over one universe
    page = (out / "report.html").read_text()
    assert "building the themes from the records cost is declared by the deployment and was not checked" in page

    key = tmp_path / "key"
    assert dpspin("attest", "keygen", "-o", key).code == 0
    signed = tmp_path / "a.intoto.jsonl"
    run = dpspin("attest", "sign", out / "evidence.json", "--key", key, "-o", signed, *DAYS)
    assert run.code == 0, run
    rules = tmp_path / "policy.yaml"
    verify = ("attest", "verify", signed, "--pub", f"{key}.pub", "--at", "2027-02-01", "--policy", rules)
    for limits, code in ((("1.5", "1e-7"), 0), (("1.4999", "1e-7"), 5), (("1.5", "0.99e-7"), 5), (("1", "0"), 5)):
        rules.write_text(POLICY.format(epsilon=limits[0], delta=limits[1]))
        run = dpspin(*verify)
        assert run.code == code, (limits, run)
        assert code == 0 or re.search(r"max_(epsilon|delta): expected at most", run.err)
