"""rng: whether the noise can be predicted, repeated or subtracted.

Releases of one corpus must differ: from new instances, from one instance twice, under fixed seeds of Python's and
numpy's global generators, and from processes whose clocks, numbers and hash seeds are alike.  Equal values can come by
chance where masses are coarse.  Therefore k blocks of two releases count as repeated only if the two of every block are
equal and no two blocks are: of all ways to pair 2k exchangeable releases, at most one in (2k-1)!! does that.  No number
in a bundle may be the seed of the noise, and the first seeds of common generators must not give it either.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.errors import SubjectError, UsageError
from dpspin_audits.bundle import Files, released_masses
from dpspin_audits.checks import seeds
from dpspin_audits.checks.check import Check, Location
from dpspin_audits.checks.leaves import leaves, line_of
from dpspin_audits.checks.seeds import noise_of
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.running.outcomes import Conduct, Elsewhere, kind, observe, release
from dpspin_audits.subject import BlackBox, Claim, Records, Seedable

ID = "rng"
BLOCKS = 8
"""15!! = 2,027,025: a chance of one in two million."""
ALWAYS = 100
"""So many equal releases of new instances are no chance."""
PROCESSES, ORDINARY = 4, 24
"""So many processes must agree, while none of so many ordinary releases does."""
SEED_NAME = re.compile(r"(^|[^a-z])(seed|random_?state|rng|entropy)([^a-z]|$)", re.IGNORECASE)
SEED_VALUE = re.compile(r"[0-9]{1,40}|(0x)?[0-9a-f]{8,128}", re.IGNORECASE)
REMEDY = "draw every release's noise from the operating system's cryptographic generator, and publish no seed"


def check(
    subject: BlackBox, claim: Claim, maker: Maker, elsewhere: Elsewhere | None = None, contact: Conduct | None = None
) -> Check:
    """The verdict.

    Args:
        subject: the implementation.
        claim: its scale is used to replay noise.
        maker: makes a corpus some atoms of which are always admitted, and knows its exact masses.
        elsewhere: None where releases in new processes cannot be had.
        contact: what became of releases in such a process, first of the empty corpus.

    Raises:
        SubjectError: when a release raises.
    """
    always = [found.heaviest for found in maker.probes.single[:2]]
    members = [member for found in maker.probes.single[:2] for member in maker.heavy(found)]
    records, exact = maker.records(members), [mass / MASS_UNIT for mass in maker.masses(members)]
    first, second = release(subject, records), release(subject, records)
    alike = None if elsewhere is None or contact is None else partial(_alike, subject, elsewhere, contact)
    compared, repeated = _repeated(_Tried(subject, records, always), (first, second), alike)
    touched = _touched(subject, records)
    figures: dict[str, object] = {"compared": compared, "global_generators": touched, "seeds": seeds.TRIED}
    if isinstance(subject, Seedable):
        figures["seed_bytes"] = f"{_used(subject, records)} of {seeds.SEED_BYTES}"
    if repeated is not None:
        return _fail(figures, f"releases from {repeated} are equal", "plan.json")
    named = next(_named(first), None)
    if named is not None:
        return _fail(figures, f"{named!a} is a published seed by its name", *_place(named, first))
    scale = float(claim.scale or 0)
    replayed = seeds.published(first, second, len(exact), scale)
    if replayed is not None and replayed == seeds.published(first, release(subject, records), len(exact), scale):
        return _fail(figures, f"{replayed!a} is the seed of the noise", *_place(replayed, first))
    guessed = seeds.guessed((first, second), exact, scale)
    if guessed is not None:
        return _fail(figures, f"the noise of two releases is that of seeds {guessed[0]} and {guessed[1]}", "plan.json")
    where = "" if alike else "; new processes were not compared"
    return Check(ID, "pass", "exact_on_hit", f"Releases differ and no seed that was tried gives their noise{where}.",
                 figures)  # fmt: skip


def _place(path: str, bundle: Files) -> Location:
    """Where the value of a path of `leaves` stands."""
    return Location(path.partition(": ")[0], line_of(path, bundle))


def _fail(figures: Mapping[str, object], seen: str, file: str, line: int | None = None) -> Check:
    where = Location(file, line)
    return Check(ID, "fail", "exact_on_hit", "The noise can be repeated.", figures, seen, REMEDY, where)


class _Tried(NamedTuple):
    """A corpus to release, and atoms that are always admitted: their masses must not repeat, whatever the others do."""

    subject: BlackBox
    records: Records
    always: list[int]

    def seen(self, bundle: Files) -> object:
        """What must differ."""
        with suppress(UsageError):
            masses = released_masses(bundle)
            if all(atom in masses for atom in self.always):
                return tuple(masses[atom] for atom in self.always)
        return noise_of(bundle)

    def once(self) -> object:
        """That of a new instance's release."""
        return self.seen(release(self.subject, self.records))


def _repeated(
    tried: _Tried, two: tuple[Files, Files], alike: Callable[[], bool] | None
) -> tuple[list[str], str | None]:
    """What was compared, up to the first way of releasing whose noise repeats, and that way."""
    ordinary = (tried.once() for _ in range(ALWAYS))
    ways: dict[str, Callable[[], bool]] = {
        "two new instances": lambda: len({tried.seen(bundle) for bundle in two}) == 1 == len({*ordinary}),
        "one instance twice": lambda: in_blocks(_twice(tried) for _ in range(BLOCKS)),
        "one fixed global seed": lambda: in_blocks(_seeded(tried, 20260101 + n) for n in range(BLOCKS)),
    }
    if alike is not None:
        ways["new processes with the same clock"] = alike
    compared = []
    for name, repeats in ways.items():
        compared.append(name)
        if repeats():
            return compared, name
    return compared, None


def in_blocks(blocks: Iterator[tuple[object, object]]) -> bool:
    """Whether the two of every block are equal and no two blocks are; it stops at the first that says no."""
    seen = set()
    for one, other in blocks:
        if one != other or one in seen:
            return False
        seen.add(one)
    return True


def _twice(tried: _Tried) -> tuple[object, object]:
    """Two releases of one instance; one that refuses the second gives something that equals nothing."""
    instance = tried.subject.fresh()
    one, other = (observe(lambda: instance.release(tried.records)).bundle for _ in range(2))
    return (object(), object()) if one is None or other is None else (tried.seen(one), tried.seen(other))


def _seeded(tried: _Tried, seed: int) -> tuple[object, object]:
    """Two releases, each with the global generators at the same state, which is put back afterwards."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    try:
        both = []
        for _ in range(2):
            random.seed(seed)
            np.random.seed(seed)
            both.append(tried.once())
        return both[0], both[1]
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)


def _touched(subject: BlackBox, records: Records) -> str:
    """Whether a release draws from the global generators, be it for something that is no noise."""
    before = random.getstate(), repr(np.random.get_state(legacy=False))
    release(subject, records)
    after = random.getstate(), repr(np.random.get_state(legacy=False))
    return "untouched" if before == after else "used"


def _used(subject: Seedable, records: Records) -> int:
    try:
        return seeds.used(subject, records)
    except Exception as error:
        raise SubjectError("the subject", f"release_seeded raised {kind(error)}") from error


def _alike(subject: BlackBox, elsewhere: Elsewhere, contact: Conduct) -> bool:
    """Whether processes that cannot tell each other apart release the same, and ordinary releases never do."""
    found = set()
    for one in chain([contact], (elsewhere([()]) for _ in range(PROCESSES - 1))):
        if not one.outcomes or one.outcomes[0].bundle is None:
            return False
        found.add(noise_of(one.outcomes[0].bundle))
        if len(found) > 1:
            return False
    return len({noise_of(release(subject, ())) for _ in range(ORDINARY)}) == ORDINARY


def _named(bundle: Files) -> Iterator[str]:
    for path, value in sorted(leaves(bundle).items()):
        if SEED_NAME.search(path.partition(": ")[2].rpartition(".")[2]) and SEED_VALUE.fullmatch(value):
            yield path
