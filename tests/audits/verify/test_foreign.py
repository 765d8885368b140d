"""Bundles of other implementations: what is right passes, and every planted fault is named."""

import json

import pytest

from dpspin.errors import UsageError
from dpspin_audits.verify import folder, foreign

CONFIG = """protected_unit: record
mechanism: laplace
epsilon: 1
delta: 0
plan_size: 10
decoder_backend: local
prompt_template: Write a summary of this plan.
"""
REFUSED = {"attempt": 1, "text": "Everybody loves us.", "accepted": False, "feedback": "no claim of the plan"}


class Bundle:
    """The paper's files, one of which may be changed."""

    def __init__(self, bundle):
        tree = json.loads(bundle["plan.json"])
        self.tree = {key: value for key, value in tree.items() if key not in {"schema", "epsilon", "delta"}}
        self.summary = bundle["summary.txt"].decode()
        self.config = CONFIG

    def attempts(self, more=""):
        prompt = f"Write a summary of this plan.\n{json.dumps(self.tree, indent=1)}{more}"
        return [REFUSED | {"prompt": prompt}, {"attempt": 2, "prompt": prompt, "text": self.summary, "accepted": True}]

    def files(self, attempts=None, **others):
        return {
            "config.yaml": self.config.encode(),
            "private_plan.json": json.dumps(self.tree | {"epsilon": 1, "delta": "0"}).encode(),
            "summary.txt": self.summary.encode(),
            "verifier_attempts.json": json.dumps(attempts or self.attempts()).encode(),
        } | {name.replace("__", "."): data for name, data in others.items()}


@pytest.fixture
def paper(bundle):
    return Bundle(bundle)


def found(files):
    """(file, rule) of each finding; every finding has an object that nothing covers, and the other way round."""
    verification = foreign.verify(files)
    assert bool(verification.findings) == any(cover == "nothing" for _, _, cover in verification.objects)
    return {(finding.file, finding.rule) for finding in verification.findings}


def test_a_right_bundle_has_every_object_accounted_for(paper):
    verification = foreign.verify(paper.files())
    assert verification.findings == ()
    covers = {name: cover for name, _, cover in verification.objects}
    assert covers["config.yaml: epsilon"] == "declared"
    assert covers["private_plan.json: released masses"] == "charge: epsilon 1, delta 0"
    assert covers["private_plan.json: labels, supports, bins, ranks"] == covers["summary.txt"] == "derived"
    assert covers["verifier_attempts.json: 0.prompt"] == "derived, not computed again"


def test_a_neutral_plan_alone_is_enough(paper):
    tree = paper.tree | {"epsilon": "1", "delta": "0"}
    files = {"plan.json": json.dumps(tree).encode(), "summary.txt": paper.summary.encode()}
    assert foreign.applies(files)
    assert found(files) == set()


@pytest.mark.parametrize(("name", "rule"), [
    ("metrics.json", "curator's metrics"), ("sketch.npy", "curator's metrics"), ("timings.json", "time stamp"),
    ("run_seed", "seed"), ("records.count", "record count"), ("notes", "unknown"), ("raw_counts.csv", "record count"),
    ("scores.npy", "score of records"), ("transcript.jsonl", "unknown"),
])  # fmt: skip
def test_files_beside_the_plan_are_named(paper, name, rule):
    assert found(paper.files() | {name: b"{}"}) == {(name, rule)}


@pytest.mark.parametrize(("line", "rule"), [
    ("seed: 7", "seed"), ("random_state: 12345", "seed"), ("n_records: 2000", "record count"),
    ("corpus: /mnt/in/complaints.jsonl", "machine path"), ("finished: 2026-01-02 03:04:05", "time stamp"),
    ("effective_users: '1,234'", "record count"), ("true_mass: 12.5", "curator's metrics"), ("# seed 17", "seed"),
    ("run:\n  noise:\n    seed: 3", "seed"), ("note: 812 records were read", "record count"),
])  # fmt: skip
def test_settings_that_speak_of_records_are_named_with_their_line(paper, line, rule):
    paper.config += line + "\n"
    verification = foreign.verify(paper.files())
    (finding,) = verification.findings
    assert (finding.file, finding.rule) == ("config.yaml", rule)
    assert finding.line == len(paper.config.splitlines())


@pytest.mark.parametrize("line", [
    "seed: null", "max_attempts: 3", "random_fallback: false", "temperature: 0.2", "user_id_field: who",
    "universe_sha256: " + "ab" * 32, "batch: {size: none}",
])  # fmt: skip
def test_ordinary_settings_are_public(paper, line):
    paper.config += line + "\n"
    assert found(paper.files()) == set()


def test_fields_that_no_plan_has_are_named(paper):
    paper.tree["n_records"] = 2000
    paper.tree["released"][0]["true_mass"] = "17"
    assert found(paper.files()) == {("private_plan.json", "record count"), ("private_plan.json", "curator's metrics")}


@pytest.mark.parametrize("kept", ["epsilon", "delta", None])
def test_a_missing_charge_is_named(paper, kept):
    paper.config = "".join(
        row for row in CONFIG.splitlines(keepends=True) if row.split(":")[0] not in {"epsilon", "delta"}
    )
    stated = {name: number for name, number in {"epsilon": "1", "delta": "0"}.items() if name == kept}
    files = paper.files() | {"private_plan.json": json.dumps(paper.tree | stated).encode()}
    assert found(files) == {("private_plan.json", "charge")}


def test_a_charge_that_the_settings_contradict_is_named(paper):
    paper.config = CONFIG.replace("epsilon: 1", "epsilon: 0.5")
    assert found(paper.files()) == {("private_plan.json", "charge")}


@pytest.mark.parametrize(("field", "value"), [("support", "0.99"), ("bin", "high"), ("rank", 9), ("label", "Other")])
def test_what_does_not_follow_from_the_masses_is_named(paper, field, value):
    assert paper.tree["released"][1][field] != value
    summary = paper.summary
    paper.tree["released"][1][field] = value
    assert ("private_plan.json", "does not follow") in found(paper.files(summary__txt=summary.encode()))


def test_an_excerpt_in_a_prompt_is_named_by_its_line(paper):
    files = paper.files(paper.attempts("\nFor example: my neighbour Gertrud waited nine weeks"))
    verification = foreign.verify(files)
    assert {(f.file, f.rule) for f in verification.findings} == {
        ("verifier_attempts.json", "excerpt of records, or undeclared text")
    }
    assert "Gertrud" in verification.findings[0].found


def test_an_exact_mass_in_a_prompt_is_named(paper):
    assert found(paper.files(paper.attempts("\n987654.25"))) == {
        ("verifier_attempts.json", "excerpt of records, or undeclared text")
    }


@pytest.mark.parametrize(
    ("field", "rule"), [("seed", "seed"), ("exact_masses", "curator's metrics"), ("examples", "unknown")]
)
def test_other_fields_of_attempts_are_named(paper, field, rule):
    attempts = paper.attempts()
    attempts[1][field] = [3]
    assert found(paper.files(attempts)) == {("verifier_attempts.json", rule)}


def test_a_sentence_that_the_plan_does_not_support_is_named_with_its_line(paper):
    paper.summary += "\nEverybody is content."
    (finding,) = foreign.verify(paper.files()).findings
    assert finding.file == "summary.txt"
    assert finding.line == len(paper.summary.splitlines())


def test_a_key_that_stands_twice_is_refused_with_its_place(paper):
    plan = paper.files()["private_plan.json"]
    with pytest.raises(UsageError, match=r"private_plan\.json: .*a key stands twice"):
        foreign.verify(paper.files() | {"private_plan.json": plan[:-1] + b', "epsilon": 1}'})
    with pytest.raises(UsageError, match=r"config\.yaml:8: a key stands twice"):
        foreign.verify(paper.files() | {"config.yaml": CONFIG.encode() + b"epsilon: 0.1\n"})


def test_folders_and_links_are_objects_too(paper, tmp_path):
    for name, data in paper.files().items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "debug").mkdir()
    (tmp_path / "latest").symlink_to("summary.txt")
    verification = foreign.verify(*folder.read(tmp_path))
    assert {(f.file, f.rule) for f in verification.findings} == {("debug", "folder"), ("latest", "link")}
    assert {name for name, _, cover in verification.objects if cover == "nothing"} == {"debug", "latest"}


@pytest.mark.parametrize(("name", "data"), [
    ("private_plan.json", b"[]"), ("private_plan.json", b"{"), ("config.yaml", b"a: [1"),
    ("config.yaml", b"\xff\xfe\x00"),
])  # fmt: skip
def test_files_of_another_kind_are_refused(paper, name, data):
    with pytest.raises(UsageError, match=name):
        foreign.verify(paper.files() | {name: data})


def doubled(levels):
    """Ten aliases of a list of ten aliases of ..., which is short as a file and 10^levels values long."""
    rows = [f"a{n}: &a{n} [{', '.join(['1' if n == 0 else f'*a{n - 1}'] * 10)}]" for n in range(levels)]
    return "\n".join(rows).encode()


@pytest.mark.parametrize("config", [b"a: &a [*a]", doubled(8)], ids=["circle", "doubled"])
def test_settings_without_end_are_refused(paper, config):
    with pytest.raises(UsageError, match="more than"):
        foreign.verify(paper.files() | {"config.yaml": config})


def test_attempts_too_deep_are_refused(paper):
    deep = b"[" * 500 + b"1" + b"]" * 500
    with pytest.raises(UsageError, match="levels"):
        foreign.verify(paper.files() | {"verifier_attempts.json": deep})


def test_without_a_plan_nothing_is_verified(paper):
    files = paper.files()
    del files["private_plan.json"]
    with pytest.raises(UsageError, match=r"private_plan\.json: missing"):
        foreign.verify(files)


def test_attempts_that_are_no_json_are_unaccounted(paper):
    assert found(paper.files() | {"verifier_attempts.json": b"nothing"}) == {("verifier_attempts.json", "encoding")}


def test_a_bundle_of_this_project_is_none_of_these(bundle):
    assert not foreign.applies(bundle)
    assert not foreign.applies({"plan.json": bundle["plan.json"], "config.yaml": b"", "deployment.yaml": b""})


def test_the_folder_is_read_for_them(paper, tmp_path):
    for name, data in paper.files(metrics__json=b"{}").items():
        (tmp_path / name).write_bytes(data)
    files, strange = folder.read(tmp_path)
    assert strange == []
    assert {f.file for f in foreign.verify(files, strange).findings} == {"metrics.json"}
