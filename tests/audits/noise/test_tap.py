# ruff: noqa: PLW0108, B008 - names are looked up when they are called, and defaults are the point
"""A tap holds what Python draws, whoever holds the function under whatever name, and puts all of it back."""

import os
import random
import secrets
import sys
import threading
import types
import uuid
from random import SystemRandom, gauss

import numpy as np
import pytest
from numpy.random import default_rng

from dpspin.curator.noise import SystemBits
from dpspin.errors import ImpossibleError
from dpspin_audits.noise.tap import Tap
from dpspin_audits.noise.tapped import Draw

GLOBAL = np.random.default_rng()
OLD = np.random.RandomState()


class Holder:
    """Holds generators and functions as its own."""

    def __init__(self):
        self.generator, self.entropy, self.python = np.random.default_rng(), os.urandom, random.Random()


HELD = Holder()


class InClass:
    generator = np.random.default_rng()


def closed(draw=np.random.default_rng()):
    return draw.integers(10**9)


SOURCES = {
    "urandom": lambda: os.urandom(8),
    "held urandom": lambda: HELD.entropy(8),
    "secrets": lambda: secrets.token_hex(8),
    "secrets.randbelow": lambda: secrets.randbelow(10**9),
    "uuid": lambda: uuid.uuid4(),
    "SystemRandom": lambda: SystemRandom().random(),
    "random": lambda: random.random(),
    "random.getrandbits": lambda: random.getrandbits(60),
    "random.uniform": lambda: random.uniform(0, 1),
    "random.shuffle": lambda: random.sample(range(1000), 20),
    "imported gauss": lambda: gauss(0, 1),
    "new Random": lambda: random.Random().random(),
    "held Random": lambda: HELD.python.gauss(0, 1),
    "legacy": lambda: np.random.laplace(0, 1),
    "legacy rand": lambda: np.random.rand(),
    "legacy choice": lambda: np.random.choice(10**9),
    "new RandomState": lambda: np.random.RandomState().normal(),
    "old RandomState": lambda: OLD.normal(),
    "new generator": lambda: np.random.default_rng().laplace(),
    "imported default_rng": lambda: default_rng().normal(),
    "generator by hand": lambda: np.random.Generator(np.random.Philox()).random(),
    "global generator": lambda: GLOBAL.laplace(),
    "held generator": lambda: HELD.generator.random(),
    "generator in a class": lambda: InClass.generator.integers(10**9),
    "generator in a default": closed,
    "the reference's bits": lambda: SystemBits().words(2).tolist(),
}
"""Every way to a random number that a tap is to hold."""


@pytest.fixture(scope="module")
def held():
    """Three draws of every source for three seeds, under one tap."""
    with Tap() as tap:
        seen = []
        for seed in (b"one", b"one", b"two"):
            tap.restart(seed)
            seen.append({name: [draw(), draw(), draw()] for name, draw in SOURCES.items()})
        return seen


@pytest.mark.parametrize("name", SOURCES)
def test_the_same_seed_gives_the_same_draws_and_another_one_others(held, name):
    one, again, two = (seen[name] for seen in held)
    assert one == again != two
    assert SOURCES[name]() != SOURCES[name]()  # and it is random again


NOISES = (
    (lambda: np.random.laplace(3, 2), 3, 5), (lambda: default_rng(7).normal(0, 2), 0, 2),
    (lambda: GLOBAL.laplace(1, 4), 1, 5), (lambda: HELD.generator.normal(), 0, 1), (lambda: OLD.laplace(), 0, 1),
    (lambda: gauss(2, 3), 2, 5), (lambda: random.Random(1).normalvariate(0, 3), 0, 3),
    (lambda: SystemRandom().gauss(0, 2), 0, 2), (lambda: np.random.RandomState(1).standard_normal(), 0, 1),
)  # fmt: skip


def test_noise_of_a_known_law_is_constant_where_that_is_asked_for():
    with Tap() as tap:
        for draw, centre, lifted in NOISES:
            tap.restart(b"", 0.0)
            assert draw() == centre
            tap.restart(b"", 1.0)
            assert draw() == lifted
            tap.restart(b"")
            assert draw() not in (centre, lifted)


def test_a_generator_that_cannot_be_replaced_is_still_one_by_its_type():
    with Tap():
        assert isinstance(InClass.generator, np.random.Generator)
        assert isinstance(np.random.default_rng(InClass.generator), np.random.Generator)
        assert not isinstance(InClass.generator, np.random.RandomState)


def test_a_loop_that_waits_for_a_lucky_draw_ends():
    with Tap() as tap:
        tap.restart(b"", 0.0)
        while np.random.uniform() < 0.9 or random.random() < 0.9:
            pass
        assert len(tap.draws) > 1


def test_draws_are_written_down_once_each():
    with Tap() as tap:
        np.random.laplace(0, 2.5, 3)
        random.choice("abc")
        os.urandom(5)
        assert tap.draws == [Draw("laplace", "2.5", "3"), Draw("choice", "", ""), Draw("urandom", "", "5")]


def everything():
    """What a tap touches, as it is."""
    functions = [os.urandom, random._urandom, random.gauss, random.random, np.random.laplace, np.random.default_rng,
                 np.random.Generator, np.random.RandomState, HELD.entropy, default_rng, gauss]  # fmt: skip
    methods = dict(vars(random.Random))
    generators = [GLOBAL, HELD.generator, OLD, HELD.python]
    states = [GLOBAL.bit_generator.state, random.getstate(), HELD.python.getstate(), HELD.generator.bit_generator.state]
    name, words, position, *_ = np.random.get_state()
    return functions, methods, [(type(g), id(g)) for g in generators], states, (name, words.tolist(), position)


@pytest.mark.parametrize("error", [None, KeyError, KeyboardInterrupt])
def test_all_of_it_is_put_back_whatever_happens(error):
    before = everything()
    try:
        with Tap() as tap:
            tap.restart(b"x", 1.0)
            assert everything() != before
            for draw in SOURCES.values():
                draw()
            random.seed(5)
            np.random.seed(5)
            if error:
                raise error
    except (KeyError, KeyboardInterrupt):
        pass
    assert everything() == before


def test_a_tap_that_cannot_be_put_in_leaves_nothing_behind(monkeypatch):
    before = everything()
    monkeypatch.setattr("dpspin_audits.noise.tap.python_methods", lambda tap: 1 / 0)
    with pytest.raises(ZeroDivisionError), Tap():
        pass
    monkeypatch.undo()
    assert everything() == before
    with Tap():
        pass  # and another one can be put in


def test_a_module_that_is_loaded_meanwhile_holds_the_originals_afterwards():
    made = types.ModuleType("late")
    sys.modules["late"] = made
    try:
        with Tap():
            exec("from numpy.random import default_rng, laplace\nfrom os import urandom", made.__dict__)
            assert made.urandom is not SOURCES
        assert (made.urandom, made.default_rng) == (os.urandom, np.random.default_rng)
        assert made.laplace is np.random.laplace
    finally:
        del sys.modules["late"]


def test_a_second_tap_of_one_thread_is_refused_and_the_first_one_stays():
    with Tap() as tap:
        with pytest.raises(ImpossibleError, match="in place already"), Tap():
            pass
        tap.restart(b"", 0.0)
        assert np.random.laplace() == 0


def test_other_threads_draw_as_ever_and_are_counted():
    drawn = []
    with Tap() as tap:
        tap.restart(b"", 0.0)
        for _ in range(2):
            worker = threading.Thread(target=lambda: drawn.append((np.random.laplace(), os.urandom(16))))
            worker.start()
            worker.join()
        assert tap.draws == []
        assert tap.elsewhere == 4
    assert drawn[0] != drawn[1]
    assert all(noise != 0 for noise, _ in drawn)


def test_a_second_thread_waits_for_its_turn():
    order = []

    def second():
        with Tap():
            order.append("second")

    with Tap():
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        order.append("first")
    other.join()
    assert order == ["first", "second"]
