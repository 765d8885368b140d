"""Pages in Chromium, driven by Playwright: what they load, what they print to the console, what axe-core finds."""

import os
import re
import shutil
import zlib
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import sync_playwright

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync")
CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium():
    """One browser for all pages of a worker."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on PATH: install the Debian package")
        pytest.skip("no chromium on PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


class Opened:
    """A page from disk, with what it asked for and what it complained about."""

    def __init__(self, page, path):
        self.page, self.requests, self.complaints = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path.as_uri())

    @property
    def strangers(self):
        """Requests for anything that is not a file."""
        return [url for url in self.requests if not url.startswith(("file:", "data:"))]

    @property
    def overflow(self):
        """Pixels by which the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def barriers(self):
        """What axe-core finds, each with the first element concerned."""
        self.page.evaluate(AXE)
        found = self.page.evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
        return [f"{one['id']}: {len(one['nodes'])} x {one['nodes'][0]['html'][:160]}" for one in found]


@pytest.fixture
def opened(chromium):
    """Opens a page in a scheme of colours and a width; a policy of the page does not keep axe-core out."""
    contexts = []

    def open_page(path, scheme="light", width=1280):
        context = chromium.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 860}, bypass_csp=True, offline=True
        )
        contexts.append(context)
        return Opened(context.new_page(), path)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def sheets():
    """Counts pieces of text on each sheet of a PDF that Chromium made, in the order of the sheets; a foot has a few."""

    def count(pdf):
        found = dict(re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL))
        pages = [body for body in found.values() if re.search(rb"/Type\s*/Page\b(?!s)", body)]
        contents = [re.search(rb"/Contents (\d+) 0 R", body)[1] for body in pages]
        streams = [found[number].partition(b"stream\n")[2].removesuffix(b"\nendstream") for number in contents]
        return [len(re.findall(rb"T[jJ]\b", zlib.decompress(stream))) for stream in streams]

    return count
