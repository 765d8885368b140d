"""Inputs for exact numbers: sensitivities, scales, costs, ledger sums."""

from collections.abc import Iterator
from random import Random
from typing import Any

from dpspin_audits.conformance.draft import Draft

RELATIONS = ("add_drop", "replacement")


def sensitivity(_: Random) -> Iterator[Draft]:
    """Four bounds, exact."""
    for adjacency in RELATIONS:
        for bound in ("1", "2", "1/3", "0.1"):
            for size in (1, 2, 50):
                flags = ("Replacement",) if adjacency == "replacement" else ()
                yield Draft("tight", {"adjacency": adjacency, "mass_bound": bound, "universe_size": size}, flags)
    yield Draft("bound 0", {"adjacency": "add_drop", "mass_bound": "0", "universe_size": 2}, ("Refused",))
    yield Draft("no atom", {"adjacency": "add_drop", "mass_bound": "1", "universe_size": 0}, ("Refused",))
    yield Draft("unknown relation", {"adjacency": "bounded", "mass_bound": "1", "universe_size": 2}, ("Refused",))


def laplace_scale(_: Random) -> Iterator[Draft]:
    """b = Delta_1 / eps."""
    for adjacency in RELATIONS:
        for epsilon in ("1", "1/3", "0.1", "1e-6", "1000"):
            for size in (1, 50):
                shape = {"adjacency": adjacency, "mass_bound": "2", "universe_size": size}
                yield Draft("exact", {**shape, "epsilon": epsilon}, ("Replacement",) * (adjacency == "replacement"))
    shape = {"adjacency": "add_drop", "mass_bound": "1", "universe_size": 2}
    for epsilon in ("0", "-1", "nan", "inf", ""):
        yield Draft("no loss", {**shape, "epsilon": epsilon}, ("Refused",))


def gaussian_sigma(_: Random) -> Iterator[Draft]:
    """The least float that is enough."""
    for adjacency in RELATIONS:
        for epsilon in ("0.1", "1/2", "1", "8"):
            for delta in ("1e-5", "1e-9"):
                yield Draft("analytic", _gaussian(adjacency, epsilon, delta, "analytic"))
    for epsilon in ("0.1", "1/2", "0.999"):
        yield Draft("classical, inside its range", _gaussian("replacement", epsilon, "1e-6", "classical"))
    for epsilon in ("1", "8"):
        yield Draft("classical, outside its range", _gaussian("add_drop", epsilon, "1e-6", "classical"), ("Refused",))
    for delta in ("0", "1", "2", "-1e-9"):
        yield Draft("no such delta", _gaussian("add_drop", "1", delta, "analytic"), ("Refused",))


def _gaussian(adjacency: str, epsilon: str, delta: str, rule: str) -> dict[str, Any]:
    shape = {"adjacency": adjacency, "mass_bound": "1", "universe_size": 50}
    return {**shape, "epsilon": epsilon, "delta": delta, "rule": rule}


def selection_cost(_: Random) -> Iterator[Draft]:
    """L a, or (L + 1) a under replacement."""
    for adjacency in RELATIONS:
        for rounds in (1, 2, 10):
            yield Draft("sharper than by rounds", {"adjacency": adjacency, "rounds": rounds, "per_round": "1/20"})
    yield Draft("no round", {"adjacency": "add_drop", "rounds": 0, "per_round": "1"}, ("Refused",))


def joint_cost(_: Random) -> Iterator[Draft]:
    """Selection and Laplace values together."""
    for adjacency in RELATIONS:
        for rounds in (1, 2, 10):
            for rate in ("1/100", "1/20", "1/2"):
                shape = {"adjacency": adjacency, "rounds": rounds, "per_round": "1/20", "value_rate": rate}
                yield Draft("values below, at and above the admission rate", shape, ("Bound",) * (rate == "1/20"))


def conversion(_: Random) -> Iterator[Draft]:
    """From add/drop to replacement: (2 eps, (1 + e^eps) delta), rounded up to a millionth."""
    for epsilon in ("1", "1/2", "8"):
        for delta in ("0", "1e-6"):
            yield Draft("group of two", {"epsilon": epsilon, "delta": delta})
    yield Draft("delta never above 1", {"epsilon": "30", "delta": "1e-3"}, ("Bound",))
    yield Draft("epsilon 0", {"epsilon": "0", "delta": "0"}, ("Refused",))


def ledger_sum(random: Random) -> Iterator[Draft]:
    """Exact sums against a budget; what does not fit is not charged."""
    budget = {"epsilon": "1", "delta": "1e-5"}
    tenth = {"epsilon": "0.1", "delta": "0"}
    yield Draft("nothing charged", {"budget": budget, "charges": []}, ("Empty",))
    yield Draft("ten tenths are one", {"budget": budget, "charges": [tenth] * 11}, ("Bound",))
    third = {"epsilon": "1/3", "delta": "1e-6"}
    yield Draft("three thirds are one", {"budget": budget, "charges": [third] * 4}, ("Bound",))
    large = {"epsilon": "2", "delta": "0"}
    yield Draft("one that does not fit costs nothing", {"budget": budget, "charges": [large, tenth]})
    needs_delta = {"epsilon": "1/10", "delta": "1e-5"}
    yield Draft("delta is summed as well", {"budget": budget, "charges": [needs_delta, needs_delta, tenth]}, ("Bound",))
    for _ in range(10):
        charges = [{"epsilon": f"1/{random.randrange(2, 9)}", "delta": f"{random.randrange(4)}e-6"} for _ in range(5)]
        yield Draft("random", {"budget": budget, "charges": charges}, ("Random",))
