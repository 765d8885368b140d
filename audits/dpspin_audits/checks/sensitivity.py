"""sensitivity: how far one record can move the sums that noise is added to.

Where the subject shows its contribution map, the map is searched for a record that breaks Eq. (1) of the paper; a hit
is a violation for certain.  Whatever it shows, released masses of atoms that are always admitted must not shift by more
than Delta_1: the shift of a median is bounded without any assumption on the noise.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, cycle, islice
from operator import index
from typing import SupportsIndex

from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.errors import SubjectError
from dpspin.plan import exact
from dpspin_audits.checks.check import Check, at_least, at_most
from dpspin_audits.judgement import Judgement
from dpspin_audits.pairs import Maker
from dpspin_audits.subject import Claim, Record, Staged
from dpspin_audits.trials import derive, stream

ID = "sensitivity"
REMEDY = "scale every record's contribution to at most the claimed bound, record by record, in integers"
TELLING = 0.5
"""A pass without `contribution` needs an interval narrower than this part of Delta_1."""
HOSTILE = (
    "", " ", "\x00", "\ufeff", "\u202e", "\ud7ff", "'", '"', "\\", "%s", "{0}", "${x}", "<b>", "null", "NaN", "-1",
    "1e999", "\n\n", "\t", "a" * 100_000, "é" * 1000, "ｆｕｌｌ", "ß", "İ", "ﬁ", "\U0001f525" * 50, "़" * 100, "0" * 400,
)  # fmt: skip


def texts(words: Sequence[str], count: int, seed: bytes) -> list[str]:
    """At least `count` texts: hostile ones, long repetitions, and random mixtures of words with weight."""
    coin = stream(derive(seed, "texts"))
    mixed = [
        " ".join(words[at] for at in coin.integers(0, len(words), int(coin.integers(1, 60)))) for _ in range(count)
    ]
    wild = [f"{text}{hostile}{text.upper()}" for text, hostile in zip(mixed, cycle(HOSTILE), strict=False)]
    long = [f"{word} " * 5000 for word in islice(words, 20)]
    return list(chain(HOSTILE, long, mixed[: count // 2], wild[count // 2 :]))


def check(
    subject: object, claim: Claim, judgements: Sequence[Judgement], maker: Maker, searched: Sequence[str]
) -> Check:
    """The verdict, by the strongest variant that the subject offers.

    Args:
        subject: it may offer `contribution` and `fresh`.
        claim: what it promises.
        judgements: families already tried; their shifts are used.
        maker: makes records.
        searched: texts to try.

    Raises:
        SubjectError: when `contribution` raises.
    """
    limit = sensitivity(claim.adjacency, claim.mass_bound, len(maker.setting.universe)).l1
    shown = _searched(subject, claim, maker, searched) if isinstance(subject, Staged) else None
    if shown is not None and shown.status == "fail":
        return shown
    shifts = [judgement.shift for judgement in judgements if judgement.shift is not None]
    measured = _measured(shifts, limit)
    return measured if shown is None or measured.status == "fail" else shown


def _measured(shifts: Sequence[tuple[float, float]], limit: Fraction) -> Check:
    """The verdict on released masses: intervals for the shift, each at the level of one test."""
    if not shifts:
        return Check(
            ID, "not_run", "statistical", "The influence of one record was not tested.", {},
            "needs `contribution`, or `sample` and atoms that are always admitted", "offer `contribution`",
        )  # fmt: skip
    low, high = max(shifts)
    figures = {"shift_at_least": at_least(low), "shift_at_most": at_most(high)}
    if Fraction(low) > limit:
        return Check(
            ID, "fail", "statistical", f"One record moves the sums by more than {exact(limit)}.", figures,
            f"released masses shift by at least {at_least(low)}, more than Delta_1 = {exact(limit)}", REMEDY,
        )  # fmt: skip
    if min(high - low for low, high in shifts) > TELLING * limit:
        return Check(
            ID, "inconclusive", "statistical", "The influence of one record was not measured closely.", figures,
            "the interval is wider than half of Delta_1", "audit with more runs",
        )  # fmt: skip
    summary = f"Released masses shift by at most {at_most(high)}; Delta_1 is {exact(limit)}."
    return Check(ID, "pass", "statistical", summary, figures)


def _searched(subject: Staged, claim: Claim, maker: Maker, searched: Sequence[str]) -> Check:
    """Try the contribution map on every text, forwards, and on a new instance backwards."""
    records = maker.copies("search", searched)
    found = [_contribution(subject, record) for record in records]
    again = _fresh(subject)
    backwards = [_contribution(again, record) for record in reversed(records)][::-1]
    width = len(maker.setting.universe)
    atoms = maker.setting.deployment.assignment.max_atoms
    problem = next((p for vector in found if (p := broken(vector, width, atoms, claim.mass_bound))), None)
    if problem is None and found != backwards:
        problem = "the same record contributes something else in another order"
    figures: dict[str, object] = {
        "texts": len(records),
        "largest_total": exact(max(Fraction(sum(map(Fraction, vector))) for vector in found) / MASS_UNIT),
        "most_atoms": max(sum(value != 0 for value in vector) for vector in found),
    }
    if problem is not None:
        return Check(ID, "fail", "exact_on_hit", "A record breaks the contribution bound.", figures, problem, REMEDY)
    bound = exact(claim.mass_bound)
    summary = f"No text of {len(records):,} contributes more than {bound} or touches more than {atoms} atoms."
    return Check(ID, "pass", "exact_on_hit", summary, figures)


def broken(vector: Sequence[object], width: int, max_atoms: int, bound: Fraction) -> str | None:
    """What is wrong with a contribution in lattice units, or None (paper Eq. 1, spec.md section 1)."""
    if len(vector) != width:
        return f"a contribution has {len(vector)} entries for {width} atoms"
    values = [index(value) for value in vector if isinstance(value, SupportsIndex) and not isinstance(value, bool)]
    if len(values) < width:
        return "a contribution holds something other than integers"
    if min(values) < 0:
        return "a contribution is negative"
    if sum(value > 0 for value in values) > max_atoms:
        return f"a record touches {sum(value > 0 for value in values)} atoms, more than {max_atoms}"
    if sum(values) > bound * MASS_UNIT:
        return f"a record contributes {at_least(sum(values) / MASS_UNIT)} in total, more than {exact(bound)}"
    return None


def _fresh(subject: Staged) -> Staged:
    again = getattr(subject, "fresh", lambda: subject)()
    return again if isinstance(again, Staged) else subject


def _contribution(subject: Staged, record: Record) -> list[int]:
    try:
        return list(subject.contribution(record))
    except Exception as error:
        raise SubjectError("the subject", f"contribution raised {type(error).__name__}") from error
