"""A sketch that is shown keeps the bound unit by unit and is the sum over units."""

import pytest

from dpspin.errors import SubjectError
from dpspin_audits.checks import sketches
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.clipped_per_record import ClippedPerRecord
from dpspin_audits.zoo.ids_folded import IdsFolded
from dpspin_audits.zoo.steps import Steps
from dpspin_audits.zoo.user_unclipped import UserUnclipped

TEXTS = ["lost card", "late fee trouble", "", "wrong report about a frozen account"]


def searched(kind, maker_of, **terms):
    maker = maker_of(**terms)
    subject = kind(maker.setting)
    return sketches.searched(subject, subject.claim, maker, TEXTS)


@pytest.mark.parametrize("kind", [ReferenceSubject, Steps])
@pytest.mark.parametrize(
    "terms",
    [{}, {"unit": "user"}, {"unit": "user", "missing": "own_unit"}, {"unit": "user", "bound": "1/2"}, {"rate": "1/3"}],
)
def test_the_reference_and_its_parts_keep_both(maker_of, kind, terms):
    found = searched(kind, maker_of, **terms)
    assert found.problem is None
    assert found.figures["records"] >= found.figures["units"] > 60


class Pools(Steps):
    """All records without a user are one user."""

    def unit_of(self, record):
        return super().unit_of(record) if "who" in record else "nobody"


class Keeps(Steps):
    """Records without a user count, although they are dropped."""

    def share(self, record):
        return super().share({**record, "who": "user 1"} if "who" not in record else record)


class Looks(Steps):
    """Weights depend on how many units there are."""

    def sketch(self, records):
        exact = super().sketch(records)
        return exact if len(records) < 100 else [mass * 99 // 100 for mass in exact]


@pytest.mark.parametrize(
    ("kind", "terms", "problem"),
    [
        (UserUnclipped, {}, "in total, more than 2"),
        (ClippedPerRecord, {"bound": "1/2"}, "in total, more than 0.5"),
        (IdsFolded, {}, "not the sum"),
        (Pools, {"missing": "own_unit"}, "not the sum"),
        (Keeps, {}, "without a user's id contributes"),
        (Looks, {}, "not the sum"),
    ],
)
def test_what_goes_wrong_between_records_and_users_is_found(maker_of, kind, terms, problem):
    assert problem in searched(kind, maker_of, unit="user", **terms).problem


def test_a_sketch_that_raises_is_the_subjects(setting, maker_of):
    class Raises(Steps):
        def sketch(self, records):
            raise KeyError

    with pytest.raises(SubjectError, match="sketch raised KeyError"):
        searched(Raises, maker_of)
