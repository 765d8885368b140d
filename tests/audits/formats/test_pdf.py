"""The PDF: tagged PDF/UA, the same bytes every time, no clock, and what to install where something is missing."""

import os
import re
import zlib

import pytest

from dpspin.errors import UsageError
from dpspin_audits.formats import pdf
from dpspin_audits.report import render

PAGE = '<!doctype html><html lang="en"><head><title>T</title></head><body><h1>Head</h1><p>x\u202ey</p></body></html>'


@pytest.fixture(scope="module")
def printed():
    try:
        return pdf.encode(PAGE)
    except UsageError as error:
        pytest.skip(str(error))


def streams(data):
    """Every compressed stream, and what stands between them."""
    yield data
    for found in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            yield zlib.decompress(found)
        except zlib.error:
            continue


def test_it_is_tagged_and_says_what_it_follows(printed):
    whole = b"".join(streams(printed))
    assert printed.startswith(b"%PDF-")
    assert b"pdfuaid:part" in whole
    assert b"/StructTreeRoot" in whole
    assert b"/MarkInfo" in whole
    assert b"/JavaScript" not in whole


def test_the_bytes_repeat_and_no_clock_is_read(printed, monkeypatch):
    assert pdf.encode(PAGE) == printed
    monkeypatch.setenv(pdf.EPOCH, "86400")
    assert pdf.encode(PAGE) == pdf.encode(PAGE)
    assert os.environ[pdf.EPOCH] == "86400"
    monkeypatch.delenv(pdf.EPOCH)
    assert pdf.encode(PAGE) == printed
    assert pdf.EPOCH not in os.environ


def test_a_page_that_asks_for_something_is_refused(printed):
    asking = PAGE.replace("<p>", '<img src="file:///etc/hostname" alt=""><p>')
    with pytest.raises(UsageError, match="asks for something outside"):
        pdf.encode(asking)


def test_a_whole_report_prints_on_numbered_pages(printed, invented):
    data = pdf.encode(render.render(invented("fail").tree))
    pages = len(re.findall(rb"/Type /Page\b", b"".join(streams(data))))
    assert 5 <= pages <= 40


@pytest.mark.parametrize(
    ("error", "remedy"), [(ImportError("no"), "dpspin\\[pdf\\]"), (OSError("libpango"), "libpango-1.0-0")]
)
def test_a_missing_library_says_what_to_install(monkeypatch, error, remedy):
    def fail(name):
        raise error

    monkeypatch.setattr(pdf, "import_module", fail)
    with pytest.raises(UsageError, match=remedy) as found:
        pdf.encode(PAGE)
    assert found.value.exit_code == 2
