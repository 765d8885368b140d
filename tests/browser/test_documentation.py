"""The documentation as a site, opened from disk: complete, linked, without requests and without barriers."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import dpspin
from dpspin_audits.report import terms

ROOT = Path(__file__).parents[2]
LOOKED_AT = ("index", "tutorial", "audit", "privacy-model", "statistics", "findings", "glossary", "reference/cli",
             "reference/api/reference/dpspin.kernel", "search")  # fmt: skip


def build(source, out, read=None):
    """Sphinx, as `make docs` calls it; what it has read is kept."""
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--doctree-dir", read or out.parent / "doctrees"]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, source, out],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="session")
def site(once):
    """The site, built once in a run; all is read again where conf.py changed."""

    def make(out):
        read = ROOT / "build" / "doctrees"
        known = read / "environment.pickle"
        if known.exists() and known.stat().st_mtime < (ROOT / "docs" / "conf.py").stat().st_mtime:
            shutil.rmtree(read)  # Sphinx does not see that functions of conf.py changed
        done = build(ROOT / "docs", out, read)
        assert done.returncode == 0, done.stderr

    return once("site", make)


class Links(HTMLParser):
    """Targets and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = set(), {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.targets |= {found[name] for name in ("href", "src") if found.get(name)}


def broken(site):
    """Links within the site that lead nowhere, as (page, target)."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    wrong = []
    for path, links in pages.items():
        for target in links.targets:
            if re.match(r"[a-z]+:", target):
                continue
            address, anchor = urldefrag(target)
            file = address.partition("?")[0]
            goal = (path.parent / unquote(file)).resolve() if file else path
            if not goal.exists() or (goal in pages and unquote(anchor) not in pages[goal].anchors):
                wrong.append((str(path.relative_to(site)), target))
    return wrong


def test_every_link_leads_somewhere(site):
    assert broken(site) == []


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "one.html").write_text('<a href="two.html#here">x</a><a href="#top">x</a><a href="gone.html">x</a>')
    (tmp_path / "two.html").write_text('<p id="there">x</p>')
    assert sorted(broken(tmp_path)) == [("one.html", "#top"), ("one.html", "gone.html"), ("one.html", "two.html#here")]


def test_a_warning_stops_the_build(tmp_path):
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser"]\n')
    (tmp_path / "index.md").write_text("# Title\n\nSee [a page](nowhere.md).\n")
    done = build(tmp_path, tmp_path / "out")
    assert (done.returncode, "nowhere.md" in done.stderr) == (1, True)


def test_every_page_of_the_folder_is_in_the_site(site):
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    kept = [page for page in pages if page.parts[0] != "examples"]
    assert [str(page) for page in kept if not (site / page.with_suffix(".html")).exists()] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_has_no_barriers(site, opened, name, scheme):
    page = opened(site / f"{name}.html", scheme)
    assert (page.strangers, page.complaints) == ([], [])
    assert page.barriers() == []


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_fits_a_narrow_screen_without_barriers(site, opened, name):
    page = opened(site / f"{name}.html", width=320)
    assert page.overflow <= 0
    assert page.barriers() == []


def test_a_search_from_disk_finds_a_page(site, opened):
    found = opened(site / "search.html").page
    found.goto((site / "search.html").as_uri() + "?q=tripwire")
    found.wait_for_selector("ul.search li a", timeout=20_000)
    assert found.locator("ul.search li").count() >= 1


def test_print_has_no_blank_sheet(site, chromium, sheets):
    page = chromium.new_page()
    page.goto((site / "tutorial.html").as_uri())
    printed = sheets(page.pdf())
    page.close()
    assert len(printed) > 1
    assert min(printed) > 0


def test_the_glossary_is_that_of_the_reports():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for name, words in terms.known():
        before, _, after = words.replace("{made}", terms.FIXED).partition("{not_a_person}")
        assert f"**{name.rstrip('.')}**\n: {before}" in page
        assert after.partition("{groups})")[2] in page
    assert page.count("\n: ") == len(terms.known())


def test_the_citation_names_the_version_that_is_here():
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {dpspin.__version__}" in lines
    assert {"cff-version: 1.2.0", "license: Apache-2.0"} < set(lines)
