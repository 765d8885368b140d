"""The protocols tell what a subject offers."""

from fractions import Fraction

from dpspin_audits.subject import Batched, BlackBox, Claim, Reproducible, Staged


class Minimal:
    def __init__(self):
        self.claim = Claim("record", "add_drop", Fraction(1), Fraction(1), Fraction(0))

    def fresh(self):
        return Minimal()

    def release(self, records):
        return {}


def test_the_protocols_tell_what_a_subject_offers(reference):
    assert all(isinstance(reference, kind) for kind in (BlackBox, Batched, Reproducible, Staged))
    assert [isinstance(Minimal(), kind) for kind in (BlackBox, Batched, Reproducible, Staged)] == [True] + [False] * 3
