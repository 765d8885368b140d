"""Hostile units are single units, whatever they hold."""

import pytest

from dpspin_audits.checks import hostile_units
from dpspin_audits.distribution.trials import stream
from dpspin_audits.pairs.adjacent import Difference, difference


@pytest.mark.parametrize("terms", [{}, {"unit": "user"}, {"mechanism": "top_l", "unit": "user", "bound": "1/2"}])
def test_each_makes_adjacent_corpora(maker_of, terms):
    maker = maker_of(**terms)
    made, base = hostile_units.units(maker), maker.records(maker.varied("base", 5))
    assert len(made) > 50
    for unit in made:
        assert difference(base, [*base, *unit], maker.setting.deployment) == Difference(0, 1)
        assert len(unit) == 1 or maker.by_user


def test_they_hold_the_heaviest_and_the_strangest(maker_of):
    maker = maker_of(unit="user")
    made = hostile_units.units(maker)
    texts = {record.get("body") for unit in made for record in unit}
    assert {None, "", "NaN", "\x00"} <= texts
    assert max(map(len, made)) == 40
    assert max(len(text or "") for text in texts) >= 50_000
    assert any(len({record.get("key") for record in unit}) == 1 < len(unit) for unit in made)
    assert any("weight" in record for unit in made for record in unit)


def test_mutants_are_single_units_too_and_follow_from_the_coin(maker_of):
    maker = maker_of(unit="user")
    made = hostile_units.units(maker)
    for one, other in ((made[0], made[8]), (made[-1], made[-2]), (made[9], made[0])):
        found = [hostile_units.mutated(maker, one, other, coin) for coin in [stream(b"c")] for _ in range(20)]
        assert found == [hostile_units.mutated(maker, one, other, coin) for coin in [stream(b"c")] for _ in range(20)]
        for unit in found:
            assert difference([], unit, maker.setting.deployment) == Difference(0, 1)
            assert len(unit) <= hostile_units.MOST_RECORDS
