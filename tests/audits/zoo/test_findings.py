"""What findings say, and that plans alone showed, in every audit on record, what cheaper checks find in another way."""

import pytest

from dpspin_audits.zoo import matrix
from dpspin_audits.zoo.catalogue import members
from dpspin_audits.zoo.fixed_size import KEPT, FixedSize

NAMED = {one.name: one for one in members()}
SAID = [
    ("not_normalised", "sensitivity", "a pair loses at least 3.0000"),
    ("fitted_bins", "hygiene", "'bins'"),
    ("fitted_denominator", "hygiene", "'public_denominator'"),
    ("published_seed", "rng", "'plan.json: run' is the seed of the noise"),
    ("digests_beside", "canary", "a planted token or a digest of planted text"),
    ("ids_composed", "grouping", "two ids have one key"),
]
SHOWN = (
    "noise_halved", "wrong_relation", "noise_reused", "epsilon_per_round", "sqrt2_forgotten", "values_per_record",
    "ids_folded", "clipped_per_record", "user_unclipped", "not_normalised",
)  # fmt: skip


@pytest.mark.parametrize(("name", "check", "text"), SAID)
def test_the_finding_says_what_is_wrong(audit_of, few, name, check, text):
    assert text in audit_of(NAMED[name], {check}, effort=few)[check]["reason"]


@pytest.mark.parametrize("name", SHOWN)
def test_plans_alone_show_it(name):
    assert "distribution.ideal" in matrix.read()[name].always


@pytest.mark.parametrize("unit", ["record", "user"])
def test_exactly_so_many_are_kept_whatever_their_order(maker_of, unit):
    maker = maker_of(unit=unit)
    records = maker.records(maker.varied("v", KEPT + 20))
    subject = FixedSize(maker.setting)
    kept = subject.units(records)
    assert len(kept) == KEPT
    assert [sorted(map(str, one)) for one in kept] == [sorted(map(str, one)) for one in subject.units(records[::-1])]
