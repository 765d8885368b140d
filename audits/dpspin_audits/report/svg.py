"""A drawing as a file of its own."""

from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.render import environment


def svg(drawing: Drawing) -> bytes:
    """The drawing of a curve as an SVG file with a title, a description and both colour schemes; the same bytes for
    the same drawing.
    """
    return environment().get_template("curve.svg.j2").render(d=drawing).encode()
