"""Any declared source, read from the folder of data."""

from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from dpspin.errors import UsageError
from dpspin_experiments.sources import amazon, cfpb, embedded, yelp
from dpspin_experiments.sources.gathering import Gathered

ONE_FILE = {"amazon": amazon.read, "cfpb": cfpb.read}


def read(kind: str, folder: Path, *files: str) -> Gathered:
    """Entries of a source of one file, or of two for yelp: reviews, then businesses.

    Raises:
        UsageError: when a file cannot be read.
    """
    with ExitStack() as stack:
        streams = [stack.enter_context(_opened(folder / name)) for name in files]
        if kind == "yelp":
            return yelp.read(streams[0], files[0], yelp.businesses(streams[1], files[1]))
        return ONE_FILE[kind](streams[0], files[0])


def invented(records: int) -> Gathered:
    """Entries of the embedded source."""
    return embedded.read(records)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name the folder of data") from error
