"""Releases of another law than the samples are found; fewer digits are not another law."""

import numpy as np
import pytest

from dpspin import canonical
from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import admit
from dpspin.errors import SubjectError
from dpspin_audits.checks import sampling
from dpspin_audits.draws import Draws
from dpspin_audits.reference_subject import Plans, ReferenceSubject

ALPHA = 1e-6
CENTRE = 30 * MASS_UNIT


class Two:
    """Two atoms with much mass and one of ten others; `released` says what becomes of a plan's masses."""

    def __init__(self, reference, maker, released=lambda masses, _: masses, other=lambda: 0, seed=1):
        self.claim = reference.claim
        self._atoms = [found.heaviest for found in maker.probes.single[:2]]
        self._others = [atom for atom in range(12) if atom not in self._atoms]
        self._released, self._other, self._draw = released, other, np.random.default_rng(seed)

    def fresh(self):
        return self

    def sample(self, records, runs):
        noise = np.rint(self._draw.laplace(scale=MASS_UNIT, size=(runs, 3))).astype(np.int64)
        atoms = np.column_stack([np.tile(self._atoms, (runs, 1)), self._draw.choice(self._others, runs)])
        return Plans(atoms, noise + np.array([CENTRE, CENTRE, 0]))

    def release(self, records):
        plans = self.sample(records, 1)
        masses = self._released(plans.masses[0], self._draw)
        atoms = [*plans.atoms[0][:2], plans.atoms[0][2] if not self._other() else self._others[0]]
        rows = [
            {"index": int(atom), "noisy_mass": f"{int(mass)}/{MASS_UNIT}"}
            for atom, mass in zip(atoms, masses, strict=True)
        ]
        return {"plan.json": canonical.dumps({"released": rows})}


def check(subject, maker, alpha=ALPHA):
    return sampling.check(subject, maker, b"seed", alpha)


def scaled(factor):
    return lambda masses, _: CENTRE + (masses - CENTRE) * factor


def together(masses, _):
    """The second mass on the side of the first."""
    first, second, third = masses - CENTRE
    return np.array([first, abs(second) * (1 if first > 0 else -1), third]) + CENTRE


OTHER = {
    "half the noise": scaled(0.5),
    "twice the noise": scaled(2),
    "no noise": scaled(0),
    "another centre": lambda masses, _: masses + MASS_UNIT // 2,
    "an odd number of lattice units": lambda masses, _: masses // 2 * 2 + 1,
    "two masses on one side": together,
    "no mass at all": lambda masses, _: masses[:0],
}


@pytest.mark.parametrize("name", [name for name in OTHER if not name.startswith("no mass")])
def test_another_law_is_found(reference, maker, name):
    found = check(Two(reference, maker, OTHER[name]), maker)
    assert (found.status, found.strength) == ("fail", "statistical"), found.figures


def test_the_number_that_differs_is_named(reference, maker):
    assert "parity" in check(Two(reference, maker, OTHER["an odd number of lattice units"]), maker).reason
    assert "one side" in check(Two(reference, maker, together), maker).reason
    assert "first of the other" in check(Two(reference, maker, other=lambda: 1), maker).reason


DIGITS = [1, MASS_UNIT // 1000, MASS_UNIT // 10, MASS_UNIT]


@pytest.mark.parametrize("step", DIGITS)
def test_the_same_law_in_fewer_digits_passes(reference, maker, step):
    rounded = lambda masses, _: np.rint(masses / step).astype(np.int64) * step  # noqa: E731
    assert check(Two(reference, maker, rounded), maker).status == "pass"


@pytest.mark.parametrize("terms", [{}, {"unit": "user", "adjacency": "replacement"}, {"mechanism": "top_l_gaussian"}])
def test_the_reference_passes(maker_of, terms):
    maker = maker_of(**terms)
    assert check(ReferenceSubject(maker.setting), maker).status == "pass"


def test_a_release_that_breaks_off_is_an_outcome_like_any_other(setting, maker):
    class Fails(ReferenceSubject):
        def release(self, records):
            if np.random.default_rng().random() < 0.5:
                raise ValueError
            return super().release(records)

    assert check(Fails(setting), maker).status == "fail"


def test_who_cannot_sample_is_judged_by_releases(reference, maker):
    class Bare(sampling.Released):
        pass

    found = check(Bare(reference), maker)
    assert (found.status, found.reason.startswith("needs `sample`")) == ("not_run", True)


def test_two_laws_lie_as_far_apart_as_their_functions():
    """Exponential numbers and half of them: the functions differ by 1/4 at ln 2."""
    grid = -np.log(1 - (np.arange(20_000) + 0.5) / 20_000)
    assert sampling.distance(sampling.Number(grid[::50] / 2), sampling.Number(grid)) == pytest.approx(0.25, abs=0.01)
    assert sampling.distance(sampling.Number(grid[::50]), sampling.Number(grid)) < 0.01


def test_alarms_are_rarer_than_the_level():
    """Of 400 comparisons of the same law at level .2, at most 130 are alarms, but for a chance of 1e-8."""
    draw = np.random.default_rng(7)
    alarms = 0
    for _ in range(400):
        sides = [Draws(np.tile([0, 1, 2], (n, 1)), draw.laplace(size=(n, 3))) for n in (100, 2000)]
        found = sampling.differences(*(sampling.numbers(side, [0, 1], [0.0, 0.0]) for side in sides), 0.2)
        alarms += any(one.distance > one.allowed for one in found)
    assert alarms <= 130


def test_a_claim_of_one_atom_has_numbers_too():
    one = Draws(np.array([[3, 4], [4, -1]]), np.array([[1.5, 1.0], [0.5, 0.0]]))
    found = sampling.numbers(one, [3], [1.0])
    assert set(found) == {
        "the first of the other atoms", "mass of atom 3", "distance of the mass of atom 3 from its middle",
        "parity of atom 3",
    }  # fmt: skip
    assert found["mass of atom 3"].values.tolist() == [1.5, sampling.ABSENT]
    assert found["the first of the other atoms"].values.tolist() == [4, 4]


class Counts(ReferenceSubject):
    """Instances that know how many releases they have made."""

    made = 0

    def release(self, records):
        self.made += 1
        return self.again(records) if self.made > 2 else super().release(records)


def test_noise_that_an_instance_leaves_out_later_is_found(setting, maker):
    class Worn(Counts):
        def again(self, records):
            exact = self.sketch(records)
            plans = admit(exact, np.zeros((1, len(exact)), np.int64), self.setting.deployment.plan.size)
            rows = zip(plans.atoms[0], plans.masses[0], strict=True)
            return {"plan.json": canonical.dumps({"released": [
                {"index": int(atom), "noisy_mass": f"{int(mass)}/{MASS_UNIT}"} for atom, mass in rows
            ]})}  # fmt: skip

    found = check(Worn(setting), maker)
    assert (found.status, "distance" in found.reason) == ("fail", True)


def test_an_instance_may_refuse_a_third_release(setting, maker):
    class Spent(Counts):
        def again(self, records):
            raise ValueError

    assert check(Spent(setting), maker).status == "pass"


def test_a_lost_subject_ends_the_check(reference, maker):
    class Lost(Two):
        lost = ""

        def release(self, records):
            Lost.lost = "the process ended"
            raise SubjectError("the subject", self.lost)

    with pytest.raises(SubjectError, match="the process ended"):
        check(Lost(reference, maker), maker)
