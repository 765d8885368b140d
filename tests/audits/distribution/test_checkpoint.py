"""A killed audit goes on to the same bytes; a folder of another audit, or an altered file, is refused."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.distribution import checkpoint
from dpspin_audits.distribution.checkpoint import Checkpoint, begun_with
from dpspin_audits.distribution.judgement import judge
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.pairs.families import families

TERMS = {"seed": "5e1f", "subject": "ref", "effort": [1, 2]}


@pytest.fixture(scope="module")
def found(reference, maker):
    terms = Terms(reference.claim, 1.0, 5e-5, b"seed", Effort(pilot=0, training=600, testing=1000))
    return judge(families(maker)[0], reference, terms)


def test_what_was_kept_comes_back_bit_by_bit(tmp_path, found):
    Checkpoint(tmp_path, TERMS).put("one", found)
    again = Checkpoint(tmp_path, TERMS)
    assert again.get("one") == found
    assert type(again.get("one").ideal[0].bets) is type(found.ideal[0].bets)
    assert again.get("two") is None
    assert begun_with(tmp_path)["seed"] == "5e1f"


def test_bounds_that_are_infinite_survive(tmp_path, found):
    endless = found._replace(shift=(0.5, float("inf")))
    Checkpoint(tmp_path, TERMS).put("one", endless)
    assert Checkpoint(tmp_path, TERMS).get("one") == endless


@pytest.mark.parametrize("change", [{"seed": "00"}, {"subject": "py:x:y"}, {"effort": [1, 3]}, {"version": "2"}])
def test_the_folder_of_another_audit_is_refused_with_what_differs(tmp_path, change):
    Checkpoint(tmp_path, TERMS)
    with pytest.raises(UsageError, match=f"belongs to another audit .{min(change)} differs"):
        Checkpoint(tmp_path, TERMS | change)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data.replace(b"0.", b"1.", 1),
        lambda data: data + b" ",
    ],
    ids=["cut", "half", "empty", "changed", "longer"],
)
def test_an_altered_file_is_refused_and_not_done_again(tmp_path, found, spoil):
    kept = Checkpoint(tmp_path, TERMS)
    kept.put("one", found)
    (file,) = (path for path in tmp_path.iterdir() if path.name != checkpoint.AUDIT)
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(IntegrityError, match="remove this file, and its part is done again"):
        Checkpoint(tmp_path, TERMS).get("one")
    file.unlink()
    assert kept.get("one") is None


def test_a_result_of_another_audit_or_family_does_not_fit(tmp_path, found):
    Checkpoint(tmp_path / "a", TERMS).put("one", found)
    (file,) = (path for path in (tmp_path / "a").iterdir() if path.name != checkpoint.AUDIT)
    other = Checkpoint(tmp_path / "b", TERMS | {"seed": "00"})
    (tmp_path / "b" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(IntegrityError):
        other.get("one")


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"schema":"dpspin-progress/1"}\n', b'{"seed":"00"'])
def test_an_altered_head_is_refused(tmp_path, data):
    (tmp_path / checkpoint.AUDIT).write_bytes(data)
    with pytest.raises(IntegrityError, match="remove the folder"):
        Checkpoint(tmp_path, TERMS)


def test_the_program_is_part_of_what_an_audit_is_bound_to(reference, tmp_path, monkeypatch):
    before = checkpoint.program(reference)
    assert before == checkpoint.program(reference)
    assert before["module"] == canonical.digest(Path(sys.modules[type(reference).__module__].__file__).read_bytes())
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(checkpoint, "SOURCES", (*checkpoint.SOURCES, "more"))
    assert checkpoint.program(reference)["sources"] != before["sources"]


SCRIPT = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import small
from dpspin import canonical
from dpspin_audits import engine
from dpspin_audits.distribution.campaign import Workplace
from dpspin_audits.distribution.checkpoint import Checkpoint
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.distribution.trials import Effort

class Slow(ReferenceSubject):
    def sample(self, records, runs):
        time.sleep(float(sys.argv[3]))
        return super().sample(records, runs)

few = Effort(pilot=64, training=600, testing=1000, searched=20)
asked = engine.Audit(small(), Slow(small()), "ref", "", b"seed", effort=few)
kept = Checkpoint(Path(sys.argv[2]), {"seed": "73"})
sys.stdout.buffer.write(canonical.dumps(engine.audit(asked, place=Workplace(kept=kept))))
"""


def started(folder, seconds):
    arguments = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[1]), str(folder), str(seconds)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_an_audit_that_was_killed_goes_on_to_the_same_bytes(tmp_path):
    killed, whole = started(tmp_path / "killed", 0.05), started(tmp_path / "whole", 0)
    finished = []
    while len(finished) < 2 and killed.poll() is None:
        finished = [path for path in (tmp_path / "killed").glob("family-*") if path.suffix == ""]
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "killed").glob("family-*")}
    assert 2 <= len(kept) < 8
    again = started(tmp_path / "killed", 0)
    (bytes_again, said), (expected, _) = again.communicate(), whole.communicate()
    assert (again.returncode, whole.returncode) == (0, 0), said
    assert bytes_again == expected
    assert canonical.loads(expected, "")["verdict"] in ("pass", "inconclusive")
    assert all((tmp_path / "killed" / name).stat().st_mtime_ns == made for name, made in kept.items())
