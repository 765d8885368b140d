"""The core call adds noise drawn before the data, admits, and does nothing else."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin import deployment, kernel
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling, calibrate
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded
from dpspin.curator import release as core
from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import SeededBits, SystemBits, Tape, gaussian, laplace
from dpspin.curator.release import draw
from dpspin.errors import ImpossibleError

SKETCH = [5 * MASS_UNIT, 0, 9 * MASS_UNIT, 1, 7 * MASS_UNIT]


def release(deployment, sketch, runs=1, rigorous=True, seed=b"r"):
    return core.release(sketch, deployment, SeededBits(seed), runs, rigorous=rigorous)


def test_a_release_is_admission_of_drawn_noise(demo):
    noise = draw(demo, 5, SeededBits(b"r"), 20, rigorous=True)
    wanted = admit(SKETCH, noise, demo.plan.size)
    for rigorous in (True, False):
        found = release(demo, SKETCH, 20, rigorous)
        assert np.array_equal(found.atoms, wanted.atoms)
        assert np.array_equal(found.masses, wanted.masses)
    for row in range(20):
        noisy = [mass + int(more) for mass, more in zip(SKETCH, noise[row], strict=True)]
        assert found.atoms[row].tolist() == kernel.highest(noisy, 3)


def test_noise_does_not_depend_on_the_data(demo):
    rows = [release(demo, [at * MASS_UNIT * 1000 for at in order], 4) for order in ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5])]
    noises = []
    for samples, order in zip(rows, ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]), strict=True):
        exact = np.asarray(order)[samples.atoms] * MASS_UNIT * 1000
        full = np.zeros((4, 5), np.int64)
        np.put_along_axis(full, samples.atoms.astype(np.int64), samples.masses - exact, axis=1)
        noises.append(full)
    assert (noises[0] == noises[1])[:, 2].all()  # atom 2 is admitted on both sides, with the same noise


@pytest.mark.parametrize(("width", "admitted"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_every_sketch_has_a_plan_of_l_atoms_or_of_all(demo, width, admitted):
    samples = release(demo, [0] * width, 6)
    assert samples.atoms.shape == samples.masses.shape == (6, admitted)
    assert (samples.atoms.dtype, samples.masses.dtype) == (np.int32, np.int64)
    assert all(len(set(row)) == admitted for row in samples.atoms.tolist())


def test_one_word_a_draw_is_taken_before_anything_else(demo):
    tape = Tape(np.zeros(5, np.uint64))
    samples = core.release(SKETCH, demo, tape)
    assert samples.masses.tolist() == [[9 * MASS_UNIT, 7 * MASS_UNIT, 5 * MASS_UNIT]]  # U = 0 is no noise
    with pytest.raises(ImpossibleError):
        tape.words(1)
    with pytest.raises(ImpossibleError):
        core.release(SKETCH, demo, Tape(np.zeros(4, np.uint64)))


def test_runs_are_independent_and_system_bits_are_fresh(demo):
    rows = release(demo, SKETCH, 50).masses
    assert len({tuple(row) for row in rows.tolist()}) == 50
    first, second = (core.release(SKETCH, demo, SystemBits()).masses for _ in range(2))
    assert not np.array_equal(first, second)  # equal by chance with probability below 1e-18


EXAMPLES = {
    name: deployment.load(embedded.files(folder)[file], file) for name, (folder, file) in embedded.EXAMPLES.items()
}
WIDE = [(17 * at % 60) * 5 * MASS_UNIT for at in range(60)]


def test_laplace_noise_has_the_scale_of_the_deployment_and_one_draw_an_atom(demo):
    drawn = draw(demo, 7, SeededBits(b"n"), 3, rigorous=True)
    scale = 2 * MASS_UNIT  # Delta_1 = B = 1 under add/drop, epsilon = 1/2
    assert (drawn.shape, drawn.dtype) == ((3, 7), np.int64)
    assert np.array_equal(drawn, laplace(scale, (3, 7), SeededBits(b"n"), rigorous=False))
    mean = np.abs(draw(demo, 7, SeededBits(b"n"), 3000, rigorous=False)).mean()
    assert abs(mean / scale - 1) < 0.04  # nearly six standard deviations: probability below 1e-8


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_mechanism_draws_its_calibrated_noise_before_the_data(name):
    terms = EXAMPLES[name]
    noise = calibrate(terms, 60)
    values = noise.values if isinstance(noise, Peeling) else noise
    shape = (4, terms.plan.size if isinstance(noise, Peeling) else 60)
    drawn = draw(terms, 60, SeededBits(b"n"), 4, rigorous=False)
    if isinstance(values, LaplaceNoise):
        assert np.array_equal(drawn, laplace(values.scale, shape, SeededBits(b"n"), rigorous=False))
    else:
        assert isinstance(values, GaussianNoise)
        assert np.array_equal(drawn, gaussian(values.sigma, shape, SeededBits(b"n"), rigorous=False))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_mechanism_releases_the_same_plan_on_the_rigorous_path(name):
    fast, slow = (release(EXAMPLES[name], WIDE, 3, rigorous) for rigorous in (False, True))
    assert np.array_equal(fast.atoms, slow.atoms)
    assert np.array_equal(fast.masses, slow.masses)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("width", [1, 2, 9, 10, 11])
def test_every_mechanism_has_a_plan_for_every_universe(name, width):
    samples = release(EXAMPLES[name], [0] * width, 3)
    assert samples.atoms.shape == samples.masses.shape == (3, min(width, 10))
    assert all(len(set(row)) == min(width, 10) for row in samples.atoms.tolist())
    assert (np.diff(samples.masses, axis=1) <= 0).all()


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "top-l" in name])
def test_sparse_release_adds_noise_to_admitted_atoms_alone(name):
    """Where exponents leave no doubt, the admitted atoms are the true ones, however large the value noise is."""
    far = [10**6 * MASS_UNIT * (at < 10) for at in range(60)]
    samples = release(EXAMPLES[name], far, 50)
    assert set(samples.atoms.ravel().tolist()) == set(range(10))
    assert len(np.unique(samples.masses - far[0])) > 400


class Answers:
    """A source that adds a fixed amount to each value, and admits the highest."""

    def __init__(self, more=()):
        self.more, self.asked = more, []

    def _noisy(self, kind, values, scale, label):
        self.asked.append((kind, list(values), scale, label))
        return [value + more for value, more in zip(values, [*self.more, *[0] * len(values)], strict=False)]

    def laplace(self, values, scale, *, label):
        return self._noisy("laplace", values, scale, label)

    def gaussian(self, values, sigma, *, label):
        return self._noisy("gaussian", values, sigma, label)

    def peel(self, scores, exponent, rounds, *, label):
        self.asked.append(("peel", list(scores), exponent, label))
        return kernel.highest(scores, rounds)


@pytest.mark.parametrize("noise", [LaplaceNoise(Fraction(7, 2)), GaussianNoise(Fraction(5))])
def test_injected_noise_is_added_to_the_whole_sketch(noise):
    source = Answers([0, 10 * MASS_UNIT])
    found = core.inject(SKETCH, noise, 3, source)
    kind, scale = ("laplace", Fraction(7, 2)) if isinstance(noise, LaplaceNoise) else ("gaussian", 5)
    assert source.asked == [(kind, SKETCH, scale, "sketch")]
    assert found.atoms.tolist() == [[1, 2, 4]]
    assert found.masses.tolist() == [[10 * MASS_UNIT, 9 * MASS_UNIT, 7 * MASS_UNIT]]


def test_injected_admission_comes_first_and_values_are_those_of_the_admitted_atoms_in_their_order():
    source = Answers([3 * MASS_UNIT])
    found = core.inject(SKETCH, Peeling(Fraction(1, 9), LaplaceNoise(Fraction(2))), 2, source)
    assert source.asked == [
        ("peel", SKETCH, Fraction(1, 9), "admission"),
        ("laplace", [9 * MASS_UNIT, 7 * MASS_UNIT], 2, "values"),
    ]
    assert (found.atoms.tolist(), found.masses.tolist()) == ([[2, 4]], [[12 * MASS_UNIT, 7 * MASS_UNIT]])


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_release_and_an_injection_of_its_noise_are_the_same(name):
    made = EXAMPLES[name]
    exact, mechanism = SKETCH, calibrate(made, 5)
    wanted = core.release(exact, made, SeededBits(b"i"))
    noise = draw(made, 5, SeededBits(b"i"), 1, rigorous=True)[0].tolist()

    class Same(Answers):
        def peel(self, scores, exponent, rounds, *, label):
            return wanted.atoms[0][::-1].tolist()

    found = core.inject(exact, mechanism, made.plan.size, Same(noise))
    assert np.array_equal(found.atoms, wanted.atoms)
    assert np.array_equal(found.masses, wanted.masses)
