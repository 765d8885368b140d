"""The formats by name: which file each makes, of one evidence or of many."""

import datetime
from collections.abc import Callable, Iterable, Mapping

from dpspin.errors import UsageError
from dpspin_audits.formats import figures, index, junit, markdown, pdf, registry, sarif
from dpspin_audits.formats.index import Entry
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.report import render


def page(evidence: Evidence) -> bytes:
    """The report as one HTML file."""
    return render.render(evidence.tree).encode()


def printed(evidence: Evidence) -> bytes:
    """The report as PDF."""
    return pdf.encode(render.render(evidence.tree))


OF_ONE: Mapping[str, tuple[str, Callable[[Evidence], bytes]]] = {
    "html": ("report.html", page),
    "markdown": ("report.markdown", markdown.encode),
    "pdf": ("report.pdf", printed),
    "sarif": ("report.sarif", sarif.encode),
    "junit": ("junit.xml", junit.encode),
    "csv": ("figures.csv", figures.encode),
    "registry": ("registry.json", registry.encode),
}
"""Format -> usual name of its file, and its maker."""
OF_MANY: Mapping[str, tuple[str, Callable[[tuple[Entry, ...], datetime.date | None], bytes]]] = {
    "html": ("index.html", index.as_html),
    "csv": ("index.csv", index.as_csv),
    "json": ("index.json", index.as_json),
}
NAMES = (*OF_ONE, "json", "all")


def of_one(evidence: Evidence, formats: Iterable[str]) -> dict[str, bytes]:
    """Files of one audit, by their usual names.

    Raises:
        UsageError: for a format of many audits.
    """
    asked = _asked(formats, tuple(OF_ONE), "one audit")
    return {OF_ONE[name][0]: OF_ONE[name][1](evidence) for name in asked}


def of_many(entries: tuple[Entry, ...], formats: Iterable[str], as_of: datetime.date | None) -> dict[str, bytes]:
    """Files of an index, by their usual names.

    Raises:
        UsageError: for a format of one audit.
    """
    asked = _asked(formats, tuple(OF_MANY), "several audits")
    return {OF_MANY[name][0]: OF_MANY[name][1](entries, as_of) for name in asked}


def _asked(formats: Iterable[str], known: tuple[str, ...], what: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(formats))
    if "all" in names:
        return known
    for name in names:
        if name not in known:
            raise UsageError(f"--format {name}", f"not a format of {what}", f"choose from {', '.join(known)}")
    return names
