"""Releases whose randomness is held: the same draws for whatever records, so that a difference comes from records.

Three ways, the strongest first.  A subject that is `NoiseInjectable` is given its noise, and shows the exact values
that the noise is for.  Any subject in this process is tapped (`noise.tap`).  A `Seedable` one is given a seed.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

from dpspin import canonical
from dpspin.errors import DpspinError, SubjectError
from dpspin_audits.handed import RecordsChanged, hand
from dpspin_audits.noise.source import Asked, Frozen, Silent
from dpspin_audits.noise.tap import Tap
from dpspin_audits.noise.tapped import Draw
from dpspin_audits.running.outcomes import captured
from dpspin_audits.subject import BlackBox, Decodes, NoiseInjectable, Records, Seedable

Variant = Literal["injected", "tap", "seeded"]
SEEDS = (b"one", b"two")
NEEDS = "needs `release_with`, draws that a tap in this process can hold, or `release_seeded`"


class Run(NamedTuple):
    """One release, and what was drawn for it."""

    bundle: Mapping[str, bytes]
    decoder: bytes | None
    """What the decoder is given for its plan, where that is asked for and the subject shows it."""
    draws: tuple[Draw, ...]
    """As a tap saw them; nothing with a seed."""
    asked: tuple[Asked, ...] = ()
    """Queries of injected noise."""


Release = Callable[[Records, bytes], Run]


class Held:
    """Releases of one subject under a tap that is in place."""

    def __init__(self, subject: BlackBox, tap: Tap, *, decoders: bool) -> None:
        self._subject, self._tap, self._decoders = subject, tap, decoders

    @property
    def injectable(self) -> bool:
        """Whether noise can be put in."""
        return isinstance(self._subject, NoiseInjectable)

    def injected(self, records: Records, noise: Frozen | Silent) -> Run:
        """A release under this noise; other draws are the same in every run.

        Raises:
            SubjectError: when it raises, or its plan bears no stamp.
        """
        own = self._own(NoiseInjectable)
        self._tap.restart(SEEDS[0])
        bundle = hand(records, "release_with", lambda given: own.release_with(given, noise))
        _check_stamp(bundle, "release_with")
        return Run(bundle, self._decoder_input(own, bundle), (), tuple(noise.asked))

    def tapped(self, records: Records, seed: bytes = SEEDS[0], lift: float | None = 0.0) -> Run:
        """A release under the tap: noise of a known law is constant unless `lift` is None.

        Raises:
            SubjectError: when it raises.
        """
        own = self._subject.fresh()
        self._tap.restart(seed, lift)
        bundle = hand(records, "release", own.release)
        if self._tap.elsewhere:
            raise SubjectError("the subject", "release draws random numbers in several threads")
        draws = tuple(self._tap.draws)
        return Run(bundle, self._decoder_input(own, bundle), draws)

    def seeded(self, records: Records, seed: bytes) -> Run:
        """A release by seed.

        Raises:
            SubjectError: when it raises, or its plan bears no stamp.
        """
        own = self._own(Seedable)
        bundle = hand(records, "release_seeded", lambda given: own.release_seeded(given, seed))
        _check_stamp(bundle, "release_seeded")
        return Run(bundle, self._decoder_input(own, bundle), ())

    def _decoder_input(self, own: object, bundle: Mapping[str, bytes]) -> bytes | None:
        if not self._decoders or not isinstance(own, Decodes):
            return None
        try:
            return bytes(own.decoder_input(bundle["plan.json"]))
        except Exception as error:  # an outcome like any other
            return type(error).__name__.encode()

    def _own(self, protocol: type) -> Any:
        own = self._subject.fresh()
        if not isinstance(own, protocol):
            raise SubjectError("the subject", f"a new instance is not {protocol.__name__}")
        return own

    def ways(self, records: Records) -> dict[Variant, Release]:
        """Ways of releasing with common random numbers that repeat themselves on these records."""
        found: dict[Variant, Release] = {"tap": self.tapped}
        if isinstance(self._subject, Seedable):
            found["seeded"] = self.seeded
        return {variant: release for variant, release in found.items() if _repeats(release, records)}


@contextmanager
def holding(subject: BlackBox, *, decoders: bool = False) -> Iterator[Held]:
    """Held releases of a subject; what it prints meanwhile is for other checks.

    Args:
        subject: under audit.
        decoders: whether runs show what the decoder is given, where the subject shows that; it costs a text each.
    """
    with captured(), Tap() as tap:
        yield Held(subject, tap, decoders=decoders)


def _repeats(release: Release, records: Records) -> bool:
    """Whether a release is the same twice; one that breaks off is not held.

    Raises:
        RecordsChanged: when the subject changes what it is given.
    """
    try:
        return release(records, SEEDS[0]).bundle == release(records, SEEDS[0]).bundle
    except RecordsChanged:
        raise
    except SubjectError:
        return False


def _check_stamp(bundle: Mapping[str, bytes], what: str) -> None:
    """Noise that somebody chose must never look like a release's own."""
    if "plan.json" not in bundle:
        return
    try:
        stamp = canonical.loads(bundle["plan.json"], "plan.json")["stamp"]
    except (DpspinError, KeyError, TypeError):
        stamp = None
    if not stamp or not isinstance(stamp, str):
        raise SubjectError("the subject", f"{what} returned a plan without a stamp")
