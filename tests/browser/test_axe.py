"""axe-core finds no barrier in any page that we make, in light and dark, wide and narrow."""

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
PAGES = sorted(GOLDEN.glob("*.html"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_report_has_no_barriers(opened, path, scheme):
    page = opened(path, scheme)
    assert page.barriers() == []
    assert (page.strangers, page.complaints) == ([], [])
    assert page.requests == [path.as_uri()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_narrow_report_has_no_barriers(opened, path):
    page = opened(path, width=320)
    assert page.barriers() == []
    assert page.overflow <= 0


PLANTED = {
    "color-contrast": ("</main>", '<p style="color:#ddd;background:#fff">hardly to be read</p></main>'),
    "image-alt": ("</main>", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main>'),
    "html-has-lang": ('<html lang="en">', "<html>"),
}


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_barrier_is_found(opened, tmp_path, rule):
    text = (GOLDEN / "report-pass.html").read_text(encoding="utf-8")
    old, new = PLANTED[rule]
    assert old in text
    (tmp_path / "page.html").write_text(text.replace(old, new), encoding="utf-8")
    assert any(found.startswith(rule) for found in opened(tmp_path / "page.html").barriers())


def test_a_request_and_an_error_are_seen(opened, tmp_path):
    spoilt = '<!doctype html><img src="https://example.org/x.png"><script>throw new Error("planted")</script>'
    (tmp_path / "page.html").write_text(spoilt, encoding="utf-8")
    page = opened(tmp_path / "page.html")
    assert page.strangers == ["https://example.org/x.png"]
    assert any("planted" in text for text in page.complaints)
