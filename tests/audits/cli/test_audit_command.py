"""`dpspin audit` on commands: whoever breaks off ends it with exit code 4 and last words, and leaves nothing behind."""

import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("brief")

FAULTY = Path(__file__).parents[1] / "protocol" / "faulty.py"
SAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "subjects" / "python"


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A folder for temporary files that nobody else uses."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(place))
    yield place
    tempfile.tempdir = None


def running(word):
    """Processes whose command line holds a word."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [place] if word.encode() in place.read_bytes() else []
    return found


def reasons(folder):
    tree = json.loads((folder / "evidence.json").read_bytes())
    return {check["id"]: str(check["reason"]) for check in tree["checks"] if check["status"] == "error"}


@pytest.mark.parametrize(
    "case",
    [("crash", "its standard error ends: boom: the last words"), ("silence", "(--timeout allows more)"),
     ("flood", "bytes that nobody asked for"), ("utf8", "not UTF-8"), ("order", "no answer to request"),
     ("digits", "a number is too long"), ("deep", "too deeply nested"),
     ("escapes", r"its standard error ends: \x1b]0;title\x07\x1b[2J last words")],
    ids=lambda case: case[0],
)  # fmt: skip
def test_a_command_that_breaks_off_ends_with_exit_code_4_and_its_last_words(
    dpspin, tmp_path, places, small_folder, case
):
    fault, words = case
    script = tmp_path / "subject.py"
    script.write_bytes(FAULTY.read_bytes())
    spec = f"cmd:{sys.executable} '{script}' '{fault}'"
    seconds = 4 if fault == "silence" else 60
    run = dpspin("audit", small_folder, "--impl", spec, "--timeout", seconds, "--out", tmp_path / "out")
    assert run.code == 4, run.err
    found = reasons(tmp_path / "out")
    assert words in found["distribution.ideal"]
    assert words in found["hygiene"]
    assert "\x1b" not in run.out + run.err + json.dumps(found)
    assert list(places.iterdir()) == []
    assert running(str(script)) == []


def test_a_command_that_never_starts_is_named_on_standard_error(dpspin, tmp_path, places, small_folder):
    spec = f"cmd:{sys.executable} '{FAULTY}' 'slow start'"
    run = dpspin("audit", small_folder, "--impl", spec, "--timeout", 0.5, "--out", tmp_path / "out")
    words = "dpspin: the subject: gave no answer to hello within 0.5 s (--timeout allows more)"
    assert (run.code, run.err.splitlines()[-1]) == (4, words)
    assert list(places.iterdir()) == []


def test_nothing_that_it_started_or_left_stays(dpspin, tmp_path, places, small_folder):
    """A fork that keeps its streams open, a daemon, locked folders, and an end in the middle of a line."""
    script = tmp_path / "subject.py"
    script.write_bytes(FAULTY.read_bytes())
    spec = f"cmd:{sys.executable} '{script}' 'fork+daemon+leaks+half line'"
    run = dpspin("audit", small_folder, "--impl", spec, "--timeout", 60, "--out", tmp_path / "out")
    assert run.code == 4, run.err
    assert "ended without an answer" in reasons(tmp_path / "out")["distribution.ideal"]
    assert "\x1b" not in run.out + run.err
    assert list(places.iterdir()) == []
    assert running(str(script)) == []


def test_a_greeting_that_is_none_leaves_no_results(dpspin, tmp_path, places):
    """What lay there from an earlier audit stays as it was."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "evidence.json").write_text("earlier")
    script = tmp_path / "subject.py"
    script.write_bytes(FAULTY.read_bytes())
    run = dpspin("audit", "--impl", f"cmd:{sys.executable} '{script}' 'version+daemon+no bye'", "--out", out)
    assert (run.code, run.out) == (4, "")
    assert "protocol DPSP/1" in run.err.splitlines()[-1]
    assert [(entry.name, entry.read_text()) for entry in out.iterdir()] == [("evidence.json", "earlier")]
    assert {entry.name for entry in tmp_path.iterdir()} <= {"out", "subject.py", "temporary", "state"}
    assert list(places.iterdir()) == []
    assert running(str(script)) == []


def test_a_sample_of_another_shape_ends_the_audit(dpspin, tmp_path, places):
    text = (SAMPLE / "subject.py").read_text()
    assert text.count('"rows": asked["runs"]') == 1
    (tmp_path / "subject.py").write_text(text.replace('"rows": asked["runs"]', '"rows": asked["runs"] << 40'))
    spec = f"cmd:{sys.executable} '{tmp_path / 'subject.py'}'"
    run = dpspin("audit", "--impl", spec, "--timeout", 30, "--out", tmp_path / "out")
    assert run.code == 4, run.out
    assert " rows of 10 for " in reasons(tmp_path / "out")["distribution.ideal"]
    assert list(places.iterdir()) == []
    assert running(str(tmp_path / "subject.py")) == []


def test_a_released_name_that_leads_elsewhere_is_a_finding_and_is_written_nowhere(
    dpspin, tmp_path, only, small_folder, monkeypatch
):
    only("hygiene")
    place = tmp_path / "deep" / "deeper"
    place.mkdir(parents=True)
    (place / "leads_elsewhere.py").write_text(
        "from dpspin_audits.zoo.correct import subject as Correct\n"
        "class subject(Correct):\n"
        "    def release(self, records):\n"
        "        return {**super().release(records), '../../outside.txt': b'x'}\n"
    )
    monkeypatch.chdir(place)
    run = dpspin("audit", small_folder, "--impl", "py:leads_elsewhere:subject", "--out", "out")
    assert run.code == 1, run.err
    tree = json.loads((place / "out" / "evidence.json").read_bytes())
    assert [check["status"] for check in tree["checks"] if check["id"] == "hygiene"] == ["fail"]
    assert not list(tmp_path.rglob("outside.txt"))
