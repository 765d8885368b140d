"""A tap on the randomness of a subject in this process, put in from outside: no source is edited.

While a tap is in place, `os.urandom` and with it `secrets` and `SystemRandom`, and the functions and generators of
`random` and `numpy.random` give draws that follow from a seed, in every module and object that holds them, under
whatever name.  `restart` begins the same draws again, so that two releases have common random numbers;
it may also make noise constant (`noise.tapped`).  Everything is put back on leaving, also after an exception.

What a tap cannot reach: draws of compiled libraries that ask the system themselves, generators seeded by a clock, names
in closures, defaults and classes (generators found there still begin at the tap's state), other processes and other
threads.  Whoever uses a tap therefore first looks whether a release repeats itself under it (`noise.held`).
"""

import gc
import hashlib
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np

from dpspin.errors import ImpossibleError
from dpspin_audits.noise.tapped import NUMPY, PYTHON, Draw, Law, method, numpy_class, python_methods, unbound

_IN_PLACE = threading.Lock()
_PLAIN = Law((), (), None)
_RAW = ("random", "getrandbits")
"""Methods that `random.Random` has from its compiled base."""


class Tap:
    """A context manager; one at a time in a process, and for the thread that enters it."""

    _owner: int | None = None

    def __init__(self) -> None:
        self.lift: float | None = None
        """Scales by which noise of a known law is lifted from its centre; None leaves it as drawn from the seed."""
        self.draws: list[Draw] = []
        """Draws since the last restart."""
        self.elsewhere = 0
        """Draws of other threads since the last restart: they were not held."""
        self._seed, self._asked, self._depth = b"", 0, 0
        self._pairs: list[tuple[Any, Any]] = []
        self._bits: list[Any] = []
        self._states: list[Any] = []
        self._python: list[random.Random] = []
        self._python_states: list[Any] = []
        self._legacy: list[Any] = []
        self._legacy_states: list[Any] = []

    def __enter__(self) -> "Tap":
        """Put the tap in; a second thread waits.

        Raises:
            ImpossibleError: when this thread has one in place already.
        """
        if Tap._owner == threading.get_ident():
            raise ImpossibleError("a tap is in place already")
        _IN_PLACE.acquire()
        Tap._owner = threading.get_ident()
        self._methods = {name: vars(random.Random).get(name) for name in (*PYTHON, *_RAW, "seed")}
        try:
            self._find()
            _swap(self._pairs)
            for name, drawn in self._drawn().items():
                setattr(random.Random, name, drawn)
            self.restart()
        except BaseException:
            self._put_back()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put everything back."""
        self._put_back()

    def restart(self, seed: bytes = b"", lift: float | None = None) -> None:
        """Begin again: the same seed gives the same draws."""
        self._seed, self._asked, self.lift = seed, 0, lift
        self.draws, self.elsewhere = [], 0
        for number, generator in enumerate(self._bits):
            sequence = np.random.SeedSequence([number, *hashlib.sha256(seed).digest()])
            generator.state = type(generator)(sequence).state
        for legacy in self._legacy:
            legacy.set_state({**legacy.get_state(legacy=False), "has_gauss": 0, "gauss": 0.0})
        for number, python in enumerate(self._python):
            python.setstate(random.Random(f"{number} {seed.hex()}").getstate())  # noqa: S311 - common random numbers

    def note(self, draw: Draw) -> bool:
        """Write a draw down; False where it is not the tap's: after its end, in another thread, inside of another."""
        if Tap._owner is None or self._depth:
            return False
        if Tap._owner != threading.get_ident():
            self.elsewhere += 1
            return False
        self.draws.append(draw)
        return True

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Draws in here are parts of one that is written down."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _find(self) -> None:
        """What there is to replace, and what replaces it."""
        found = gc.get_objects()
        generators = [item for item in found if type(item) in (np.random.Generator, np.random.RandomState)]
        self._python = [item for item in found if issubclass(type(item), random.Random) and _has_state(item)]
        kinds = {base: numpy_class(base, self) for base in (np.random.Generator, np.random.RandomState)}
        bits = {id(item): item for item in (_bits_of(generator) for generator in generators)}
        self._bits = list(bits.values())
        self._states = [generator.state for generator in self._bits]
        old = [item for item in generators if type(item) is np.random.RandomState]
        self._legacy = old + [kinds[np.random.RandomState](_bits_of(item)) for item in old]
        self._legacy_states = [item.get_state(legacy=False) for item in old]
        self._python_states = [python.getstate() for python in self._python]
        self._pairs = [
            (os.urandom, self._urandom),
            (np.random.default_rng, self._default_rng(kinds[np.random.Generator], np.random.default_rng)),
            *kinds.items(),
            *zip(old, self._legacy[len(old) :], strict=True),
            *((item, kinds[type(item)](_bits_of(item))) for item in generators if type(item) is np.random.Generator),
            *_functions(np.random, NUMPY, self),
            *_functions(random, PYTHON | dict.fromkeys((*_RAW, "randbytes"), _PLAIN), self),
        ]

    def _drawn(self) -> dict[str, Callable[..., Any]]:
        raw = {name: unbound(name, _PLAIN, getattr(random.Random, name), self) for name in _RAW}
        original = random.Random.seed

        def seed(generator: random.Random, a: Any = None, version: int = 2) -> None:
            held = a is None and self.note(Draw("seed", "", ""))
            original(generator, int.from_bytes(self._stream(32)) if held else a, version)

        return {**python_methods(self), **raw, "seed": seed}

    def _default_rng(self, kind: type, original: Callable[..., Any]) -> Callable[..., Any]:
        def default_rng(seed: Any = None) -> Any:
            made = original(seed)
            return made if type(made) is kind or Tap._owner != threading.get_ident() else kind(made.bit_generator)

        return default_rng

    def _urandom(self, size: int) -> bytes:
        if not self._depth and not self.note(Draw("urandom", "", str(size))):
            return bytes(self._pairs[0][0](size))  # the original: an attribute of its own would be replaced
        return self._stream(size)

    def _stream(self, size: int) -> bytes:
        self._asked += 1
        return hashlib.shake_256(self._seed + self._asked.to_bytes(8)).digest(size)

    def _put_back(self) -> None:
        try:
            _swap([(new, old) for old, new in self._pairs])
            for name, original in self._methods.items():
                if original is not None:
                    setattr(random.Random, name, original)
                elif name in vars(random.Random):
                    delattr(random.Random, name)
            for generator, state in zip(self._bits, self._states, strict=True):
                generator.state = state
            for legacy, legacy_state in zip(self._legacy, self._legacy_states, strict=False):
                legacy.set_state(legacy_state)
            for python, python_state in zip(self._python, self._python_states, strict=True):
                python.setstate(python_state)
        finally:
            self._pairs, self._bits, self._python, self._legacy = [], [], [], []
            Tap._owner = None
            _IN_PLACE.release()


def _functions(module: Any, laws: dict[str, Law], tap: Tap) -> Iterator[tuple[Any, Any]]:
    """The functions of a module that draw from its global generator."""
    for name, law in laws.items():
        original = getattr(module, name, None)
        if original is not None:
            yield original, method(name, law, original, tap)


def _bits_of(generator: Any) -> Any:
    return generator.bit_generator if isinstance(generator, np.random.Generator) else generator._bit_generator


def _has_state(generator: random.Random) -> bool:
    return not isinstance(generator, random.SystemRandom)


def _swap(pairs: list[tuple[Any, Any]]) -> None:
    """Put the second of each pair where the first is held: in modules, objects and dictionaries, not in classes."""
    new = {id(old): replacement for old, replacement in pairs}
    for holder in gc.get_referrers(*(old for old, _ in pairs)):
        held = holder if isinstance(holder, dict) else getattr(holder, "__dict__", None)
        if isinstance(held, dict) and "__module__" not in held and held is not new:
            for name, value in list(held.items()):
                if id(value) in new:
                    held[name] = new[id(value)]
