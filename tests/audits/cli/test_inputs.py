"""What commands take."""

import click
import pytest

from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.cli import inputs


def test_without_a_path_the_embedded_deployment_is_loaded(folder):
    assert inputs.setting_of(None).deployment == inputs.setting_of(folder / "deployment.yaml").deployment


def test_files_are_looked_for_beside_the_deployment(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (folder / "universe.json").write_bytes(b"{}")
    with pytest.raises(IntegrityError, match=r"universe\.json"):
        inputs.setting_of(folder / "deployment.yaml")


def test_a_corpus_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(UsageError, match="nothing: cannot be read"):
        inputs.open_corpus(tmp_path / "nothing")


@pytest.mark.parametrize("text", ["", "0", "0g", "00" * 65])
def test_a_seed_is_whole_bytes_in_hexadecimal(text):
    with pytest.raises(click.BadParameter):
        inputs.Seed().convert(text, None, None)
    assert inputs.Seed().convert("00ff", None, None) == b"\x00\xff"
