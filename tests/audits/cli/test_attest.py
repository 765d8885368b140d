"""`dpspin attest`: from a key to a verified statement, and every refusal with its exit code and its words."""

import datetime
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin_audits import evidence, files
from dpspin_audits.attest import keys
from dpspin_audits.checks.check import Check
from dpspin_audits.cli import attest
from dpspin_audits.cli.audit import RESULTS
from dpspin_audits.report.render import render

ROOT = Path(__file__).parents[3]
DAYS = ("--not-before", "2027-01-01", "--not-after", "2027-03-31")
AT = ("--at", "2027-02-01")


@pytest.fixture(scope="module")
def made(judged, tmp_path_factory):
    """A folder of results, as an audit leaves it, and a key."""
    bundle, tree = judged()
    place = tmp_path_factory.mktemp("results")
    out = place / "out"
    (out / "release").mkdir(parents=True)
    for name, data in bundle.items():
        (out / "release" / name).write_bytes(data)
    data = canonical.dumps(tree)
    (out / "evidence.json").write_bytes(data)
    (out / "report.html").write_text(render(data), encoding="utf-8")
    (out / "timings.json").write_text("{}")
    (out / "certificate.json").write_bytes(canonical.dumps(tree["certificates"][0]))
    pair = keys.generate(None)
    (place / "key").write_bytes(pair.secret)
    (place / "key").chmod(0o600)
    (place / "key.pub").write_bytes(pair.public)
    return place


@pytest.fixture
def place(made, tmp_path):
    """A copy that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.fixture
def sign(dpspin, place):
    def run(*more, source="out/evidence.json", days=DAYS):
        return dpspin(
            "attest", "sign", place / source, "--key", place / "key", "-o", place / "a.intoto.jsonl", *days, *more
        )

    return run


@pytest.fixture
def check(dpspin, place):
    def run(*more, at=AT):
        return dpspin("attest", "verify", place / "a.intoto.jsonl", "--pub", place / "key.pub", *at, *more)

    return run


def one_line(run, code, said):
    """A refusal: one line on stderr, nothing on stdout."""
    assert (run.code, run.out) == (code, ""), run
    assert run.err.startswith("dpspin: ")
    assert run.err.count("\n") == 1
    assert said in run.err, run.err
    return True


def write(place, tree):
    """Other evidence, with verdict and counts that follow from its checks."""
    made = [Check(row["id"], row["status"], row["strength"], row["summary"]) for row in tree["checks"]]
    required = [row["id"] for row in tree["checks"] if row["required"]]
    settled = {"verdict": evidence.verdict(made, required), "strengths": evidence.strengths_tree(made)}
    (place / "out" / "evidence.json").write_bytes(canonical.dumps(tree | settled))


def outcome(place, check, status):
    tree = json.loads((place / "out" / "evidence.json").read_bytes())
    next(row for row in tree["checks"] if row["id"] == check)["status"] = status
    write(place, tree)


def test_a_key_is_its_owners_alone_and_never_overwritten(dpspin, tmp_path):
    run = dpspin("attest", "keygen", "-o", tmp_path / "k")
    assert run.code == 0
    assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k", "k.pub"]
    keyid = keys.checker((tmp_path / "k.pub").read_bytes(), "k.pub").keyid
    assert f"key {keyid}" in run.out
    before = (tmp_path / "k").read_bytes()
    assert one_line(dpspin("attest", "keygen", "-o", tmp_path / "k"), 2, "keys are never overwritten")
    (tmp_path / "k").unlink()
    assert one_line(dpspin("attest", "keygen", "-o", tmp_path / "k"), 2, "k.pub: exists already")
    assert before not in (path.read_bytes() for path in tmp_path.iterdir())


def test_what_is_signed_verifies_with_every_file_compared(sign, check, place):
    run = sign("--bundle", place / "out", "--report", place / "out" / "report.html", "--implementation", __file__)
    assert (run.code, run.err) == (0, "")
    assert run.out.endswith("result PASSED, valid from 2027-01-01 to 2027-03-31\n")
    found = check("--bundle", place / "out", "--implementation", __file__)
    assert (found.code, found.err) == (0, "")
    assert "every signature holds" in found.out
    compared = re.search(r"  compared +(.*)\n", found.out)[1].split(", ")
    assert {"implementation", "plan.json", "summary.txt", "evidence.json", "report.html", "certificate.json"} < {
        *compared
    }
    tree = json.loads(check("--bundle", place / "out", "--json").out)
    assert tree["claim"] == {"unit": "record", "adjacency": "add_drop", "epsilon": "1", "delta": "0"}
    assert next(row["name"] for row in tree["subjects"] if not row["compared"]) == "implementation"
    assert tree["notAssessed"]


def test_the_release_alone_can_be_compared(sign, check, place):
    assert sign().code == 0
    found = check("--bundle", place / "out" / "release")
    assert found.code == 0
    assert re.search(r"not compared +implementation, evidence\.json", found.out)


@pytest.mark.parametrize(
    "name",
    [
        "release/deployment.yaml", "release/universe.json", "release/plan.json", "release/summary.txt",
        "release/transcript.jsonl", "evidence.json", "report.html", "certificate.json",
    ],
)  # fmt: skip
def test_one_byte_of_any_file_is_noticed(sign, check, place, name):
    """First, middle and last byte; `tests/audits/attest/test_verify.py` changes every one."""
    assert sign("--report", place / "out" / "report.html").code == 0
    path = place / "out" / name
    data = path.read_bytes()
    for at in (0, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert one_line(check("--bundle", place / "out"), 5, f"{path}: expected sha256")
    path.write_bytes(data)
    assert check("--bundle", place / "out").code == 0


def test_one_byte_of_the_attestation_is_noticed(sign, check, place):
    assert sign().code == 0
    path = place / "a.intoto.jsonl"
    data = path.read_bytes()
    for at in range(0, len(data), 2011):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert one_line(check(), 5, str(path))


def test_a_file_more_or_less_is_noticed(sign, check, place):
    assert sign().code == 0
    (place / "out" / "release" / "metrics.json").write_text("{}")
    assert one_line(check("--bundle", place / "out"), 5, "metrics.json: expected a file that was signed")
    (place / "out" / "release" / "metrics.json").unlink()
    (place / "out" / "release" / "more").mkdir()
    assert one_line(check("--bundle", place / "out"), 5, "more: expected a file that was signed")
    (place / "out" / "release" / "more").rmdir()
    (place / "out" / "release" / "plan.json").unlink()
    assert one_line(check("--bundle", place / "out"), 5, "plan.json: expected sha256")


@pytest.mark.parametrize("make", [lambda path, to: path.symlink_to(to), lambda path, _: os.mkfifo(path)])
def test_what_is_no_plain_file_is_not_followed(sign, check, place, make):
    """A link to the very bytes that were signed, and a pipe, which nobody may wait for."""
    path, kept = place / "out" / "release" / "plan.json", place / "plan.json"
    assert sign().code == 0
    path.rename(kept)
    make(path, kept)
    assert one_line(check("--bundle", place / "out"), 5, "plan.json: expected a plain file")
    assert one_line(sign("--bundle", place / "out"), 5, "plan.json: expected a plain file")


def test_a_key_that_everybody_can_read_signs_nothing(dpspin, sign, place, monkeypatch):
    (place / "key").chmod(0o644)
    assert one_line(sign(), 2, "can be read or written by everybody; chmod 600")
    assert not (place / "a.intoto.jsonl").exists()
    monkeypatch.setenv("DPSPIN_PASSPHRASE", "correct horse")
    assert dpspin("attest", "keygen", "-o", place / "other").code == 0
    shutil.copy(place / "other", place / "key")
    (place / "key").chmod(0o644)
    assert sign().code == 0


def test_without_a_name_it_lies_beside_the_evidence(dpspin, place):
    evidence_ = place / "out" / "evidence.json"
    run = dpspin("attest", "sign", evidence_, "--key", place / "key", *DAYS)
    assert (run.code, f"wrote {place / 'out' / 'evidence.intoto.jsonl'}" in run.out) == (0, True)
    index = dpspin(
        "report", "build", place, evidence_, "--format", "csv", "--pub", place / "key.pub", "-o", place / "i"
    )
    assert index.code == 2  # one evidence is no index
    files.check_free(place / "out", replace=RESULTS)


def test_a_policy_names_the_deployment(sign, check, place):
    assert sign().code == 0
    rules = place / "policy.yaml"
    name = json.loads((place / "out" / "evidence.json").read_bytes())["deployment"]["name"]
    rules.write_text(f"schema: dpspin-policy/1\ndeployment: {name}\n")
    assert check("--policy", rules).code == 0
    assert name in check().out
    for field in ("deployment", "population"):
        rules.write_text(f"schema: dpspin-policy/1\n{field}: another\n")
        assert one_line(check("--policy", rules), 5, f"policy.yaml: {field}: expected another, found ")


def test_files_are_compared_one_by_one_too(sign, check, place):
    out = place / "out"
    assert sign("--report", out / "report.html", "--implementation", out / "timings.json").code == 0
    good = {"--evidence": "evidence.json", "--report": "report.html", "--implementation": "timings.json"}
    for option, name in good.items():
        assert check(option, out / name).code == 0
        assert one_line(check(option, out / "certificate.json"), 5, "certificate.json: expected sha256")
    assert one_line(check("--proofs", out / "evidence.json"), 5, "evidence.json: expected")


def test_an_implementation_signed_by_its_address_has_no_file(sign, check):
    assert sign().code == 0
    assert one_line(check("--implementation", __file__), 5, "one signed by its address")


@pytest.mark.parametrize("said", [("fail", "FAILED", 1), ("error", "FAILED", 1), ("inconclusive", "WARNED", 3)])
def test_what_did_not_pass_is_signed_as_such_and_tells_so(sign, check, place, said):
    status, word, code = said
    outcome(place, "sensitivity", status)
    run = sign()
    assert (run.code, f"result {word}," in run.out) == (0, True)
    found = check()
    assert found.code == code
    assert f"result       {word}\n" in found.out


def test_altered_evidence_is_not_signed(sign, place):
    path = place / "out" / "evidence.json"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"status":"pass"', b'"status":"fail"', 1))
    assert one_line(sign(), 5, "evidence.json: verdict: expected fail")
    path.write_bytes(
        data.replace(b'"scale":"1","schema":"dpspin-certificate/1"', b'"scale":"2","schema":"dpspin-certificate/1"')
    )
    assert one_line(sign(), 5, "evidence.json: certificates[0]")
    path.write_bytes(data + b" ")
    assert one_line(sign(), 5, "another spelling")
    path.write_bytes(data.replace(b"dpspin-evidence/1", b"dpspin-evidence/2"))
    assert one_line(sign(), 2, "install a newer dpspin")
    path.write_bytes(b"{}")
    assert one_line(sign(), 2, "not an evidence file")
    assert not (place / "a.intoto.jsonl").exists()


def test_a_bundle_or_report_of_something_else_is_not_signed(sign, place):
    report = place / "out" / "report.html"
    report.write_bytes(report.read_bytes() + b"\n")
    assert one_line(sign("--report", report), 5, "dpspin report build")
    summary = place / "out" / "release" / "summary.txt"
    summary.write_bytes(summary.read_bytes() + b"\n")
    assert one_line(sign("--bundle", place / "out"), 5, "summary.txt: expected")
    (place / "empty").mkdir()
    assert one_line(sign("--bundle", place / "empty"), 5, "no such file")
    tree = json.loads((place / "out" / "evidence.json").read_bytes())
    write(place, tree | {"exposures": [], "plan": None})
    assert one_line(sign("--bundle", place / "out"), 5, "expected evidence that judged a bundle")


@pytest.mark.parametrize(
    ("days", "code", "said"),
    [
        ((), 2, "give either --valid-days or --not-after"),
        (("--valid-days", "90", "--not-after", "2027-03-31"), 2, "give either --valid-days or --not-after"),
        (("--valid-days", "0"), 2, "holds no day"),
        (("--not-after", "2020-01-01"), 2, "holds no day"),
        (("--valid-days", "99999"), 2, "holds no day, or more"),
    ],
)
def test_nobody_signs_for_ever_or_for_no_day(sign, days, code, said):
    assert one_line(sign(days=days), code, said)


def test_a_day_is_one_of_the_calendar(sign):
    run = sign(days=("--not-after", "2027-02-30"))
    assert run.code == 2
    assert "is no day" in run.err


def test_the_first_day_is_today_unless_it_is_given(sign, check, monkeypatch):
    monkeypatch.setattr(attest, "today", lambda: datetime.date(2030, 5, 6))
    assert "valid from 2030-05-06 to 2030-05-15" in sign(days=("--valid-days", "10")).out
    assert check(at=()).code == 0
    assert one_line(check(at=("--at", "2030-05-05")), 5, "validity.notBefore")
    assert one_line(check(at=("--at", "2030-05-16")), 5, "validity.notAfter")
    monkeypatch.setattr(attest, "today", lambda: datetime.date(2030, 5, 16))
    assert one_line(check(at=()), 5, "validity.notAfter: expected 2030-05-15 or earlier, found 2030-05-16")


def test_the_clock_is_that_of_the_machine_in_utc():
    before = datetime.datetime.now(datetime.UTC).date()
    assert before <= attest.today() <= datetime.datetime.now(datetime.UTC).date()


def test_another_key_is_named(sign, check, dpspin, place):
    assert sign().code == 0
    (place / "key.pub").write_bytes(keys.generate(None).public)
    assert one_line(check(), 5, "keyid: expected")
    (place / "key.pub").write_bytes((place / "key").read_bytes())
    assert one_line(check(), 2, "hand the private one to nobody")
    (place / "key.pub").unlink()
    assert one_line(check(), 2, "cannot be read")


def test_what_is_read_is_not_overwritten(dpspin, place):
    for name in ("key", "out/evidence.json"):
        before = (place / name).read_bytes()
        run = dpspin(
            "attest", "sign", place / "out" / "evidence.json", "--key", place / "key", "-o", place / name, *DAYS
        )
        assert one_line(run, 2, "is one of the files that are read")
        assert (place / name).read_bytes() == before


def test_a_verifier_is_a_uri(sign, check, place):
    assert one_line(sign("--verifier", "Audit House"), 2, "is no URI")
    assert sign("--verifier", "https://example.org/audits").code == 0
    assert check().code == 0


def test_an_encrypted_key_needs_its_passphrase(dpspin, sign, check, place, monkeypatch):
    monkeypatch.setenv("DPSPIN_PASSPHRASE", "correct horse")
    for name in ("key", "key.pub"):
        (place / name).unlink()
    assert dpspin("attest", "keygen", "-o", place / "key").code == 0
    assert b"ENCRYPTED" in (place / "key").read_bytes()
    assert sign().code == 0
    assert check().code == 0
    monkeypatch.setenv("DPSPIN_PASSPHRASE", "battery staple")
    assert one_line(sign(), 2, "its passphrase is wrong")
    monkeypatch.delenv("DPSPIN_PASSPHRASE")
    assert one_line(sign(), 2, "is encrypted; give its passphrase")


def test_a_policy_accepts_or_names_what_it_does_not(sign, check, place):
    assert sign().code == 0
    example = ROOT / "docs" / "examples" / "policy.yaml"
    found = check("--bundle", place / "out", "--policy", example)
    assert (found.code, f"policy       {example}: accepted" in found.out) == (0, True)
    assert one_line(check("--policy", example), 5, "subjects: expected deployment.yaml, compared")
    strict = place / "policy.yaml"
    strict.write_text('schema: dpspin-policy/1\nmax_epsilon: "1/2"\n')
    assert one_line(check("--policy", strict), 5, "policy.yaml: max_epsilon: expected at most 1/2, found 1")
    strict.write_text("schema: dpspin-policy/1\nmax_eps: 1\n")
    assert one_line(check("--policy", strict), 2, "max_eps: unknown field")


def test_a_policy_decides_on_a_waived_finding(sign, check, place):
    tree = json.loads((place / "out" / "evidence.json").read_bytes())
    next(row for row in tree["checks"] if row["id"] == "support")["status"] = "fail"
    waiver = {"check": "support", "reason": "r", "approver": "a", "expires": "2027-02-01", "state": "in force"}
    write(place, tree | {"gate": {"verdict": "pass", "waivers": [waiver], "known": []}})
    assert "result FAILED" in sign().out
    assert check().code == 1
    rules = place / "policy.yaml"
    rules.write_text("schema: dpspin-policy/1\nallow_waivers: true\n")
    assert check("--policy", rules).code == 0
    assert one_line(check("--policy", rules, at=("--at", "2027-02-02")), 5, "support: pass, or a waiver in force")


def test_labels_of_a_stranger_are_written_out(sign, check, place):
    tree = json.loads((place / "out" / "evidence.json").read_bytes())
    next(row for row in tree["checks"] if row["id"] == "hygiene")["status"] = "fail"
    tree["exposures"].append({"order": None, "name": "\x1b[2J", "role": None, "sha256": "0" * 64})
    write(place, tree)
    assert sign().code == 0
    found = check()
    assert "\x1b" not in found.out
    assert r"\x1b[2J" in found.out


def test_the_schema_of_policies_is_printed(dpspin):
    tree = json.loads(dpspin("schema", "policy").out)
    assert set(tree["required"]) == {"schema"}
    assert {"signers", "max_epsilon", "allow_waivers"} < set(tree["properties"])


def recipe(language):
    """The block of a language in docs/attestation.md."""
    text = (ROOT / "docs" / "attestation.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]


def alone(command, folder):
    """A process in a folder that has neither this project nor its modules on any path."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=kept)


def test_the_recipe_in_python_needs_the_public_key_and_one_library(sign, place):
    assert sign(days=("--valid-days", "2")).code == 0
    program = "import sys\nfor name in ('dpspin', 'dpspin_audits'): sys.modules[name] = None\n" + recipe("python")
    (place / "check.py").write_text(program)
    release = place / "out" / "release"
    command = [sys.executable, "-I", place / "check.py", place / "a.intoto.jsonl", place / "key.pub", release]
    good = alone(command, place)
    assert good.returncode == 0, good.stderr
    assert "PASSED" in good.stdout
    plan = release / "plan.json"
    data = plan.read_bytes()
    plan.write_bytes(data[:-2] + b" }\n")
    assert "plan.json" in alone(command, place).stderr
    plan.write_bytes(data)
    lines = (place / "a.intoto.jsonl").read_bytes()
    (place / "a.intoto.jsonl").write_bytes(lines.replace(b"A", b"B", 1))
    assert alone(command, place).returncode != 0
    for short in (b"", lines[: lines.index(b"\n") + 1]):
        (place / "a.intoto.jsonl").write_bytes(short)
        assert "three statements" in alone(command, place).stderr
    (place / "a.intoto.jsonl").write_bytes(lines)
    plan.unlink()
    assert "plan.json" in alone(command, place).stderr
    plan.write_bytes(data)
    assert alone(command, place).returncode == 0
    assert sign(days=("--not-before", "2020-01-01", "--not-after", "2020-01-02")).code == 0
    assert "not valid today" in alone(command, place).stderr
    (place / "key.pub").write_bytes(keys.generate(None).public)
    assert "InvalidSignature" in alone(command, place).stderr


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs OpenSSL")
def test_the_recipe_with_openssl_needs_no_python_of_ours(sign, place):
    assert sign().code == 0
    shell = ["sh", "-c", recipe("sh"), "check", place / "a.intoto.jsonl", place / "key.pub"]
    good = alone(shell, place)
    assert good.returncode == 0, good.stderr
    assert good.stdout.count("Signature Verified Successfully") == 3
    lines = (place / "a.intoto.jsonl").read_bytes()
    at = lines.index(b'"sig":"') + 10
    (place / "a.intoto.jsonl").write_bytes(
        lines[:at] + (b"B" if lines[at : at + 1] == b"A" else b"A") + lines[at + 1 :]
    )
    assert alone(shell, place).returncode != 0
    (place / "a.intoto.jsonl").write_bytes(b"".join(lines.splitlines(keepends=True)[:2]))
    assert alone(shell, place).returncode != 0
