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
    ("fault", "words"),
    [("crash", "its standard error ends: boom: the last words"), ("silence", "no answer within 4 s"),
     ("flood", "bytes that nobody asked for"), ("utf8", "not UTF-8")],
)  # fmt: skip
def test_a_command_that_breaks_off_ends_with_exit_code_4_and_its_last_words(dpspin, tmp_path, places, fault, words):
    script = tmp_path / "subject.py"
    script.write_bytes(FAULTY.read_bytes())
    spec = f"cmd:{sys.executable} '{script}' '{fault}'"
    run = dpspin("audit", "--impl", spec, "--timeout", 4, "--out", tmp_path / "out")
    assert run.code == 4, run.err
    found = reasons(tmp_path / "out")
    assert words in found["distribution.ideal"]
    assert words in found["hygiene"]
    assert list(places.iterdir()) == []
    assert running(str(script)) == []


def test_a_command_that_never_starts_is_named_on_standard_error(dpspin, tmp_path, places):
    spec = f"cmd:{sys.executable} '{FAULTY}' 'slow start'"
    run = dpspin("audit", "--impl", spec, "--timeout", 0.5, "--out", tmp_path / "out")
    assert (run.code, run.err.splitlines()[-1]) == (4, "dpspin: the subject: gave no answer within 0.5 s")
    assert list(places.iterdir()) == []


@pytest.mark.parametrize("rows", ["runs << 40"])
def test_a_sample_of_another_shape_ends_the_audit(dpspin, tmp_path, places, rows):
    for place in SAMPLE.glob("*.py"):
        text = place.read_text()
        (tmp_path / place.name).write_text(
            text.replace('"rows": runs', f'"rows": {rows}') if place.name == "subject.py" else text
        )
    assert rows in (tmp_path / "subject.py").read_text()
    spec = f"cmd:{sys.executable} '{tmp_path / 'subject.py'}'"
    run = dpspin("audit", "--impl", spec, "--timeout", 30, "--out", tmp_path / "out")
    assert run.code == 4, run.out
    assert "runs, or masses of an unknown type" in reasons(tmp_path / "out")["distribution.ideal"]
    assert list(places.iterdir()) == []
    assert running(str(tmp_path / "subject.py")) == []
