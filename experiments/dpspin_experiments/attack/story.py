"""The people of the demonstration, all invented: a target, what is known of it, and what somebody wants to know.

The secret is what the target complains about: one of two atoms, equally likely.  Everything else in the target's
record is known to the attacker, who writes records about the same details.
"""

from typing import NamedTuple

from dpspin.corpus import synthetic

KNOWN = (
    "I keep the old lighthouse at the harbour, I breed greyhounds, and I wear a glass eye. "
    "My twin brother mends accordions, our parrot speaks Norwegian, and we live above the harbour bakery."
)
"""What the attacker knows of the target, word for word."""
SECRETS = ("Garnishment threatened", "Modification refused")
"""Sub-issues, of which the target complains about one."""
FACTS = 2
POOL = 1500
"""Invented complaints from which every trial takes the other people's records."""
SEED = "poisoning"


class Secret(NamedTuple):
    """One value of the attribute."""

    label: str
    text: str
    """What a record with this value says about it."""


def secrets() -> tuple[Secret, Secret]:
    """Both values, in the words of the embedded corpus."""
    leaves = {leaf.sub_issue: leaf for leaf in synthetic.leaves()}
    found = [leaves[name] for name in SECRETS]
    first, second = (
        Secret(" / ".join(leaf[:3]), " ".join([fact for fact in leaf.facts if "{" not in fact][:FACTS]))
        for leaf in found
    )
    return first, second


def target(secret: Secret) -> str:
    """The target's record."""
    return f"{KNOWN} {secret.text}"


def others() -> list[str]:
    """Texts of other people's records."""
    return [record["text"] for record in synthetic.records(POOL, SEED)]
