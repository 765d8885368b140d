"""`dpspin release`: constants on the screen, whole folders or none, charged before records are read."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from hashlib import sha256
from pathlib import Path

import pytest

from dpspin.corpus import embedded, synthetic
from dpspin_audits.cli import release

DOCS = Path(__file__).parents[3] / "docs"

NAMES = ["deployment.yaml", "plan.json", "summary.txt", "transcript.jsonl", "universe.json"]
CORPORA = {
    "empty": b"",
    "no final newline": b'{"id":"a","text":"late fees"}',
    "no ids": b'{"text":"late fees"}\n' * 3,
    "odd": b'{"id":5,"text":"fees"}\n{"id":"a","text":null}\n{"id":"b"}\n{}\n{"id":"c","text":"\\u2028 \\u0000 x"}\n',
    "many": b"".join(json.dumps(row).encode() + b"\n" for row in synthetic.records(300)),
}


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def charges(state):
    return sum(len(path.read_bytes().splitlines()) for path in state.glob("*.jsonl")) if state.exists() else 0


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(CORPORA["many"])
    return path


def test_a_release_of_the_embedded_deployment(dpspin, tmp_path, state):
    run = dpspin("release", "--out", tmp_path / "out", "--curator-out", tmp_path / "curator")
    assert run == (0, f"released to {tmp_path / 'out'} under charge 0001 of population synthetic-complaints\n", "")
    assert names(tmp_path / "out") == NAMES
    assert names(tmp_path / "curator") == ["corpus-report.json", "sketch.json"]
    assert oct((tmp_path / "curator").stat().st_mode & 0o777) == "0o700"
    assert json.loads((tmp_path / "out" / "plan.json").read_bytes())["stamp"] is None
    assert charges(state) == 1


def test_streams_exit_codes_and_names_do_not_depend_on_the_records(dpspin, tmp_path, folder, monkeypatch):
    seen = set()
    for number, data in enumerate(CORPORA.values()):
        monkeypatch.setenv("DPSPIN_STATE", str(tmp_path / f"state{number}"))
        place = tmp_path / str(number)
        place.mkdir()
        monkeypatch.chdir(place)
        (place / "corpus.jsonl").write_bytes(data)
        run = dpspin("release", folder / "deployment.yaml", "--corpus", "corpus.jsonl", "--out", "out")
        seen.add((run, tuple(names(place / "out"))))
    assert len(seen) == 1
    assert next(iter(seen))[0].code == 0


def test_plain_and_gzip_corpora_give_the_same_release(dpspin, tmp_path, folder, corpus, monkeypatch):
    packed = tmp_path / "corpus.data"
    packed.write_bytes(gzip.compress(corpus.read_bytes()))
    plans = []
    for path in (corpus, packed):
        monkeypatch.setenv("DPSPIN_STATE", str(tmp_path / path.name) + "-state")
        out = tmp_path / (path.name + "-out")
        assert dpspin("release", folder / "deployment.yaml", "--corpus", path, "--out", out, "--seed", "0a").code == 0
        plans.append({name: (out / name).read_bytes() for name in NAMES})
    assert plans[0] == plans[1]


def test_a_seeded_release_is_stamped_everywhere(dpspin, tmp_path, state):
    assert dpspin("release", "--out", tmp_path / "out", "--seed", "0a0b").code == 0
    for name in ("plan.json", "summary.txt", "transcript.jsonl"):
        assert "NON-PRIVATE" in (tmp_path / "out" / name).read_text(), name


def test_a_seed_is_refused_on_a_corpus_that_is_not_synthetic(dpspin, tmp_path, folder, corpus, state):
    path = folder / "deployment.yaml"
    path.write_text(path.read_text().replace("synthetic: true", "synthetic: false"))
    run = dpspin("release", path, "--corpus", corpus, "--out", tmp_path / "out", "--seed", "0a")
    assert run == (2, "", "dpspin: --seed: refused: corpus.synthetic is false; release without a seed\n")
    assert charges(state) == 0


BAD_LINES = {
    "not UTF-8": b'{"id":"a","text":"secret"}\n{"id":"b","text":"\xff secret"}\n',
    "cut": b'{"id":"a","text":"secret"}\n{"id":"b","tex',
    "array": b'{"id":"a","text":"secret"}\n["secret"]\n',
    "twice": b'{"id":"a","text":"secret"}\n{"id":"b","id":"secret"}\n',
    "blank": b'{"id":"a","text":"secret"}\n\n{"id":"b","text":"secret"}\n',
    "NaN": b'{"id":"a","text":"secret"}\n{"id":"b","text":NaN}\n',
    "deep": b'{"id":"a","text":"secret"}\n{"id":"b","x":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
}


@pytest.mark.parametrize("fault", BAD_LINES)
def test_bad_framing_is_refused_before_any_charge_and_quotes_nothing(dpspin, tmp_path, folder, state, fault):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(BAD_LINES[fault])
    run = dpspin("release", folder / "deployment.yaml", "--corpus", path, "--out", tmp_path / "out")
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith(f"dpspin: {path}: line 2: ")
    assert run.err.count("\n") == 1
    assert "secret" not in run.err
    assert charges(state) == 0
    assert names(tmp_path) == ["bad.jsonl", "mine"]


def test_bad_configuration_is_refused_with_place_and_remedy(dpspin, tmp_path, folder, corpus, state):
    path = folder / "deployment.yaml"
    text = path.read_text()
    for old, new, code, words in (
        ('epsilon: "1" ', "epsilon: 1 ", 2, "mechanism.epsilon"),
        ("max_atoms: 3", "max_atoms: 3\n  max_atom: 3", 2, "assignment.max_atom: unknown field"),
        ("rule: centroid ", "rule: my:phi ", 2, "'my:phi' is not in 'weights.json'; write"),
        ("file: universe.json", "file: nowhere.json", 2, "nowhere.json: cannot be read"),
        ('sha256: "', 'sha256: "0000', 2, "sha256"),
        ("note: Product", "note: 'Product", 2, "line"),
    ):
        assert old in text
        changed = text.replace(old, new, 1)
        path.write_text(changed)
        run = dpspin("release", path, "--corpus", corpus, "--out", tmp_path / "out")
        assert (run.code, run.out, run.err.count("\n")) == (code, "", 1), run
        assert words in run.err
        assert str(folder) in run.err
    assert charges(state) == 0
    assert not (tmp_path / "out").exists()


def test_a_changed_file_is_a_digest_mismatch(dpspin, tmp_path, folder, corpus, state):
    with (folder / "weights.json").open("ab") as file:
        file.write(b"\n")
    run = dpspin("release", folder / "deployment.yaml", "--corpus", corpus, "--out", tmp_path / "out")
    assert run.code == 5
    assert "weights.json" in run.err
    assert charges(state) == 0


def test_beyond_the_budget_nothing_is_read_or_written(dpspin, tmp_path, state):
    for number in range(3):
        assert dpspin("release", "--out", tmp_path / str(number)).code == 0
    run = dpspin("release", "--out", tmp_path / "3")
    assert run.code == 2
    assert "3 is spent of 3" in run.err
    assert charges(state) == 3
    assert names(tmp_path) == ["0", "1", "2", "state"]


def test_an_existing_folder_is_never_overwritten_and_costs_nothing(dpspin, tmp_path, state):
    (tmp_path / "out").mkdir()
    run = dpspin("release", "--out", tmp_path / "out")
    assert run.code == 2
    assert "exists already" in run.err
    assert charges(state) == 0


def test_a_corpus_is_needed_unless_the_deployment_is_synthetic(dpspin, tmp_path, folder):
    path = folder / "deployment.yaml"
    assert dpspin("release", path, "--out", tmp_path / "synthetic").code == 0
    path.write_text(path.read_text().replace("synthetic: true", "synthetic: false"))
    run = dpspin("release", path, "--out", tmp_path / "out")
    assert run == (2, "", "dpspin: --corpus: missing; name the corpus that this deployment is released on\n")


def test_an_unforeseen_error_after_the_charge_prints_a_constant(dpspin, tmp_path, monkeypatch, state):
    def broken(*_):
        raise ValueError("secret of a record")

    monkeypatch.setattr(release.pipeline, "release", broken)
    monkeypatch.setenv("DPSPIN_DEBUG", "1")
    run = dpspin("release", "--out", tmp_path / "out")
    assert run.code == 70
    assert run.err == "dpspin: the release failed after its charge; nothing was written and the charge stays\n"
    assert charges(state) == 1
    assert names(tmp_path) == ["state"]


def in_a_process(tmp_path, fault):
    """A release in a process of its own, with a fault planted."""
    program = textwrap.dedent(fault) + textwrap.dedent(f"""
        import sys
        from dpspin_audits.cli.main import main
        sys.argv = ["dpspin", "release", "--out", {str(tmp_path / "out")!r}]
        main()
    """)
    environment = os.environ | {"DPSPIN_STATE": str(tmp_path / "state")}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)


def test_a_full_disk_leaves_nothing_half_written_and_says_so(tmp_path):
    done = in_a_process(
        tmp_path,
        """
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        """,
    )
    assert done.returncode == 2
    assert "cannot be written (File too large); nothing was left there" in done.stderr
    assert "Traceback" not in done.stderr
    assert names(tmp_path) == ["state"]


@pytest.mark.parametrize("kind", ["SIGKILL", "SIGTERM"])
def test_a_kill_while_writing_leaves_no_release_under_its_name(tmp_path, kind):
    done = in_a_process(
        tmp_path,
        f"""
        import os, signal
        from dpspin_audits import files
        real = files.write_new
        def dying(path, parts, mode):
            real(path, parts, mode)
            if path.name == "plan.json":
                os.kill(os.getpid(), signal.{kind})
        files.write_new = dying
        """,
    )
    assert done.returncode == (-signal.SIGKILL if kind == "SIGKILL" else 143)
    assert not (tmp_path / "out").exists()
    assert charges(tmp_path / "state") == 1
    if kind == "SIGTERM":
        assert names(tmp_path) == ["state"]


def test_nothing_is_shown_while_records_are_read(dpspin, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert dpspin("release", "--out", tmp_path / "out").err == ""
    assert len(list(embedded.corpus())) == embedded.RECORDS


def test_the_documented_function_scores_a_release_and_nobody_else_runs_it(dpspin, tmp_path, folder, corpus):
    page = (DOCS / "deployment.md").read_text()
    (source,) = re.findall(r"```python\n(def shared_words.*?)```", page, re.DOTALL)
    (folder / "phrases.py").write_text(source)
    declared = (folder / "deployment.yaml").read_text().replace("rule: centroid", 'rule: "phrases:shared_words"')
    weights = sha256((folder / "weights.json").read_bytes()).hexdigest()
    declared = declared.replace("weights.json", "phrases.py").replace(weights, sha256(source.encode()).hexdigest())
    (folder / "deployment.yaml").write_text(declared)
    out, curator = tmp_path / "out", tmp_path / "curator"
    run = dpspin("release", folder / "deployment.yaml", "--corpus", corpus, "--out", out, "--curator-out", curator)
    assert run.code == 0
    assert json.loads((curator / "corpus-report.json").read_bytes())["counts"]["protected_without_mass"] < 100
    assert names(out) == NAMES
    (folder / "phrases.py").write_text("raise SystemExit(9)")
    assert dpspin("verify", out).code == 0
    again = dpspin("release", folder / "deployment.yaml", "--corpus", corpus, "--out", tmp_path / "more")
    assert again.code == 5
    assert "phrases.py" in again.err
    assert not (tmp_path / "more").exists()
