"""`dpspin schema`: the published JSON Schemas."""

import json

import click

from dpspin.deployment import Deployment
from dpspin_audits import evidence

SCHEMAS = {"deployment": Deployment.model_json_schema, "evidence": evidence.schema}


@click.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of a file format."""
    click.echo(json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False))
