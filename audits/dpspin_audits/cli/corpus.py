"""`dpspin corpus`: public files of a deployment from auxiliary text."""

from fractions import Fraction
from pathlib import Path

import click

from dpspin import canonical, universe
from dpspin.corpus import build, jsonl, representation, split
from dpspin.errors import UsageError
from dpspin_audits.cli.inputs import open_corpus
from dpspin_audits.files import Staging, check_free


@click.group()
def corpus() -> None:
    """Build the public files of a deployment from auxiliary text."""
