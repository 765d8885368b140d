"""Results are written whole or not at all."""

import resource
import signal
import stat

import pytest

from dpspin.errors import UsageError
from dpspin_audits import files


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_a_folder_appears_only_when_published_and_leaves_no_trace_otherwise(tmp_path):
    with files.Staging(tmp_path / "out") as staging:
        staging.put({"a": b"1"})
        assert not (tmp_path / "out").exists()
    assert names(tmp_path) == []
    with files.Staging(tmp_path / "out") as staging:
        staging.put({"a": b"1"})
        staging.put({"b": b"2"}, "inner")
        staging.publish()
    assert (tmp_path / "out" / "inner" / "b").read_bytes() == b"2"
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize(("mode", "of_files"), [(0o755, 0o644), (0o700, 0o600)])
def test_files_are_open_to_whom_their_folder_is(tmp_path, mode, of_files):
    with files.Staging(tmp_path / "out", mode) as staging:
        staging.put({"a": b"1"})
        staging.publish()
    found = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out", tmp_path / "out" / "a")]
    assert found == [mode, of_files]


@pytest.mark.parametrize("kind", ["folder", "file", "dangling link"])
def test_a_taken_place_is_refused(tmp_path, kind):
    place = tmp_path / "out"
    {"folder": place.mkdir, "file": place.touch, "dangling link": lambda: place.symlink_to("nowhere")}[kind]()
    with pytest.raises(UsageError, match="exists already"):
        files.check_free(place)


def test_an_older_result_is_replaced_and_anything_foreign_is_kept(tmp_path):
    place, ours = tmp_path / "out", frozenset({"a"})
    place.mkdir()
    (place / "a").write_bytes(b"old")
    with files.Staging(place) as staging:
        staging.put({"a": b"new"})
        staging.publish(replace=ours)
    assert (place / "a").read_bytes() == b"new"
    (place / "thesis.tex").write_bytes(b"precious")
    with files.Staging(place) as staging:
        staging.put({"a": b"newer"})
        with pytest.raises(UsageError, match=r"thesis\.tex"):
            staging.publish(replace=ours)
    assert names(place) == ["a", "thesis.tex"]
    assert names(tmp_path) == ["out"]


@pytest.fixture
def small_disk():
    """Files stop at 1,000 bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_leaves_nothing(tmp_path):
    with files.Staging(tmp_path / "out") as staging, pytest.raises(UsageError, match="nothing was left"):
        staging.put({"a": b"x" * 5000})
    assert names(tmp_path) == []


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_leaves_an_older_file_as_it_was(tmp_path):
    path = tmp_path / "page"
    files.write(path, b"old")
    with pytest.raises(UsageError, match="page"):
        files.write(path, b"x" * 5000)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["page"]


def test_an_unreadable_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nothing\.json: cannot be read \(No such file"):
        files.read(tmp_path / "nothing.json")


def test_a_place_under_a_file_is_refused_at_once(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"), files.Staging(tmp_path / "file" / "out"):
        pass


def test_a_folder_is_read_with_everything_that_lies_in_it(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / ".hidden").write_bytes(b"2")
    (tmp_path / "inner").mkdir()
    assert files.read_folder(tmp_path) == {".hidden": b"2", "a": b"1", "inner/": b""}
    with pytest.raises(UsageError, match="nowhere: cannot be read"):
        files.read_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["../beside", "/absolute", "inner/file", "..", "", "a\0b"])
def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_written(tmp_path, name):
    with files.Staging(tmp_path / "out") as staging:
        with pytest.raises(UsageError, match="not the name of a file"):
            staging.put({"good": b"1", name: b"2"})
        staging.publish()
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == []
