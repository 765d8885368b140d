"""Folders are read without following, and everything that no release has is named."""

import os

import pytest

from dpspin.errors import UsageError
from dpspin_audits.verify import folder


@pytest.fixture
def place(tmp_path, bundle):
    for name, data in bundle.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o644)
    return tmp_path


def rules(place):
    return {(f.file, f.rule) for f in folder.read(place)[1]}


def test_a_bundle_is_read_without_finding(place, bundle):
    assert folder.read(place) == (bundle, [])


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o444])
def test_ordinary_modes_are_no_finding(place, mode):
    (place / "plan.json").chmod(mode)
    assert rules(place) == set()


@pytest.mark.parametrize("mode", [0o755, 0o666, 0o4644, 0o646])
def test_other_modes_are_found(place, mode):
    (place / "plan.json").chmod(mode)
    assert [(f.rule, f.found) for f in folder.read(place)[1]] == [("mode", f"mode {mode:04o}")]


@pytest.mark.parametrize(("name", "rule", "words"), [
    ("metrics.json", "unknown file", "curator's metrics"), ("notes", "unknown file", "(unknown)"),
    (".DS_Store", "hidden file", ""), ("seed.txt", "unknown file", "seed"), ("plan.json~", "unknown file", ""),
    ("timings.json", "unknown file", "time stamp"), ("n_records", "unknown file", "record count"),
    ("private_plan.json", "unknown file", "the paper's name of plan.json"), ("corpus.sha256", "unknown file", "digest"),
])  # fmt: skip
def test_other_files_are_named_with_what_they_seem_to_hold(place, name, rule, words):
    (place / name).write_bytes(b"{}")
    found = folder.read(place)[1]
    assert [(f.file, f.rule) for f in found] == [(name, rule)]
    assert words in found[0].found


def test_links_folders_and_pipes_are_not_read(place, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "plan.json"
    (place / "plan.json").rename(elsewhere)
    (place / "plan.json").symlink_to(elsewhere)
    (place / "universe.json").unlink()
    (place / "universe.json").mkdir()
    (place / "summary.txt").unlink()
    os.mkfifo(place / "summary.txt")
    (place / "loop").symlink_to(place)
    files, found = folder.read(place)
    assert sorted(files) == ["deployment.yaml", "transcript.jsonl"]
    assert {(f.file, f.rule) for f in found} == {
        ("plan.json", "link"), ("universe.json", "folder"), ("summary.txt", "special file"), ("loop", "unknown file"),
        ("loop", "link"),
    }  # fmt: skip


def test_a_file_too_large_is_not_read(place, monkeypatch):
    monkeypatch.setattr(folder, "LARGEST", (place / "plan.json").stat().st_size)
    (place / "plan.json").write_bytes((place / "plan.json").read_bytes() + b" ")
    files, found = folder.read(place)
    assert "plan.json" not in files
    assert ("plan.json", "too large") in {(f.file, f.rule) for f in found}


def test_a_missing_file_is_named(place):
    (place / "universe.json").unlink()
    assert rules(place) == {("universe.json", "missing file")}


def test_what_is_no_bundle_is_refused(tmp_path):
    with pytest.raises(UsageError, match="not a release bundle"):
        folder.read(tmp_path)
    (tmp_path / "private_plan.json").write_text("{}")  # the paper's name of a plan: read, for `foreign` to judge
    assert folder.read(tmp_path) == ({"private_plan.json": b"{}"}, [])
    with pytest.raises(UsageError, match="No such file"):
        folder.read(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="Not a directory"):
        folder.read(tmp_path / "private_plan.json")
