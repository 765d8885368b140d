"""What each method is and what its writer is given, in words: the same for every corpus."""

from typing import NamedTuple

EXTRACTIVE, TEMPLATE = "direct, extractive", "direct, template"
REDACTED = "redacted by rules, extractive"
CLUSTERING = "clustering"
WITHOUT_NOISE = "plan verbalised without noise"
PLAN = "DP-SPIN plan"
KEYWORDS, CATEGORIES = "DP keyword histogram", "DP category histogram"
URANIA = "URANIA-style"


class Method(NamedTuple):
    """One method, for the reader of a table."""

    how: str
    """What it does."""
    given: str
    """What the writer of its summary sees of the protected records."""


METHODS = {
    EXTRACTIVE: Method("sentences whose words most units use, verbatim", "every protected text"),
    TEMPLATE: Method("exact counts of categories and keywords in fixed words", "every protected text and label"),
    REDACTED: Method("the same sentences after redaction by rules", "every protected text, redacted by rules"),
    CLUSTERING: Method(
        "spherical k-means of at most 2,500 units; small clusters are dropped, the others described by their terms",
        "exact sizes of large clusters, and words of protected texts",
    ),
    WITHOUT_NOISE: Method("the plan's own pipeline without noise", "the exact top L atoms and their exact masses"),
    PLAN: Method("noise on masses of fixed atoms, the L highest in fixed sentences", "admitted atoms, noisy masses"),
    KEYWORDS: Method(
        "noise on the counts of a public vocabulary, at most five words a unit", "the L highest words, noisy counts"
    ),
    CATEGORIES: Method(
        "noise on the counts of public categories, by the label that the source gives a record",
        "the L highest categories, noisy counts",
    ),
    URANIA: Method(
        "noisy k-means, a threshold on noisy sizes, noisy keyword counts of every cluster",
        "noisy sizes of the clusters kept, and their highest public keywords",
    ),
}
"""By name, in the order in which tables have them; the first five have no guarantee and stay with the curator."""
