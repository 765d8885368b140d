"""The control keeps its claim under every mechanism, unit and adjacency, as far as its plans show."""

from dataclasses import replace
from itertools import product

import pytest

from dpspin_audits.zoo.catalogue import members

CONTROL = next(one for one in members() if one.name == "correct")
MECHANISMS = ("laplace", "gaussian", "top_l", "top_l_gaussian")


@pytest.mark.parametrize(
    ("mechanism", "unit", "adjacency"), list(product(MECHANISMS, ("record", "user"), ("add_drop", "replacement")))
)
def test_the_control_passes(audit_of, few, mechanism, unit, adjacency):
    terms = (("mechanism", mechanism), ("unit", unit), ("adjacency", adjacency))
    effort = replace(few, pilot=0, training=2000, testing=8000)
    found = audit_of(replace(CONTROL, terms=terms), {"distribution.ideal", "hygiene", "contract"}, effort=effort)
    statuses = {name: check["status"] for name, check in found.items()}
    assert (statuses["hygiene"], statuses["contract"], statuses["distribution.bits"]) == ("pass", "pass", "pass")
    assert statuses["distribution.ideal"] == "pass"
