"""The folder is its owner's alone, whole, and never shared with anything else."""

import os
import stat

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.judging.store import Store


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder):
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}


def test_everything_is_for_the_owner_alone_whatever_the_umask(tmp_path, open_umask):
    store = Store(tmp_path / "deep" / "out")
    store.keep("k", {"a": 1})
    store.write("judge.html", b"page")
    assert modes(tmp_path / "deep" / "out") == {
        ".": 0o700, "answers": 0o700, "answers/k.json": 0o600, "judge.html": 0o600,
    }  # fmt: skip


def test_an_open_folder_is_closed_and_what_is_in_it_is_taken_up(tmp_path, open_umask):
    out = tmp_path / "out"
    Store(out).keep("k", {"a": 1})
    out.chmod(0o755)
    assert Store(out).kept("k") == {"a": 1}
    assert modes(out)["."] == 0o700


def test_what_is_not_there_or_cut_short_is_asked_anew(tmp_path):
    store = Store(tmp_path / "out")
    assert store.kept("k") is None
    (tmp_path / "out" / "answers" / "k.json").write_bytes(b'{"a":')
    assert store.kept("k") is None


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "plan.json").write_bytes(b"{}")
    before = modes(tmp_path)
    with pytest.raises(UsageError, match=r"holds 'plan.json', which no evaluation wrote; name another folder"):
        Store(tmp_path)
    assert modes(tmp_path) == before


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot be written"):
        Store(tmp_path / "file" / "out")
    store = Store(tmp_path / "out")
    (tmp_path / "out" / "judge.csv").mkdir()
    with pytest.raises(UsageError, match=r"judge.csv: cannot be written"):
        store.write("judge.csv", b"")
    assert [path.name for path in (tmp_path / "out").iterdir() if path.name.endswith(".tmp")] == []
