"""`dpspin account ledger`: what a population has spent, what is left, and what one more release would cost it."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import click

from dpspin import canonical
from dpspin.accounting.charges import Charge, Ledger
from dpspin.accounting.ledger import next_charges, path_of, read
from dpspin.decimals import exact
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.cli.inputs import EMBEDDED, setting_of
from dpspin_audits.cli.release import state_folder


class Further(NamedTuple):
    """What a release of a deployment would do; nothing is charged to find out."""

    charges: tuple[Charge, ...]
    """That of its universe where it is due, then its own; none where it would be refused."""
    refusal: str | None
    """Why it would be refused, where it would."""


class State(NamedTuple):
    """A ledger, and what one more release would do."""

    population: str
    ledger: Ledger
    budget: tuple[Fraction, Fraction] | None
    """epsilon and delta in force; None where nothing was charged and no deployment is at hand."""
    further: Further


@click.command()
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--population", help="Read the ledger of this population, without a deployment.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def ledger(deployment: Path | None, population: str | None, as_json: bool) -> None:
    """Show the ledger of DEPLOYMENT's population: its charges, what is left, what a release would be charged.

    The chain of the ledger is checked; a broken one is exit code 5.  Nothing is charged, and nothing here depends on
    any record.
    """
    if population is not None and deployment is not None:
        raise UsageError("--population", "the deployment names its own", "leave one of them out")
    state = _named(population) if population is not None else _of(setting_of(deployment), str(deployment or EMBEDDED))
    click.echo(canonical.dumps(_tree(state)).decode() if as_json else "\n".join(_lines(state)), nl=not as_json)


def _named(population: str) -> State:
    """By name alone.

    Raises:
        UsageError: for a name that no ledger can have.
    """
    if path_of(Path(), population).name != f"{population}.ledger.jsonl" or not population.isprintable():
        raise UsageError("--population", f"{population[:60]!r} is no name of a population", "write its name alone")
    found = read(state_folder(), population)
    return State(population, found, _budget(found), Further((), None))


def _of(setting: Setting, place: str) -> State:
    deployment = setting.deployment
    found = read(state_folder(), deployment.population)
    try:
        further = Further(next_charges(found, deployment, canonical.digest(setting.deployment_bytes), place), None)
    except UsageError as error:
        further = Further((), str(error))
    budget = deployment.budget
    declared = Fraction(budget.epsilon), Fraction(budget.delta)
    in_force = _budget(found) or declared
    least = min(in_force[0], declared[0]), min(in_force[1], declared[1])
    return State(deployment.population, found, least, further)


def _budget(found: Ledger) -> tuple[Fraction, Fraction] | None:
    """The budget in force after the last charge."""
    return (found.charges[-1].budget_epsilon, found.charges[-1].budget_delta) if found.charges else None


def _tree(state: State) -> dict[str, Any]:
    further = Ledger(state.further.charges)
    built = [row for row in further.charges if row.universe]
    return {
        "schema": "dpspin-ledger-state/1",
        "population": state.population,
        "chain": "verified",
        "charges": [_row(row) for row in state.ledger.charges],
        "spent": _pair(state.ledger.epsilon, state.ledger.delta),
        "budget": state.budget and _pair(*state.budget),
        "left": state.budget and _pair(*_left(state)),
        "further": _pair(further.epsilon, further.delta) if further.charges else None,
        **({"further_universe": _pair(built[0].epsilon, built[0].delta)} if built else {}),
        "refused": state.further.refusal,
    }


def _row(row: Charge) -> dict[str, Any]:
    """One charge; that of a universe names its digest."""
    names = ("id", "deployment", "deployment_sha256", "unit", "adjacency", "epsilon", "delta")
    return {name: getattr(row, name) for name in names} | ({"universe": row.universe} if row.universe else {})


def _pair(epsilon: Fraction, delta: Fraction) -> dict[str, Fraction]:
    return {"epsilon": epsilon, "delta": delta}


def _left(state: State) -> tuple[Fraction, Fraction]:
    """Of the budget; never negative."""
    epsilon, delta = state.budget or (Fraction(0), Fraction(0))
    return max(epsilon - state.ledger.epsilon, Fraction(0)), max(delta - state.ledger.delta, Fraction(0))


def _lines(state: State) -> Iterator[str]:
    charges = state.ledger.charges
    yield f"population {state.population}: {len(charges)} charge{'s' * (len(charges) != 1)}, chain verified"
    for row in charges:
        what = f"  universe {row.universe[:12]}" if row.universe else ""
        yield f"  {row.id}  {_words(row.epsilon, row.delta)}  {row.unit}, {row.adjacency}  {row.deployment}{what}"
    if state.budget is None:
        return
    yield f"spent: {_words(state.ledger.epsilon, state.ledger.delta)} of {_words(*state.budget)}"
    yield f"left: {_words(*_left(state))}"
    further = Ledger(state.further.charges)
    if further.charges:
        spent = further.epsilon, further.delta
        left = (have - more for have, more in zip(_left(state), spent, strict=True))
        parts = [f"{'for its universe' if row.universe else 'its own'}: {_words(row.epsilon, row.delta)}"
                 for row in further.charges]  # fmt: skip
        said = f" ({'; '.join(parts)})" if len(parts) > 1 else ""
        yield f"a release would be charged {_words(*spent)}{said}, and leave {_words(*left)}"
    if state.further.refusal:
        yield f"a release would be refused: {state.further.refusal}"


def _words(epsilon: Fraction, delta: Fraction) -> str:
    return f"epsilon {exact(epsilon)}, delta {exact(delta)}"
