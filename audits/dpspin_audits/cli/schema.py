"""`dpspin schema`: the published JSON Schemas."""

import json

import click

from dpspin.decoder import claims_file
from dpspin.deployment import Deployment
from dpspin.plan_file import PlanFile
from dpspin_audits import evidence
from dpspin_audits.protocol import schema as protocol

SCHEMAS = {
    "claims": claims_file.schema,
    "deployment": Deployment.model_json_schema,
    "evidence": evidence.schema,
    "plan": PlanFile.model_json_schema,
    "protocol": protocol.schema,
}


@click.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of a file format."""
    click.echo(json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False))
