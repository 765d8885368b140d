"""Files of `dpspin attest`: bounded reads, folders, keys that are written whole or not at all, passphrases."""

import os
import stat

import click
import pytest

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits.attest import keys
from dpspin_audits.cli import attest_files
from dpspin_audits.cli.attest_files import Given

PAIR = keys.generate(None)


def test_no_more_is_read_than_is_needed_to_refuse(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 1000)
    assert len(attest_files.bounded(tmp_path / "f", 10)) == 11
    assert attest_files.bounded(tmp_path / "f", 1000) == b"x" * 1000
    for read in (lambda path: attest_files.bounded(path, 10), attest_files.digest, attest_files.release_files):
        with pytest.raises(UsageError, match="cannot be read"):
            read(tmp_path / "none")


def test_a_release_is_found_in_a_folder_of_results_or_given_itself(tmp_path):
    release = tmp_path / "release"
    (release / "folder").mkdir(parents=True)
    (release / "plan.json").write_bytes(b"{}")
    (tmp_path / "evidence.json").write_bytes(b"e")
    rows = [("folder/", canonical.digest(b"")), ("plan.json", canonical.digest(b"{}"))]
    for place in (tmp_path, release):
        assert [(row.name, row.sha256) for row in attest_files.release_files(place)] == rows
    beside = attest_files.result_files(tmp_path, {"evidence.json", "report.html"})
    assert [(row.name, row.sha256) for row in beside] == [("evidence.json", canonical.digest(b"e"))]
    assert attest_files.result_files(release, {"plan.json"}) == []


def test_named_files_are_subjects(tmp_path):
    (tmp_path / "f").write_bytes(b"x")
    rows = list(Given(tmp_path / "f", None, None, tmp_path / "f").digests())
    assert [(row.name, row.sha256) for row in rows] == [
        ("evidence.json", canonical.digest(b"x")), ("implementation", canonical.digest(b"x")),
    ]  # fmt: skip


def test_both_files_of_a_key_or_neither(tmp_path, monkeypatch):
    attest_files.write_pair(tmp_path / "a", PAIR)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    link, calls = os.link, []

    def second_fails(*names):
        calls.append(names)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        link(*names)

    monkeypatch.setattr(attest_files.os, "link", second_fails)
    with pytest.raises(UsageError, match=r"b\.pub: cannot be written \(No space left"):
        attest_files.write_pair(tmp_path / "b", PAIR)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.pub"]


def test_a_name_that_was_taken_meanwhile_is_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "key").write_bytes(b"precious")
    monkeypatch.setattr(attest_files, "check_free", lambda path: None)
    with pytest.raises(UsageError, match="File exists"):
        attest_files.write_pair(tmp_path / "key", PAIR)
    assert (tmp_path / "key").read_bytes() == b"precious"
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_dangling_link_is_taken(tmp_path):
    (tmp_path / "key").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="exists already"):
        attest_files.check_free(tmp_path / "key")


def test_a_passphrase_comes_from_the_environment_or_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.delenv(attest_files.PASSPHRASE, raising=False)
    assert attest_files.passphrase(wanted=False) is None
    monkeypatch.setattr(click, "prompt", lambda *_, **options: "typed" if options["hide_input"] else "shown")
    assert attest_files.passphrase(wanted=True) == b"typed"
    locked = keys.generate(b"typed")
    (tmp_path / "key").write_bytes(locked.secret)
    monkeypatch.setattr(attest_files.sys.stdin, "isatty", lambda: True, raising=False)
    assert attest_files.signer(tmp_path / "key").keyid == locked.keyid
    monkeypatch.setenv(attest_files.PASSPHRASE, "told")
    assert attest_files.passphrase(wanted=False) == b"told"
    with pytest.raises(UsageError, match="passphrase is wrong"):
        attest_files.signer(tmp_path / "key")


def test_a_passphrase_in_the_environment_does_not_hinder_an_open_key(tmp_path, monkeypatch):
    monkeypatch.setenv(attest_files.PASSPHRASE, "told")
    (tmp_path / "key").write_bytes(PAIR.secret)
    (tmp_path / "key").chmod(0o600)
    assert attest_files.signer(tmp_path / "key").keyid == PAIR.keyid
