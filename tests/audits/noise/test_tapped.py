"""Draws of known laws become constant in the shape that was asked for; others are passed on and written down."""

from contextlib import nullcontext

import numpy as np
import pytest

from dpspin_audits.noise.tapped import NUMPY, PYTHON, Draw, method, numpy_class


class Notes:
    """Writes down every draw."""

    def __init__(self, lift=0.0, mine=True):
        self.lift, self.mine, self.draws = lift, mine, []

    def note(self, draw):
        self.draws.append(draw)
        return self.mine

    def inner(self):
        return nullcontext()


def unlucky(*arguments, **named):
    return "drawn"


@pytest.mark.parametrize(
    ("name", "arguments", "named", "still", "lifted"),
    [("laplace", (), {}, 0.0, 1.0), ("laplace", (3, 2), {}, 3.0, 5.0), ("normal", (), {"scale": 4}, 0.0, 4.0),
     ("laplace", (1,), {"size": 2}, [1.0, 1.0], [2.0, 2.0]), ("standard_normal", (2,), {}, [0.0, 0.0], [1.0, 1.0]),
     ("gumbel", ([1.0, 2.0], 1.0), {}, [1.0, 2.0], [2.0, 3.0]), ("logistic", (0, 3, (1, 2)), {}, [[0, 0]], [[3, 3]])],
)  # fmt: skip
def test_symmetric_noise_is_its_centre_and_is_lifted_by_scales(name, arguments, named, still, lifted):
    for lift, wanted in ((0.0, still), (1.0, lifted)):
        found = method(name, NUMPY[name], unlucky, Notes(lift))(*arguments, **named)
        assert np.shape(found) == np.shape(wanted)
        assert np.array_equal(found, wanted)


def test_a_difference_of_exponentials_is_no_noise_however_it_is_lifted():
    for lift in (0.0, 1.0):
        numpy = method("exponential", NUMPY["exponential"], unlucky, Notes(lift))
        assert numpy(2.0) - numpy(2.0) == 0
        assert numpy(2.0) == pytest.approx(2 * np.log(2))
        python = method("expovariate", PYTHON["expovariate"], unlucky, Notes(lift))
        assert python(0.5) == pytest.approx(2 * np.log(2))


def test_every_draw_is_written_down_with_its_scale_and_size():
    notes = Notes()
    method("laplace", NUMPY["laplace"], unlucky, notes)(0, 1.5, 12)
    method("gauss", PYTHON["gauss"], unlucky, notes)(0, sigma=2)
    method("choice", PYTHON["choice"], unlucky, notes)([1, 2])
    assert notes.draws == [Draw("laplace", "1.5", "12"), Draw("gauss", "2", ""), Draw("choice", "", "")]


@pytest.mark.parametrize("notes", [Notes(None), Notes(0.0, mine=False)])
def test_without_a_lift_or_outside_of_the_tap_draws_are_drawn(notes):
    assert method("laplace", NUMPY["laplace"], unlucky, notes)() == "drawn"


def test_what_is_no_noise_is_drawn_even_with_a_lift():
    assert method("uniform", NUMPY["uniform"], unlucky, Notes(0.0))() == "drawn"


def test_a_generator_of_the_class_keeps_everything_but_its_noise():
    kind = numpy_class(np.random.Generator, Notes(0.0))
    made = kind(np.random.PCG64(3))
    assert isinstance(made, np.random.Generator)
    assert made.laplace(5) == 5
    assert made.integers(10**9) == np.random.Generator(np.random.PCG64(3)).integers(10**9)
