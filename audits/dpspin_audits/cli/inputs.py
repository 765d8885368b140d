"""What several commands take: a deployment (or the embedded one), a corpus, a seed."""

import re
from pathlib import Path
from typing import Any, BinaryIO

import click

from dpspin import pipeline
from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin_audits import files

EMBEDDED = "the embedded deployment"


def setting_of(path: Path | None) -> pipeline.Setting:
    """A deployment file with what it names, or the embedded deployment.

    Raises:
        UsageError, IntegrityError: as `pipeline.load`.
    """
    if path is None:
        known = embedded.files()
        return pipeline.load(known["deployment.yaml"], EMBEDDED, known.__getitem__)
    return pipeline.load(files.read(path), str(path), lambda name: files.read(path.parent / name))


def open_corpus(path: Path) -> BinaryIO:
    """A corpus, opened once so that what is checked is what is read.

    Raises:
        UsageError: when it cannot be opened.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name a readable file") from error


class Seed(click.ParamType[bytes]):
    """Hexadecimal bytes."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """From text to bytes."""
        if isinstance(value, bytes):
            return value
        if not re.fullmatch(r"([0-9a-fA-F]{2}){1,64}", value):
            self.fail(f"{value!r} is not 1 to 64 bytes in hexadecimal, such as 5e1f08a94b7d22c2", param, ctx)
        return bytes.fromhex(value)
