"""A score that somebody else wrote: any function of released plans, however it was thought of.

It is called as `score(atoms, masses)` with int64[runs, L] (-1 where a plan has fewer atoms) and float64[runs, L] in
units of mass, rounded as for the ideal verdict, and returns one finite number a run.  Which corpus a value speaks for
is learned on training runs, so that neither sign nor scale matters; and a bad score finds nothing, but accuses nobody.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

import numpy as np

from dpspin.errors import UsageError
from dpspin_audits.draws import Draws
from dpspin_audits.statistics.features import Floats

GivenScore = Callable[[Any, Any], Any]


def values(score: GivenScore, draws: Draws, step: float) -> Floats:
    """float64[runs, 1]: what the score says of every plan.

    Raises:
        UsageError: when it raises, or does not return one finite number a run.
    """
    try:
        found = np.asarray(score(draws.atoms, np.round(draws.masses / step) * step), np.float64)
    except Exception as error:
        raise UsageError("the given score", f"raised {type(error).__name__}", "mend it") from error
    if found.shape != (len(draws.atoms),) or not np.isfinite(found).all():
        raise UsageError("the given score", "did not return one finite number a run", "return float64[runs]")
    return found[:, None]


def resolve(spec: str) -> GivenScore:
    """The function that `py:module:attr` names.

    Raises:
        UsageError: when the address, the import or the attribute is wrong.
    """
    scheme, _, name = spec.partition(":")
    try:
        found: Any = resolve_name(name) if scheme == "py" and ":" in name else None
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"--score {spec}", f"cannot be imported ({error})", "name a function of a module") from error
    if not callable(found):
        raise UsageError(f"--score {spec}", "is not a function", 'write "py:module:attr"')
    return found  # type: ignore[no-any-return]
