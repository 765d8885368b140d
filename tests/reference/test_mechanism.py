"""Mechanisms are a closed union: each kind has its own fields and refuses the others'."""

import pytest
from pydantic import TypeAdapter

from dpspin.errors import UsageError
from dpspin.mechanism import Mechanism
from dpspin.settings import Strict, validated

KINDS = {
    "laplace": {"kind": "laplace", "epsilon": "1", "delta": "0"},
    "gaussian": {"kind": "gaussian", "epsilon": "1", "delta": "1e-6", "calibration": "analytic"},
    "private_top_l": {
        "kind": "private_top_l",
        "epsilon": "1",
        "delta": "1e-6",
        "em_mode": "tight",
        "selection_share": "1/2",
        "values": "laplace",
    },
}


class Holder(Strict):
    mechanism: Mechanism


def read(mechanism):
    return validated(Holder, {"mechanism": mechanism}, "f").mechanism


def test_every_kind_is_listed_here():
    assert set(TypeAdapter(Mechanism).json_schema()["discriminator"]["mapping"]) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_reads_its_fields(kind):
    value = read(KINDS[kind])
    assert {name: getattr(getattr(value, name), "text", getattr(value, name)) for name in KINDS[kind]} == KINDS[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_another_kind_and_missing_fields_are_refused(kind):
    own = KINDS[kind]
    for name, value in {**KINDS["gaussian"], **KINDS["private_top_l"]}.items():
        if name not in own:
            with pytest.raises(UsageError, match=f"^f: mechanism.{name}: unknown field; "):
                read({**own, name: value})
        elif name in own:
            with pytest.raises(UsageError, match=f"^f: mechanism.{name}: missing; "):
                read({key: item for key, item in own.items() if key != name})


@pytest.mark.parametrize(("kind", "field", "value"), [
    ("laplace", "epsilon", "0"), ("laplace", "delta", "-1"), ("laplace", "delta", "1"), ("gaussian", "delta", "0"),
    ("gaussian", "delta", "1"), ("gaussian", "calibration", "exact"), ("private_top_l", "delta", "1.5"),
    ("private_top_l", "selection_share", "0"), ("private_top_l", "selection_share", "1.1"),
    ("private_top_l", "em_mode", "loose"), ("private_top_l", "values", "none"),
])  # fmt: skip
def test_values_out_of_range_are_refused(kind, field, value):
    with pytest.raises(UsageError, match=f'^f: mechanism.{field}: cannot use "{value}"; write '):
        read({**KINDS[kind], field: value})
