"""The report in a real browser: it renders in light, dark and print, loads nothing, and fits every screen.

The golden pages stand for the report; `tests/audits/report/test_render.py` holds them equal to what is rendered.
"""

import os
import re
import shutil
import struct
import subprocess
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {kind: ROOT / "tests" / "golden" / f"report-{kind}.html" for kind in ("pass", "fail", "gaussian-user")}
CSS = (ROOT / "templates" / "dpspin_templates" / "report.css").read_text(encoding="utf-8")
CHROMIUM = shutil.which("chromium")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--no-pdf-header-footer",
)  # fmt: skip
DARK, LIGHT = "--blink-settings=preferredColorScheme=0", "--blink-settings=preferredColorScheme=1"
FULL = 200
"""Pieces of text on a sheet that is not blank; its foot alone has fewer than half of that."""
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
MEASURE = """<script>addEventListener("load", () => {
  const outside = e => !e.closest(".scroll, svg, .skip, thead") && e.getBoundingClientRect().right > innerWidth + 1;
  const beyond = [...document.querySelectorAll("header *, nav *, main *")].filter(outside).length;
  const bottom = Math.ceil(document.querySelector("header").getBoundingClientRect().bottom);
  parent.postMessage([document.documentElement.scrollWidth, innerWidth, bottom, beyond].join(" "), "*");
});</script>"""
FRAME = """<!doctype html><script>onmessage = m => { document.documentElement.dataset.measured = m.data; };</script>
<iframe src="copy.html" style="border:0;width:WIDTHpx;height:860px"></iframe>"""


@pytest.fixture
def browse(tmp_path):
    """Runs Chromium with a fresh profile; gives its standard output and error."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on PATH: install the Debian package")
        pytest.skip("no chromium on PATH")

    def run(url, *options):
        profile = tmp_path / "profile"
        command = [CHROMIUM, *QUIET, f"--user-data-dir={profile}", *options, str(url)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        shutil.rmtree(profile, ignore_errors=True)
        return done.stdout, done.stderr

    return run


def first_pixel(png):
    """The colour of the upper left pixel of an eight-bit PNG."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    return "#" + zlib.decompress(packed)[1:4].hex()


def paper(scheme):
    """The page's ground in a colour scheme."""
    light, dark = re.findall(r"--paper: (#[0-9a-f]{6});", CSS)
    return dark if scheme == DARK else light


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_the_page_follows_the_colour_scheme(browse, tmp_path, scheme):
    shot = tmp_path / "shot.png"
    browse(PAGES["pass"].as_uri(), scheme, "--window-size=1280,860", f"--screenshot={shot}")
    assert first_pixel(shot) == paper(scheme)
    assert paper(DARK) != paper(LIGHT)


def test_the_page_prints_on_a_few_sheets_and_white_even_in_the_dark(browse, sheets, tmp_path):
    sizes = []
    for scheme in (LIGHT, DARK):
        sheet = tmp_path / "report.pdf"
        browse(PAGES["fail"].as_uri(), scheme, f"--print-to-pdf={sheet}")
        data = sheet.read_bytes()
        assert data.startswith(b"%PDF")
        printed = sheets(data)
        assert 4 <= len(printed) <= 24
        assert min(printed) >= FULL
        sizes.append(len(data))
    assert abs(sizes[0] - sizes[1]) < 200


def test_an_empty_sheet_is_seen(browse, sheets, tmp_path):
    page = PAGES["pass"].read_text(encoding="utf-8")
    blank = '<div style="break-before:page;height:1px"></div><div style="break-before:page"></div></main>'
    (tmp_path / "blank.html").write_text(page.replace("</main>", blank), encoding="utf-8")
    browse((tmp_path / "blank.html").as_uri(), LIGHT, f"--print-to-pdf={tmp_path / 'blank.pdf'}")
    assert min(sheets((tmp_path / "blank.pdf").read_bytes())) < FULL


def test_what_is_folded_on_the_screen_is_printed(browse, sheets, tmp_path):
    page = PAGES["pass"].read_text(encoding="utf-8")
    without = re.sub(r'<details class="seen">.*?</details>', "", page, flags=re.DOTALL)
    lines = []
    for name, text in (("whole", page), ("without", without)):
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        browse((tmp_path / f"{name}.html").as_uri(), LIGHT, f"--print-to-pdf={tmp_path / name}.pdf")
        lines.append(sum(sheets((tmp_path / f"{name}.pdf").read_bytes())))
    assert lines[0] > lines[1] + page.count('<details class="seen">')


def measured(browse, tmp_path, page, width):
    """Width needed and given, end of the first screen, number of elements that stick out.

    Measured in a copy that may run a script, inside a frame: a window cannot be narrower than 500 pixels.
    """
    copy = POLICY.sub("", page).replace("</head>", MEASURE + "</head>")
    (tmp_path / "copy.html").write_text(copy, encoding="utf-8")
    outer = tmp_path / "frame.html"
    outer.write_text(FRAME.replace("WIDTH", str(width)), encoding="utf-8")
    out, _ = browse(outer.as_uri(), LIGHT, "--window-size=1400,900", "--virtual-time-budget=2000", "--dump-dom")
    values = re.search(r'data-measured="(\d+) (\d+) (\d+) (\d+)"', out)
    assert values, "the page was not measured"
    return [int(value) for value in values.groups()]


@pytest.mark.parametrize("kind", sorted(PAGES))
@pytest.mark.parametrize("width", [320, 800, 1280])
def test_nothing_sticks_out_sideways(browse, tmp_path, kind, width):
    scroll, inner, _, beyond = measured(browse, tmp_path, PAGES[kind].read_text(encoding="utf-8"), width)
    assert inner == width
    assert scroll <= inner
    assert beyond == 0


@pytest.mark.parametrize("kind", sorted(PAGES))
def test_the_first_screen_fits(browse, tmp_path, kind):
    _, _, bottom, _ = measured(browse, tmp_path, PAGES[kind].read_text(encoding="utf-8"), 1280)
    assert bottom <= 860


def test_the_measure_sees_what_sticks_out(browse, tmp_path):
    page = PAGES["pass"].read_text(encoding="utf-8").replace("<main>", '<main><p style="width:900px">wide</p>')
    scroll, inner, _, beyond = measured(browse, tmp_path, page, 320)
    assert scroll > inner
    assert beyond >= 1


class Host:
    """A server on this machine that gives one page and notes every request."""

    def __init__(self, page):
        paths = self.paths = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page.encode() if self.path == "/report.html" else b"")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/report.html"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def requests(browse, page, *options):
    """Paths that Chromium asks for when it opens a page, and what it says on its console."""
    host = Host(page)
    try:
        _, log = browse(host.url, "--enable-logging=stderr", "--virtual-time-budget=3000", *options)
    finally:
        host.close()
    return host.paths, [line for line in log.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize("kind", sorted(PAGES))
def test_the_page_loads_nothing_on_screen_and_in_print(browse, tmp_path, kind):
    page = PAGES[kind].read_text(encoding="utf-8")
    for option in ("--dump-dom", f"--print-to-pdf={tmp_path / 'x.pdf'}"):
        paths, console = requests(browse, page, option)
        assert set(paths) == {"/report.html"}
        assert console == []


def test_the_policy_stops_what_the_host_would_otherwise_see(browse):
    page = PAGES["pass"].read_text(encoding="utf-8").replace("<main>", '<main><img src="/leak.png" alt="">')
    paths, console = requests(browse, page, "--dump-dom")
    assert "/leak.png" not in paths
    assert any("Content Security Policy" in line for line in console)
    paths, _ = requests(browse, POLICY.sub("", page), "--dump-dom")
    assert "/leak.png" in paths


def palette(css):
    """Colour names and values of the light and of the dark scheme."""
    light, dark = (
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    )
    return light, {**light, **dark}


def contrast(one, other):
    """Contrast ratio of two colours (WCAG 2.2)."""

    def luminance(colour):
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1])
def test_all_words_stand_out_from_every_ground(scheme):
    colours = palette(CSS)[scheme]
    words = colours.keys() - {"paper", "faint", "rule"}
    assert len(words) == 11
    weak = {(a, b) for a in words for b in ("paper", "faint") if contrast(colours[a], colours[b]) < 4.5}
    assert weak == set()


def test_the_contrast_of_black_on_white_is_twenty_one():
    assert round(contrast("#000000", "#ffffff"), 6) == 21
    assert contrast("#777777", "#ffffff") < 4.5


def test_print_colours_are_those_of_the_light_scheme():
    macros = (ROOT / "templates" / "dpspin_templates" / "figures.html.j2").read_text(encoding="utf-8")
    print_colours = dict(re.findall(r'"(\w+)": "(#[0-9a-f]{6})"', macros))
    light = palette(CSS)[0]
    assert print_colours == {name: light[name] for name in print_colours} | {"paper": "#ffffff"}
