"""A page that the code or the pages cite is shipped."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"\b[A-Za-z0-9_-]+\.md\b")
SOURCES = [
    path
    for folder in ("reference", "audits", "proofs", "templates", "docs", ".")
    for path in ((ROOT / folder).rglob("*") if folder != "." else ROOT.glob("*.md"))
    if path.suffix in {".py", ".md", ".lark", ".j2", ".yaml"}
]


def missing(text):
    """Cited pages that are neither at the top, nor under docs/."""
    return [name for name in CITED.findall(text) if not any(ROOT.glob(name)) and not any((ROOT / "docs").rglob(name))]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_cited_page_is_shipped(path):
    assert missing(path.read_text(encoding="utf-8")) == []


def test_a_page_that_is_not_there_is_found():
    assert missing("see nowhere.md and README.md") == ["nowhere.md"]
