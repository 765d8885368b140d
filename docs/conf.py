"""The documentation as a site: `make docs` builds it with Sphinx, and every warning is an error."""

import re
from pathlib import Path

from dpspin import __version__

project = "dpspin"
version = release = __version__
language = "en-GB"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.apidoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["examples", "reference/api/*/modules.rst"]

html_theme = "furo"
html_title = "dpspin"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_extra_path = [f"../tests/golden/report-{kind}.html" for kind in ("pass", "fail", "gaussian-user")]
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"

myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
autodoc_typehints = "description"
autodoc_member_order = "bysource"
add_module_names = False
toc_object_entries = False
suppress_warnings = ["ref.python"]  # fields of several classes have one name; no link is better than a wrong one
apidoc_modules = [
    {"path": "../reference/dpspin", "destination": "reference/api/reference", "separate_modules": True},
    {
        "path": "../audits/dpspin_audits",
        "destination": "reference/api/audits",
        "separate_modules": True,
        "exclude_patterns": [f"../audits/dpspin_audits/{name}/*" for name in ("cli", "report", "zoo")],
    },
]

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
APART = re.compile(r"(``[^`]*``)|(\||(?<=\w)_(?!\w))")
ITEM = re.compile(r"(?m)^(\s*)(\d+)\. ")


def spell(_app, _what, _name, _obj, _options, lines):
    """Docstrings are plain text with code in backticks: what reStructuredText would take for markup is escaped.

    Indented paragraphs are formulas, and keep their shape.
    """
    paragraphs = "\n".join(lines).split("\n\n")
    for at, text in enumerate(paragraphs):
        if at and text.startswith("    "):
            continue
        marked = CODE.sub(lambda found: "``" + " ".join(found[1].split()) + r"``\ ", text)
        marked = APART.sub(lambda found: found[1] or "\\" + found[2], ITEM.sub(r"\1* \2\\. ", marked))
        leads = "".join(paragraphs[at + 1 : at + 2]).startswith("    ")
        paragraphs[at] = marked + (":" if marked.endswith(":") else "\n\n::") * leads
    lines[:] = "\n\n".join(paragraphs).split("\n")


HEADS = re.compile(r"<thead>(?:\s|<tr[^>]*>|</tr>|<th[^>]*>|</th>|<p>|</p>)*</thead>")
REACHABLE = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer', '<aside aria-label="Site" class="sidebar-drawer'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<th class="head"><p></p></th>', "<td></td>"),
    ("\n          \n<noscript>", "\n<h1>Search</h1>\n<noscript>"),
)
"""What the theme writes, and what readers without a mouse or without sight need in its place.

Nothing stands in its own replacement, so that a page may be treated twice.
"""


def reach(app, error):
    """Make every page of the site fit for keyboards and screen readers; what was done once is not done again."""
    for page in () if error else Path(app.outdir).rglob("*.html"):
        if page.name.startswith("report-"):
            continue
        text = HEADS.sub("", page.read_text(encoding="utf-8"))
        for old, new in REACHABLE:
            text = text.replace(old, new)
        page.write_text(text, encoding="utf-8")


def setup(app):
    """Docstrings are read by `spell` before napoleon reads their sections."""
    app.connect("autodoc-process-docstring", spell, priority=400)
    app.connect("build-finished", reach)
