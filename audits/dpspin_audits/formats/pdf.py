"""The page as PDF/UA by WeasyPrint, the optional extra `pdf`: tagged, and with the same bytes every time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from dpspin.errors import UsageError

PLACE = "--format pdf"
EPOCH = "SOURCE_DATE_EPOCH"
LIBRARIES = "on Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"


def encode(page: str) -> bytes:
    """A page that loads nothing, printed.

    The bytes follow from the page, the version of WeasyPrint and the fonts that are installed; the clock has no part,
    unless SOURCE_DATE_EPOCH says otherwise.

    Raises:
        UsageError: when WeasyPrint or a library that it needs is not there, saying what to install; when the page asks
            for anything.
    """
    made, urls = _library("weasyprint"), _library("weasyprint.urls")
    nothing = urls.URLFetcher(allowed_protocols=(), fail_on_errors=True)
    with _dated():
        try:
            found: bytes = made.HTML(string=page, url_fetcher=nothing).write_pdf(pdf_variant="pdf/ua-1")
        except urls.FatalURLFetchingError as error:
            raise UsageError(PLACE, "the page asks for something outside", "print our own") from error
    return found


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(PLACE, "WeasyPrint is not installed", "pip install 'dpspin[pdf]'") from error
    except OSError as error:  # it loads Pango when it is imported
        raise UsageError(PLACE, "a library that WeasyPrint needs is missing", f"install Pango ({LIBRARIES})") from error


@contextmanager
def _dated() -> Iterator[None]:
    """Without a date that was asked for, the one at which all clocks begin."""
    before = os.environ.get(EPOCH)
    os.environ.setdefault(EPOCH, "0")
    try:
        yield
    finally:
        if before is None:
            del os.environ[EPOCH]
