"""Evidence in, one HTML page out: the view is computed by `model`, printed by the templates of `dpspin_templates`."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from dpspin import canonical
from dpspin_audits.report import certificates, model, transcript, tree


def environment() -> Environment:
    """The template engine: what is undefined is an error, and every value is escaped."""
    return Environment(
        loader=PackageLoader("dpspin_templates", "."),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(evidence: bytes | dict[str, Any]) -> str:
    """The report of an evidence file, given as its bytes or as the tree that they hold.

    The same evidence gives the same page, byte for byte.

    Raises:
        UsageError: naming the field, when the evidence is not `dpspin-evidence/1`.
        IntegrityError: when it holds a certificate that the stand-alone checker refuses, or a text of another digest.
    """
    found = canonical.loads(evidence, "evidence.json") if isinstance(evidence, bytes) else evidence
    data = evidence if isinstance(evidence, bytes) else canonical.dumps(evidence)
    root = tree.opened(found)
    certificates.verified(root)
    transcript.verified(root)
    report = model.view(root, canonical.digest(data))
    return environment().get_template("report.html.j2").render(report=report)
