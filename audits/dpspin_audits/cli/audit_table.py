"""What `dpspin audit` prints: checks as a table, then the verdict and what stands against it."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dpspin_audits.report.numerals import counted

COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "not_run": "dim", "error": "magenta"}


def show(tree: dict[str, Any], out: Path) -> None:
    """Checks as a table, then the verdict."""
    table = Table(title=f"{tree['subject']['spec']} under {tree['deployment']['name']}", title_justify="left")
    for heading in ("check", "result", "strength", "what was found"):
        table.add_column(heading, overflow="fold")
    rows = [check for check in tree["checks"] if check["required"] or check["status"] != "not_run"]
    for check in rows:
        status = check["status"]
        words = (status.replace("_", " "), check["strength"].replace("_", " "), check["summary"])
        table.add_row(check["id"], Text(words[0], COLOURS[status]), words[1], Text(words[2]))
    console = Console()
    console.print(table)
    measured = tree["accounting"]["measured"]
    found = f"; measured loss at least {measured['epsilon_at_least']}" if measured else ""
    console.print(
        f"claimed epsilon {tree['accounting']['claimed']['epsilon']}, "
        f"accounted {tree['accounting']['accounted']['epsilon']}{found}",
        highlight=False,
    )
    left = len(tree["checks"]) - len(rows)
    console.print(Text.assemble("verdict: ", (tree["verdict"].replace("_", " "), COLOURS[tree["verdict"]])),
                  f"({counted(left, 'further check')} not run; see the report)", highlight=False)  # fmt: skip
    if tree["stamp"]:
        console.print(Text(tree["stamp"], "bold red"))
    if tree["gate"]:
        _gate(console, tree["gate"])
    console.print(f"report: {out / 'report.html'}", highlight=False, soft_wrap=True)


def _gate(console: Console, gate: dict[str, Any]) -> None:
    """Waivers and known findings, a line each."""
    for row in gate["waivers"]:
        words = f"waiver of {row['check']}, {row['state']}: {row['reason']} ({row['approver']}, until {row['expires']})"
        console.print(Text(words, "red" if row["state"] == "expired" else "yellow"))
    for name in gate["known"]:
        console.print(Text(f"known finding of the baseline: {name}", "yellow"))
    console.print(Text.assemble("gate: ", (gate["verdict"].replace("_", " "), COLOURS[gate["verdict"]])))
