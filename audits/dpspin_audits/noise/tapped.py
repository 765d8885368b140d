"""Random draws as a tap hands them out: every call is written down, and noise of a known law is made constant.

Only draws that are noise by their law become constant: symmetric noise becomes its centre (plus one scale, where a tap
asks for it), other laws their median, so that a difference of two such draws is no noise either.  Whatever else is
drawn, uniform numbers among it, follows from the tap's seed: it is the same in every release, and no loop that waits
for a lucky draw waits for ever.
"""

import random
from collections.abc import Callable, Mapping
from math import log
from typing import Any, NamedTuple, Protocol

import numpy as np


class Draw(NamedTuple):
    """One draw as it was asked for: public, unless a subject lets records decide it."""

    family: str
    scale: str
    size: str


class Recorder(Protocol):
    """Where draws are written down."""

    @property
    def lift(self) -> float | None:
        """Scales by which symmetric noise is lifted; None leaves noise as it is drawn."""
        ...

    def note(self, draw: Draw) -> bool:
        """Write a draw down; False where this call is none of the tap's: another thread's, or inside of another."""
        ...

    def inner(self) -> Any:
        """A context in which draws are parts of another one."""
        ...


class Law(NamedTuple):
    """How a method's arguments are read, and its constant."""

    names: tuple[str, ...]
    """Parameters in order."""
    defaults: tuple[float, ...]
    constant: Callable[[Mapping[str, Any], float], Any] | None
    """From arguments and lift; None for draws that follow from the seed."""


def _centred(location: str, scale: str) -> Callable[[Mapping[str, Any], float], Any]:
    return lambda given, lift: np.asarray(given[location], float) + lift * np.asarray(given[scale], float)


_LOCATED = Law(("loc", "scale", "size"), (0.0, 1.0), _centred("loc", "scale"))
NUMPY: dict[str, Law] = {
    "laplace": _LOCATED,
    "normal": _LOCATED,
    "logistic": _LOCATED,
    "gumbel": _LOCATED,
    "standard_normal": Law(("size",), (), lambda _, lift: lift),
    "exponential": Law(("scale", "size"), (1.0,), lambda given, _: log(2) * np.asarray(given["scale"], float)),
    "standard_exponential": Law(("size",), (), lambda *_: log(2)),
    "multivariate_normal": Law(("mean", "cov", "size"), (), None),
    **dict.fromkeys(("random", "random_sample", "rand", "randn", "uniform", "integers", "randint", "bytes", "choice"),
                    Law(("size",), (), None)),
    **dict.fromkeys(("geometric", "poisson", "binomial", "gamma", "standard_gamma", "standard_cauchy", "permutation",
                     "shuffle", "beta", "chisquare", "negative_binomial"), Law(("scale", "size"), (), None)),
}  # fmt: skip
"""Methods of `Generator` and `RandomState`."""
PYTHON: dict[str, Law] = {
    "gauss": Law(("mu", "sigma"), (0.0, 1.0), lambda given, lift: given["mu"] + lift * given["sigma"]),
    "normalvariate": Law(("mu", "sigma"), (0.0, 1.0), lambda given, lift: given["mu"] + lift * given["sigma"]),
    "expovariate": Law(("lambd",), (1.0,), lambda given, _: log(2) / given["lambd"]),
    **dict.fromkeys(("uniform", "triangular", "randint", "randrange", "choice", "choices", "sample", "shuffle",
                     "betavariate", "gammavariate", "lognormvariate", "vonmisesvariate", "paretovariate",
                     "weibullvariate"), Law((), (), None)),
}  # fmt: skip
"""Methods of `random.Random`."""


def method(name: str, law: Law, original: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """A draw in place of the original one, bound or not; whatever comes first and is not named is passed on."""

    def drawn(*arguments: Any, **named: Any) -> Any:
        given = _given(law, arguments, named)
        draw = Draw(name, _shown(given.get("scale", given.get("sigma", given.get("lambd")))), _shown(given.get("size")))
        if not recorder.note(draw):
            return original(*arguments, **named)
        if recorder.lift is None or law.constant is None or given.get("out") is not None:
            with recorder.inner():
                return original(*arguments, **named)
        return _filled(law.constant(given, recorder.lift), given.get("size"))

    drawn.__name__ = name
    return drawn


def unbound(name: str, law: Law, original: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """The same for a function in a class."""

    def drawn(self: Any, *arguments: Any, **named: Any) -> Any:
        bound = method(name, law, original.__get__(self), recorder)
        return bound(*arguments, **named)

    drawn.__name__ = name
    return drawn


def _given(law: Law, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    defaults = dict(zip(law.names, law.defaults, strict=False))
    return {**defaults, **dict(zip(law.names, arguments, strict=False)), **named}


def _filled(value: Any, size: Any) -> Any:
    """The constant in the shape that was asked for."""
    if size is None:
        return float(value) if np.ndim(value) == 0 else np.array(value)
    return np.broadcast_to(value, size).copy()


def _shown(value: Any) -> str:
    """A scale or a size as text: what it is, or the shape of an array."""
    if value is None:
        return ""
    return f"array{np.shape(value)}" if np.ndim(value) else str(value)


class _Stand(type):
    """Of a class that stands in its base's place: what is an instance of the base is one of it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__mro__[1])


def numpy_class(base: type, recorder: Recorder) -> type:
    """A subclass of `Generator` or `RandomState` whose draws are a tap's."""
    drawn = {
        name: unbound(name, law, getattr(base, name), recorder) for name, law in NUMPY.items() if hasattr(base, name)
    }
    return _Stand(base.__name__, (base,), drawn)


def python_methods(recorder: Recorder) -> dict[str, Callable[..., Any]]:
    """Functions to stand in `random.Random`."""
    return {name: unbound(name, law, vars(random.Random)[name], recorder) for name, law in PYTHON.items()}
