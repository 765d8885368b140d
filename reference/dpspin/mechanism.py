"""The release mechanisms as declared: inert data, accounted and run elsewhere (paper sections 5.4 to 5.6)."""

from typing import Annotated, Literal

from pydantic import Field

from dpspin.settings import Between, Positive, Probability, Strict


class Laplace(Strict):
    """Discrete Laplace noise on every atom, then the L highest (paper section 5.4)."""

    kind: Literal["laplace"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release, from 2^-20 to 2^20."""
    delta: Probability
    """"0", and nothing else: the mechanism is pure."""


class Gaussian(Strict):
    """Rounded Gaussian noise on every atom, then the L highest (paper section 5.5)."""

    kind: Literal["gaussian"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release, from 2^-20 to 2^20."""
    delta: Between
    """Probability outside that loss."""
    calibration: Literal["analytic", "classical"]
    """Rule that gives sigma."""


class PrivateTopL(Strict):
    """Exponential-mechanism admission, then noisy values of the admitted atoms (paper section 5.6)."""

    kind: Literal["private_top_l"]
    """The mechanism."""
    epsilon: Positive
    """Privacy loss claimed for one release, from 2^-20 to 2^20."""
    delta: Probability
    """Probability outside that loss."""
    em_mode: Literal["paper", "tight"]
    """Exponent of the paper, or the sharper one."""
    selection_share: Between
    """Share of epsilon spent on admission; the rest is spent on values."""
    values: Literal["gaussian", "laplace"]
    """Noise of the admitted values."""


Mechanism = Annotated[Laplace | Gaussian | PrivateTopL, Field(discriminator="kind")]


def is_pure(mechanism: Laplace | Gaussian | PrivateTopL) -> bool:
    """Whether the mechanism spends no delta."""
    return mechanism.kind == "laplace" or (mechanism.kind == "private_top_l" and mechanism.values == "laplace")
