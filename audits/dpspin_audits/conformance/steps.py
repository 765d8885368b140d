"""The deterministic steps as functions from JSON to JSON: what a vector asks, and what the reference answers.

Integers of 2^53 or more stand in quotes, as do numbers that are not whole (`canonical`).  A step refuses an input by
raising; the vectors call such a case invalid.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpspin import canonical, kernel, plan, transcript
from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.accounting.cost import joint_cost, selection_cost
from dpspin.accounting.gaussian import analytic_sigma, classical_sigma
from dpspin.adjacency import sensitivity
from dpspin.decimals import exact
from dpspin.decoder import template
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin.transcript import VisibleObject
from dpspin_audits.verify.batch import verifier_of

Input = Mapping[str, Any]
WRITE = "write what the vector's function takes"


def _refuse(what: str) -> UsageError:
    return UsageError("input", what, WRITE)


def integer(value: Any) -> int:
    """An integer, in quotes where it is large."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _refuse("not an integer")
    try:
        return int(value)
    except ValueError:
        raise _refuse("not an integer") from None


def _integers(value: Any) -> Any:
    """An integer, or lists of them to any depth."""
    return [_integers(item) for item in value] if isinstance(value, list) else integer(value)


def rational(value: Any) -> Fraction:
    """An exact number as people write it."""
    try:
        return Fraction(Exact(str(value)))
    except ValueError:
        raise _refuse("not an exact number") from None


def _kernel(name: str) -> Callable[[Input], Any]:
    """A kernel function by its parameter names, with the checks that it leaves to its callers."""
    function = getattr(kernel, name)

    def step(given: Input) -> Any:
        values = {key: _integers(value) for key, value in given.items()}
        for key in ("denominator", "cut_scale"):
            if values.get(key, 1) <= 0:
                raise _refuse(f"{key} is not positive")
        if sorted(values.get("cuts", [])) != values.get("cuts", []):
            raise _refuse("cuts do not ascend")
        _check_widths(values)
        return function(**values)

    return step


def _check_widths(values: Mapping[str, Any]) -> None:
    rows = [*values.get("vectors", []), *values.get("units", []), *(row for _, row in values.get("records", []))]
    if any(len(row) != values["width"] for row in rows):
        raise _refuse("vectors of unequal lengths")


def _grouping(given: Input) -> list[list[int]]:
    """Positions of the records of each unit, in order of the unit's first record; others contribute nothing."""
    ids, policy = given["ids"], given["on_missing_user"]
    if policy not in ("drop", "own_unit"):
        raise _refuse("on_missing_user is neither drop nor own_unit")
    groups: dict[Any, list[int]] = {}
    for at, name in enumerate(ids):
        if name is not None and not isinstance(name, str):
            raise _refuse("an id that is no text")
        if name:
            groups.setdefault(name, []).append(at)
        elif policy == "own_unit":
            groups[at] = [at]
    return list(groups.values())


def _sensitivity(given: Input) -> dict[str, str]:
    if given["adjacency"] not in ("add_drop", "replacement"):
        raise _refuse("adjacency is neither add_drop nor replacement")
    bound, size = rational(given["mass_bound"]), integer(given["universe_size"])
    if bound <= 0 or size <= 0:
        raise _refuse("mass_bound or universe_size is not positive")
    found = sensitivity(given["adjacency"], bound, size)
    return {name: exact(value) for name, value in found._asdict().items()}


def _claimed(given: Input) -> tuple[Fraction, Fraction]:
    epsilon, delta = rational(given["epsilon"]), rational(given.get("delta", 0))
    if epsilon <= 0 or not 0 <= delta < 1:
        raise _refuse("epsilon is not positive, or delta not from 0 to below 1")
    return epsilon, delta


def _laplace_scale(given: Input) -> str:
    epsilon, _ = _claimed(given)
    return exact(rational(_sensitivity(given)["l1"]) / epsilon)


def _gaussian_sigma(given: Input) -> str:
    epsilon, delta = _claimed(given)
    if delta == 0:
        raise _refuse("no Gaussian noise has delta 0")
    squared = rational(_sensitivity(given)["l2_squared"])
    if given["rule"] not in ("analytic", "classical"):
        raise _refuse("rule is neither analytic nor classical")
    rule = analytic_sigma if given["rule"] == "analytic" else classical_sigma
    if (sigma := rule(epsilon, delta, squared)) is None:
        raise _refuse("outside the rule's range")
    return sigma.hex()


def _rounds(given: Input) -> int:
    rounds = integer(given["rounds"])
    if rounds <= 0 or given["adjacency"] not in ("add_drop", "replacement"):
        raise _refuse("rounds is not positive, or adjacency unknown")
    return rounds


def _selection_cost(given: Input) -> str:
    return exact(selection_cost(given["adjacency"], _rounds(given), rational(given["per_round"])))


def _joint_cost(given: Input) -> str:
    parts = rational(given["per_round"]), rational(given["value_rate"])
    return exact(joint_cost(given["adjacency"], _rounds(given), *parts))


def _conversion(given: Input) -> dict[str, str]:
    epsilon, delta = from_add_drop_to_replacement(*_claimed(given))
    return {"epsilon": exact(epsilon), "delta": exact(delta)}


def _ledger_sum(given: Input) -> dict[str, Any]:
    """Totals of charges, and whether each of them fitted when it came; one that did not fit was never charged."""
    spent, fitted = [Fraction(0), Fraction(0)], []
    limits = [rational(given["budget"][name]) for name in ("epsilon", "delta")]
    for charge in given["charges"]:
        more = [spent[at] + rational(charge[name]) for at, name in enumerate(("epsilon", "delta"))]
        fits = all(total <= limit for total, limit in zip(more, limits, strict=True))
        fitted.append(fits)
        spent = more if fits else spent
    return {"epsilon": exact(spent[0]), "delta": exact(spent[1]), "fitted": fitted}


def _canonical(given: Input) -> str:
    return canonical.dumps(canonical.loads(given["json"].encode(), "json")).decode()


def _transcript(given: Input) -> str:
    objects = [VisibleObject(o["name"], o["role"], o["text"].encode(), o["charge"]) for o in given["objects"]]
    return transcript.encode(objects).decode()


def _transcript_rows(given: Input) -> int:
    return len(transcript.decode(given["transcript"].encode(), "transcript"))


def _verdict(given: Input) -> bool:
    return verifier_of(given["plan"]).verify(given["text"]).accepted


def _fallback(given: Input) -> str:
    return template.fallback(plan.from_tree(given["plan"], "plan"))


STEPS: Mapping[str, Callable[[Input], Any]] = {
    "highest": _kernel("highest"), "shrink": _kernel("shrink"), "contribution": _kernel("contribution"),
    "clip": _kernel("clip"), "add": _kernel("add"), "sketch": _kernel("sketch"),
    "grouping": _grouping, "user_sketch": _kernel("user_sketch"), "sensitivity": _sensitivity,
    "laplace_scale": _laplace_scale, "gaussian_sigma": _gaussian_sigma, "selection_cost": _selection_cost,
    "joint_cost": _joint_cost, "conversion": _conversion, "ledger_sum": _ledger_sum,
    "rounded": _kernel("rounded"), "compare": _kernel("compare"), "support_bin": _kernel("support_bin"),
    "rank_of": _kernel("rank_of"), "mass_of": _kernel("mass_of"), "is_admitted": _kernel("is_admitted"),
    "claim_supported": _kernel("claim_supported"), "verdict": _verdict, "fallback": _fallback,
    "canonical": _canonical, "transcript": _transcript, "transcript_rows": _transcript_rows,
}  # fmt: skip
"""Every step that has vectors, in the order of the data's way."""


def answer(function: str, given: Input) -> Any:
    """What the reference answers.

    Raises:
        UsageError: where it refuses the input.
        KeyError: for an unknown function.
    """
    step = STEPS[function]
    try:
        return step(given)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise _refuse(f"not an input of {function} ({type(error).__name__})") from error
