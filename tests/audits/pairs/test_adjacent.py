"""Pairs differ in exactly one unit, and a pair that does not is refused."""

import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin.errors import ImpossibleError
from dpspin_audits.pairs import adjacent
from dpspin_audits.pairs.adjacent import Change, Difference, difference, pair
from dpspin_audits.pairs.corpora import Member
from dpspin_audits.reference_subject import ReferenceSubject

A, B = {"key": "a", "body": "x"}, {"key": "b", "body": "x"}


@pytest.mark.parametrize(
    ("without", "with_", "expected"),
    [([], [A], (0, 1)), ([A], [B, A], (0, 1)), ([A], [A, A], (0, 1)), ([A], [A], (0, 0)), ([A], [B], (1, 1)),
     ([A, B], [A], (1, 0)), ([A, B], [B, A], (0, 0)), ([], [A, B], (0, 2))],
)  # fmt: skip
def test_records_are_compared_as_multisets(setting, without, with_, expected):
    assert difference(without, with_, setting.deployment) == Difference(*expected)


def of(user, *keys):
    return [{"key": key, "body": "x", "who": user} for key in keys]


@pytest.mark.parametrize(
    ("without", "with_", "expected"),
    [([], of("u", "1", "2"), (0, 1)), (of("u", "1"), of("u", "1", "2"), (1, 1)), (of("u", "1"), of("U", "1"), (1, 1)),
     (of("u", "1", "2"), of("u", "2", "1"), (0, 0)), ([], of("u", "1") + of("u ", "2"), (0, 2)),
     (of("u", "1") + of("v", "2"), of("v", "2") + of("u", "1"), (0, 0))],
)  # fmt: skip
def test_users_are_compared_with_all_their_records(setting_of, without, with_, expected):
    assert difference(without, with_, setting_of(unit="user").deployment) == Difference(*expected)


NEW, OLD = Member("new", ("card",)), Member("old", ("fee",))


@pytest.mark.parametrize(
    ("adjacency", "change"),
    [("add_drop", Change(NEW, OLD)), ("replacement", Change(NEW, None)), ("replacement", Change(NEW, NEW))],
)
def test_corpora_of_another_relation_are_refused(maker_of, adjacency, change):
    with pytest.raises(ImpossibleError, match="do not differ in exactly one unit"):
        pair("broken", maker_of(adjacency=adjacency), [], change)


def test_a_user_who_is_there_already_is_refused(maker_of):
    maker = maker_of(unit="user")
    with pytest.raises(ImpossibleError, match="exactly one unit"):
        pair("broken", maker, [Member("new", ("fee",))], Change(NEW, None))


def test_masses_are_exact_and_every_changed_atom_is_probed(setting_of, maker_of):
    maker = maker_of(adjacency="replacement")
    new, old = (
        Member(next(maker.identifiers(name)), maker.full(found))
        for name, found in zip(("new", "old"), maker.probes.single, strict=False)
    )
    made = pair("p", maker, maker.varied("v", 9), Change(new, old), [11])
    reference = ReferenceSubject(setting_of(adjacency="replacement"))
    for records, masses in ((made.without, made.before), (made.with_, made.after)):
        assert list(masses) == [mass / MASS_UNIT for mass in reference.sketch(records)]
    changed = {found.heaviest for found in maker.probes.single[:2]}
    assert set(made.atoms) == changed | {11}
    assert [round(b - a) for a, b in zip(*made.probed, strict=True)].count(0) == 1
    assert adjacent.ADJACENT["replacement"] == difference(made.without, made.with_, maker.setting.deployment)
