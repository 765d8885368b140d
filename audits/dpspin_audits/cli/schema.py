"""`dpspin schema`: the published JSON Schemas."""

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

import click

from dpspin.decoder import claims_file
from dpspin.deployment import Deployment
from dpspin.plan_file import PlanFile
from dpspin_audits import evidence
from dpspin_audits.attest.policy import Policy
from dpspin_audits.cli.main import ADDED, added
from dpspin_audits.formats import registry
from dpspin_audits.protocol import schema as protocol

SCHEMAS = {
    "claims": claims_file.schema,
    "deployment": Deployment.model_json_schema,
    "evidence": evidence.schema,
    "plan": PlanFile.model_json_schema,
    "policy": Policy.model_json_schema,
    "protocol": protocol.schema,
    "registry": registry.schema,
}
ADDED_SCHEMAS = {"sweep": "experiment"}
"""Formats of packages above this one, and the command whose module has them, in a mapping SCHEMAS of its own."""


def names() -> list[str]:
    """All formats; nothing is imported for this."""
    return sorted({*SCHEMAS, *(name for name, command in ADDED_SCHEMAS.items() if command in added())})


@click.command()
@click.argument("name", type=click.Choice(names()))
def schema(name: str) -> None:
    """Print the JSON Schema of a file format."""
    make = SCHEMAS[name] if name in SCHEMAS else _added(name)
    click.echo(json.dumps(make(), indent=2, ensure_ascii=False))


def _added(name: str) -> Callable[[], dict[str, Any]]:
    """The maker of a schema of another package, found where its command is found (`main.added`)."""
    module = added()[ADDED_SCHEMAS[name]].module
    found: Callable[[], dict[str, Any]] = EntryPoint(name, f"{module}:SCHEMAS", ADDED).load()[name]
    return found
