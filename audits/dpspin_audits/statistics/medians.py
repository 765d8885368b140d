"""Distribution-free confidence intervals of a median from order statistics.

If the values are independent with median M, the number below M is at most binomial (n, 1/2), and so is the number
above, whatever the law and whether or not it has ties (David and Nagaraja 2003, section 7.1).  Hence the r-th smallest
value exceeds M with probability at most P(Bin(n, 1/2) < r), and likewise from above.
"""

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

Floats = npt.NDArray[np.float64]


def rank_below(count: int, alpha: float) -> int:
    """The largest r with P(Bin(count, 1/2) < r) <= alpha / 2, or 0 where there is none."""
    return int(np.searchsorted(bdtr(np.arange(count // 2 + 1), count, 0.5), alpha / 2, side="right"))


def median_interval(values: Floats, alpha: float) -> tuple[float, float]:
    """An interval that holds the median with probability at least 1 - alpha; unbounded where values are too few."""
    rank = rank_below(len(values), alpha)
    if rank == 0:
        return -np.inf, np.inf
    ordered = np.sort(values)
    return float(ordered[rank - 1]), float(ordered[-rank])


def shift_interval(before: Floats, after: Floats, alpha: float) -> tuple[float, float]:
    """An interval that holds the absolute difference of two medians with probability at least 1 - alpha."""
    (low, high), (new_low, new_high) = median_interval(before, alpha / 2), median_interval(after, alpha / 2)
    return max(new_low - high, low - new_high, 0.0), max(new_high - low, high - new_low)
