"""Every wait and every answer of a process is bounded, and nothing is left running."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from dpspin.errors import SubjectError, UsageError
from dpspin_audits.protocol import subject


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("crash", r"without an answer to release \(exit code 3\); its standard error ends: boom: the last words"),
        ("half line", r"ended without an answer to release \(exit code 0; \d+ bytes of an answer came\)"),
        ("silence", r"gave no answer to release within 1 s \(--timeout allows more\)"),
        ("flood", "bytes that nobody asked for"),
    ],
)
def test_a_process_that_breaks_off_is_named(connect, records, fault, words):
    found = connect(fault, seconds=1) if fault == "silence" else connect(fault)
    with pytest.raises(SubjectError, match=words):
        found.release(records)


def test_a_slow_start_is_bounded(connect):
    with pytest.raises(SubjectError, match=r"within 0\.5 s"):
        connect("slow start", starting=0.5)


def test_what_it_says_on_standard_error_does_not_block_it(connect, records):
    assert connect("stderr flood").release(records)


def alive(group):
    """Processes of a group that still run; one that has ended may wait to be fetched by its parent."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, leader = place.read_text().rpartition(")")[2].split()[:3]
            found += [place] if int(leader) == group and state != "Z" else []
    return found


@pytest.mark.parametrize("fault", ["no bye", "fork", "daemon", "leaks"])
def test_nothing_is_left_running(connect, fault):
    found = connect(fault)
    group, folder = found._session.child._process.pid, found._session.child.folder
    (folder / "left behind").write_text("")
    found.close()
    assert not folder.exists()
    deadline = time.monotonic() + 30  # a signal takes effect when the process is next scheduled
    while alive(group) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(group)


def test_a_program_that_is_not_there_is_the_callers_mistake(setting):
    with pytest.raises(UsageError, match="cannot be started"):
        subject.connect(["/nowhere/at/all"], setting)
