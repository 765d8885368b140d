"""The report's words for what evidence names by an id."""

from typing import NamedTuple

from dpspin_audits.checks.check import WORST_FIRST

STATUSES = WORST_FIRST
"""The order of tables."""


class Section(NamedTuple):
    """A numbered part of the report."""

    id: str
    number: int
    title: str


SECTIONS = {
    id_: Section(id_, number, title)
    for number, (id_, title) in enumerate(
        (
            ("checks", "Verdict and checks"),
            ("claim", "The claim in words"),
            ("accounting", "Accounting"),
            ("measure", "Measurements"),
            ("plan", "Plan and summary"),
            ("ledger", "Decoder-visible ledger"),
            ("conformance", "Conformance"),
            ("gaps", "Proofs and gaps"),
            ("utility", "Utility and bias"),
            ("hazards", "NIST SP 800-226"),
            ("registry", "Registry entry"),
            ("assume", "Assumptions, waivers"),
            ("repro", "Reproduction"),
            ("terms", "Terms"),
        ),
        start=1,
    )
}


class Subject(NamedTuple):
    """What a check is about."""

    title: str
    why: str
    """Why a violation matters."""
    section: str
    """Id of the section that says more."""


CHECKS = {
    "distribution.ideal": Subject(
        "Distribution of the released masses",
        "The released masses tell two corpora that differ in one unit apart better than the claim allows. "
        "Whoever relies on the claim is exposed to the larger loss.",
        "measure",
    ),
    "distribution.bits": Subject(
        "Low-order bits of the noise",
        "The last digits of the masses tell corpora apart, although the rounded masses may not. "
        "Anyone who holds the plan file holds these digits.",
        "measure",
    ),
    "sensitivity": Subject(
        "Influence of one unit on the sums",
        "The noise is scaled to the largest influence that one unit may have. One unit with more influence than that "
        "is covered less than the claim says.",
        "claim",
    ),
    "noninterference": Subject(
        "Paths past the plan",
        "What is computed from records after the noise was added is outside the claim.",
        "ledger",
    ),
    "locality": Subject(
        "Each record scored by itself",
        "If one record changes how others are scored, its influence has no known limit.",
        "claim",
    ),
    "grouping": Subject(
        "Grouping of records by user",
        "Records of one user that are not grouped together count as several users, and the loss grows with each.",
        "claim",
    ),
    "support": Subject(
        "Outcomes that one corpus alone can give",
        "An outcome that can occur for one of two corpora and not for the other settles the question at once.",
        "measure",
    ),
    "sampling": Subject(
        "Samples against releases",
        "Bounds were measured on samples. Where releases have another law, they say nothing about what is published.",
        "measure",
    ),
    "independence": Subject(
        "Independence of runs", "Noise that repeats can be averaged away or subtracted.", "measure"
    ),
    "rng": Subject(
        "Random generator",
        "Noise that can be predicted or repeated can be subtracted; the exact masses then lie open.",
        "assume",
    ),
    "errors": Subject(
        "Messages and exit codes",
        "A message that depends on records is an output without noise.",
        "ledger",
    ),
    "budget": Subject(
        "Budget and order of charges",
        "Releases over one population add up. A charge that is missing or late lets the total exceed what was allowed.",
        "accounting",
    ),
    "conduct": Subject(
        "Nothing but the bundle",
        "What a release writes, sends or leaves running is an output that no charge covers.",
        "ledger",
    ),
    "conduct.processes": Subject(
        "Processes left behind",
        "What goes on running after a release may still send what it knows of records.",
        "ledger",
    ),
    "canary": Subject(
        "Traces of planted records",
        "Text of a record reached the release folder. No noise stands between that text and its reader.",
        "ledger",
    ),
    "hygiene": Subject(
        "Every file in the release folder",
        "A file that was computed from records without a charge has no ε, however small it is. "
        "Exact counts and times let a reader who knows the other records tell whether one is there.",
        "ledger",
    ),
    "tripwire": Subject(
        "Decoder kept away from records", "A decoder that reads records makes the summary an output without noise.",
        "ledger",
    ),
    "timing": Subject("Running time", "How long a run takes may depend on records.", "assume"),
    "accounting.claim": Subject(
        "The formula behind the claimed ε",
        "With the stated noise the loss may exceed the claimed ε, whatever the code does.",
        "accounting",
    ),
    "accounting.certificate": Subject(
        "Calibration certificate", "The noise scale is not shown to meet the claim.", "accounting"
    ),
    "accounting.second_opinion": Subject(
        "Second opinion on the accounting",
        "Two computations of the same loss disagree; one of them is wrong.",
        "accounting",
    ),
    "universe.provenance": Subject(
        "Origin of the themes",
        "Themes taken from the records without a charge reveal what the records contain, noise or not.",
        "assume",
    ),
    "contract": Subject(
        "Every sentence of the summary",
        "A sentence that the plan does not support may be wrong, or may come from somewhere other than the plan.",
        "plan",
    ),
    "conformance": Subject(
        "Agreement with the reference, vector by vector",
        "The code does something else than the stated mechanism.",
        "conformance",
    ),
    "proofs": Subject("Machine-checked proofs", "A statement that this report relies on does not hold.", "gaps"),
}  # fmt: skip

OTHER_LAW = Subject(
    "The released masses do not follow the stated law",
    "The accounted loss was computed for the stated law. The masses follow another one, about which nothing is known "
    "but what was measured.",
    "measure",
)
"""A finding about the mechanism, where nothing contradicts the claim itself."""

LIMITS = {
    "memory": "Memory, swap and logs",
    "samples": "Samples taken for releases",
    "training": "Training on protected records",
    "subjects": "Corpora other than the audited ones",
}
"""Short names for what no check can see."""

STRENGTHS = (
    ("proved", "a machine-checked theorem about the stated mechanism"),
    ("exact", "computed with exact or outward-rounded arithmetic; no chance of a false result"),
    ("exact on hit", "a hit is a violation for certain; no hit means that the search found none, and no more"),
    ("statistical", "can err; the share of false alarms, α, is stated beside each result"),
    ("declared", "stated by the deployer and not testable from here"),
)


def subject_of(check: str) -> Subject:
    """What a check is about; an id that this version does not know stands for itself."""
    return CHECKS.get(check, Subject(check, "The claim may not hold as stated.", "checks"))


def worded(strength: str) -> str:
    """A strength as the report prints it."""
    return strength.replace("_", " ")


def protected(unit: str, adjacency: str) -> str:
    """The protected change in words: one record, added or removed."""
    thing = "one record" if unit == "record" else "all records of one user"
    return f"{thing}, {'added or removed' if adjacency == 'add_drop' else 'replaced by another'}"
