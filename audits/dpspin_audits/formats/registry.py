"""An entry of the Differential Privacy Deployments Registry, as far as evidence fills it in, field by field.

The fields are those of the public template (`report.registry`).  Each is assessed, assessed in part, declared or not
assessed; a deployer adds what no audit can know, and the registry's own reviewers decide.
"""

import json
from importlib.resources import files
from typing import Any

from dpspin import canonical
from dpspin.decimals import exact
from dpspin.errors import printable
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.report import registry
from dpspin_audits.report.prose import plain
from dpspin_audits.report.registry import Entry

SCHEMA = "dpspin-registry/1"
TEMPLATE = "opendp/deployments-registry-data: schemas/deployments-schema.yaml"


def schema() -> dict[str, Any]:
    """The JSON Schema of an entry."""
    tree: dict[str, Any] = json.loads(files("dpspin_audits.formats").joinpath("registry.schema.json").read_bytes())
    return tree


def encode(evidence: Evidence) -> bytes:
    """The entry as canonical JSON."""
    entries = registry.entries(evidence.case)
    epsilon, delta = evidence.case.exposed
    parameters = {"epsilon": exact(epsilon), "delta": exact(delta)}
    tree = {
        "schema": SCHEMA,
        "template": TEMPLATE,
        "evidence_sha256": evidence.digest,
        "verdict": evidence.root.text("verdict"),
        "stamp": evidence.root.maybe_text("stamp"),
        "privacy_parameters": parameters,
        "fields": [_field(entry) for entry in entries],
    }
    return canonical.dumps(tree)


def _field(entry: Entry) -> dict[str, Any]:
    covered = entry.coverage
    return {
        "path": entry.field.path,
        "title": entry.field.title,
        "tier": entry.field.tier,
        "value": printable(plain(entry.value).replace("\u00a0", " ")) if entry.value else None,
        "state": covered.state,
        "result": covered.status or None,
        "checks": [printable(check.id) for check in covered.answered],
        "without_answer": [printable(name) for name in covered.silent],
    }
