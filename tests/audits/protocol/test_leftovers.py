"""Processes of a folder are found and ended, wherever they went; others are left alone."""

import os
import subprocess
import sys

import pytest

from dpspin_audits.protocol import leftovers

IDLE = [sys.executable, "-c", "print(flush=True); import time; time.sleep(60)"]


@pytest.fixture
def idle():
    made = []

    def start(cwd, temporary):
        env = {**os.environ, "TMPDIR": str(temporary)}
        made.append(subprocess.Popen(IDLE, cwd=cwd, env=env, stdout=subprocess.PIPE, start_new_session=True))
        made[-1].stdout.readline()  # it has become another program
        return made[-1]

    yield start
    for one in made:
        one.kill()
        one.communicate()


def test_what_began_or_works_in_a_folder_is_ended_and_nothing_else(idle, tmp_path):
    folder, beside = tmp_path / "it", tmp_path / "it too"
    for place in (folder / "deeper", beside):
        place.mkdir(parents=True)
    ended = [idle("/", folder), idle("/", folder / "deeper"), idle(folder, "/tmp"), idle(folder / "deeper", beside)]
    left = idle(beside, beside)
    assert set(leftovers.of(folder)) == {one.pid for one in ended}
    leftovers.end(folder)
    assert [one.wait(timeout=30) for one in ended] == [-9] * 4
    assert left.poll() is None


def test_this_process_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    leftovers.end(tmp_path)
    assert list(leftovers.of(tmp_path)) == []


def test_where_there_is_no_proc_nothing_is_found_and_that_is_said(idle, tmp_path, monkeypatch):
    assert leftovers.unseen() == ""
    left = idle(tmp_path, tmp_path)
    monkeypatch.setattr(leftovers, "PROC", tmp_path / "none")
    assert leftovers.unseen() == "needs /proc"
    leftovers.end(tmp_path)
    assert left.poll() is None
    monkeypatch.undo()
    leftovers.end(tmp_path)
    assert left.wait(timeout=30) == -9


def test_a_proc_that_tells_no_environment_is_none(tmp_path, monkeypatch):
    (tmp_path / "self").mkdir()
    monkeypatch.setattr(leftovers, "PROC", tmp_path)
    assert leftovers.unseen() == "needs /proc"
