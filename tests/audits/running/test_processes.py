"""Processes of their own: what a subject does there is seen, bounded and gone afterwards."""

import os
import time
from pathlib import Path

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.bundle import released_masses
from dpspin_audits.protocol import leftovers
from dpspin_audits.running.processes import Elsewhere

MODULE = """
import os, random, subprocess, sys, time
from dpspin_audits.zoo.correct import subject as Correct
HERE = {here!r}
class Bad(Correct):
    def release(self, records):
{body}
        return super().release(records)
subject = Bad
"""


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """The address of a subject that does something before each release."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def plant(body):
        name = f"planted_{abs(hash(body))}"
        text = "\n".join(f"        {line}" for line in body.splitlines())
        (tmp_path / f"{name}.py").write_text(MODULE.format(here=str(tmp_path), body=text))
        return f"py:{name}:subject"

    return plant


def test_releases_come_in_order_leave_nothing_and_differ_from_those_of_another_process(setting):
    found, other = (Elsewhere("ref", setting)([[], [{}]]) for _ in range(2))
    assert (found.ended, found.written, found.network, found.started, found.outlived) == ("", (), (), 0, 0)
    plans = [released_masses(outcome.bundle) for one in (found, other) for outcome in one.outcomes]
    assert len({tuple(plan.items()) for plan in plans}) == 4


def test_an_address_that_names_nothing_is_the_subjects_error(setting):
    with pytest.raises(SubjectError, match="cannot be had in a new process"):
        Elsewhere("py:no_such_module:x", setting)([[]])


@pytest.mark.parametrize(
    ("body", "ended"),
    [("os._exit(3)", "exit code 3"), ("os.abort()", "exit code -6"),
     ("__import__('threading').Event().wait()", "no answer within 10 seconds")],
)  # fmt: skip
def test_a_process_that_ends_or_hangs_is_bounded(setting, planted, body, ended):
    found = Elsewhere(planted(f"if records:\n    {body}"), setting, seconds=10)([[], [{}], []])
    assert ended in found.ended
    assert len(found.outcomes) == 1


def test_files_are_found_and_those_of_the_working_folder_are_gone(setting, planted, tmp_path):
    found = Elsewhere(planted("open('notes.txt', 'a').write(str(len(records)))"), setting)([[]])
    assert found.written == ("notes.txt",)
    assert not Path("notes.txt").exists()
    found = Elsewhere(planted("open(HERE + '/log', 'a').close()"), setting)([[]])
    assert found.written == (str(tmp_path / "log"),)


def test_what_is_read_or_gone_is_not_written(setting, planted, tmp_path):
    (tmp_path / "log").write_text("x")
    body = "import tempfile\ntempfile.TemporaryFile().write(b'x')\nopen(HERE + '/log').close()"
    assert Elsewhere(planted(body), setting)([[]]).written == ()


def test_the_network_is_seen(setting, planted):
    found = Elsewhere(
        planted("import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError:\n    pass"),
        setting,
    )([[]])
    assert "127.0.0.1" in found.network[0]


def is_gone(pid):
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_process_left_behind_is_ended(setting, planted, tmp_path):
    body = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'], stdin=subprocess.DEVNULL)"
    noted = f"open(HERE + '/pid', 'w').write(str({body}.pid))"
    found = Elsewhere(planted(noted), setting)([[]])
    assert (found.started, found.outlived) == (1, 1)
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_without_proc_its_group_is_ended_and_what_was_not_seen_is_said(setting, planted, tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "PROC", tmp_path / "none")
    body = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(101)'], stdin=subprocess.DEVNULL)"
    found = Elsewhere(planted(f"open(HERE + '/pid', 'w').write(str({body}.pid))"), setting)([[]])
    assert (found.outlived, found.unseen) == (0, "needs /proc")
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_hanging_process_is_ended_with_children_that_lead_their_own_sessions(setting, planted, tmp_path):
    start = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'], start_new_session=True)"
    body = f"open(HERE + '/pid', 'w').write(str({start}.pid))\n__import__('threading').Event().wait()"
    found = Elsewhere(planted(body), setting, seconds=10)([[]])
    assert "no answer" in found.ended
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_a_process_that_ends_with_the_release_is_counted_only(setting, planted):
    found = Elsewhere(planted("subprocess.run(['true'], check=True)"), setting)([[]])
    assert (found.started, found.outlived) == (1, 0)


def test_prints_are_outcomes(setting, planted, capfd):
    found = Elsewhere(planted("print(len(records), file=sys.stderr)"), setting)([[], [{}]])
    assert [outcome.printed for outcome in found.outcomes] == [b"0\n", b"1\n"]
    assert capfd.readouterr() == ("", "")


SOURCES = (
    "time.time()", "time.perf_counter_ns()", "os.getpid()", "hash('a')", "__import__('datetime').datetime.now()",
    "__import__('datetime').datetime.utcnow()",
)  # fmt: skip


def test_clock_number_and_hashes_are_alike_in_all(setting, planted):
    spec = planted(f"print({', '.join(SOURCES)}, sep='; ')")
    first, second = (Elsewhere(spec, setting)([[]]).outcomes[0].printed for _ in range(2))
    assert first == second
    assert first.count(b";") == len(SOURCES) - 1


def test_the_environment_of_this_process_is_put_back(setting, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    Elsewhere("ref", setting)([])
    assert os.environ["PYTHONHASHSEED"] == "7"
    monkeypatch.delenv("PYTHONHASHSEED")
    Elsewhere("ref", setting)([])
    assert "PYTHONHASHSEED" not in os.environ
