"""`dpspin`: the group of commands, and the one place where errors become lines and exit codes."""

import os
import signal
import sys
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

import click

from dpspin import __version__
from dpspin.errors import DpspinError

COMMANDS = {
    "account": (
        "dpspin_audits.cli.account:account",
        "Certify noise scales, check certificates, judge others' numbers.",
    ),
    "attest": ("dpspin_audits.cli.attest:attest", "Sign what an audit found, and verify such a statement elsewhere."),
    "audit": ("dpspin_audits.cli.audit:audit", "Judge an implementation and write an evidence file and a report."),
    "conform": ("dpspin_audits.cli.conform:conform", "Run the conformance vectors on an implementation."),
    "corpus": (
        "dpspin_audits.cli.corpus:corpus",
        "Prepare records, and build the public files of a deployment from auxiliary text.",
    ),
    "prove": ("dpspin_audits.cli.prove:prove", "Prove the theorems about the running kernel; needs Coq."),
    "release": ("dpspin_audits.cli.release:release", "Release a plan of a corpus and a summary of the plan."),
    "report": ("dpspin_audits.cli.report:report", "Make reports of evidence files, compare audits, explain checks."),
    "schema": ("dpspin_audits.cli.schema:schema", "Print the JSON Schema of a file format."),
    "verify": ("dpspin_audits.cli.verify:verify", "Verify a release bundle, or texts against plans."),
}

ADDED = "dpspin.commands"
"""Entry points of commands that stand above this package, which therefore may not import them."""
ADDED_TEXTS = {"experiment": "Run the paper's evaluation; show its claims beside what was measured."}


def added() -> dict[str, EntryPoint]:
    """The commands of other packages, by name; nothing is imported for this."""
    return {point.name: point for point in entry_points(group=ADDED) if point.name in ADDED_TEXTS}


class Commands(click.Group):
    """Imports a command when it is used, so that help does not wait for numpy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands."""
        return sorted({*COMMANDS, *added()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself."""
        if cmd_name in COMMANDS:
            module, attribute = COMMANDS[cmd_name][0].split(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        point = added().get(cmd_name) if cmd_name in ADDED_TEXTS else None
        found: click.Command | None = point.load() if point else None
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, without importing anything."""
        texts = {name: text for name, (_, text) in COMMANDS.items()} | {name: ADDED_TEXTS[name] for name in added()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(texts.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpspin")
def group() -> None:
    """Release differentially private semantic plans, and judge what an implementation of them really guarantees.

    Without a deployment, the embedded synthetic one is used.

    Exit codes: 0 pass; 1 finding; 2 usage or configuration; 3 no answer yet; 4 the implementation under audit crashed
    or broke the protocol; 5 digest mismatch; 70 internal error.
    """


def main() -> None:
    """Run the command line; every error that is ours is one line on stderr and a documented exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary folders are removed on the way out
    try:
        status = group.main(prog_name="dpspin", standalone_mode=False)
    except DpspinError as error:
        click.echo(f"dpspin: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("dpspin: stopped", err=True)
        sys.exit(130)
    except Exception as error:
        if os.environ.get("DPSPIN_DEBUG"):
            raise
        click.echo(f"dpspin: internal error ({type(error).__name__}); set DPSPIN_DEBUG=1 to see where", err=True)
        sys.exit(70)
    sys.exit(status if isinstance(status, int) else 0)
