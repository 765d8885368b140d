"""Every proven bound on admission with noisy values at one delta, from above and from below."""

from collections.abc import Callable
from fractions import Fraction

from dpspin.accounting import admission as closed_form
from dpspin.accounting import bounded_range, lower_bound, zcdp
from dpspin.accounting.admission import Admission
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.errors import UsageError

CLOSED_FORM = "closed form of selection and values"
BOUNDED_RANGE = "bounded-range composition"
CONCENTRATED = "zero-concentrated composition"
LOWER = "lower bound: two corpora and an event"


def upper(admission: Admission, wanted: Fraction, claim: Fraction) -> dict[str, Fraction]:
    """Losses at delta = `claim`, each of six digits rounded up; what cannot be decided is left out.

    Args:
        admission: what is released.
        wanted: a loss; where the closed form certifies it, no rounding carries the figure beyond it.
        claim: delta, from above 0 to below 1.
    """

    def by_closed_form() -> Fraction:
        found = closed_form.epsilon(admission, claim)
        return min(found, wanted) if closed_form.meets(admission, wanted, claim) else found

    def by_concentration() -> Fraction:
        values = admission.values
        if not isinstance(values, GaussianLoss):
            raise UsageError("values", "Laplace noise is not converted", "ask for the pure cost")
        shape = admission.adjacency, admission.rounds, admission.per_round
        return zcdp.epsilon(zcdp.rho_of_peeling(*shape, values.ratio), claim)

    found = {
        CLOSED_FORM: _known(by_closed_form),
        BOUNDED_RANGE: _known(lambda: bounded_range.epsilon(bounded_range.of_peeling(admission), claim)),
        CONCENTRATED: _known(by_concentration),
    }
    return {name: loss for name, loss in found.items() if loss is not None}


def lower(admission: Admission, universe_size: int, claim: Fraction) -> Fraction | None:
    """A loss that is not enough at delta = `claim`, of six digits rounded down; None for Laplace values."""
    return _known(lambda: lower_bound.epsilon(admission, universe_size, claim))


def _known(found: Callable[[], Fraction]) -> Fraction | None:
    try:
        return found()
    except UsageError:
        return None
