"""Plans for the decoder's tests: one fixed plan with awkward labels and ties, and random ones."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from dpspin import plan
from dpspin.plan import PlanTerms, SemanticPlan
from dpspin.universe import Universe, fold, label_problem

LABELS = (
    "dry skin",
    "dry skin care",
    "account access",
    "account access denied",
    "Fees",
    "Late fees",
    "Debt collection / Debt is not yours / Was paid, or settled",
    "U.S. mail",
    "hair loss",
    "hair gloss",
    "shipping",
    "crème",
    "crémé",
    "account",
    "Fees and interest",
    "size (too small)",
)
MASSES = {0: 256_400, 2: 231_400, 4: 231_400, 6: 60_041, 7: 12_400, 8: -3_200, 10: 20_000}
"""In thousandths; dry skin is above account access by the margin exactly, and account access ties with Fees."""


def universe(labels):
    return Universe(tuple(labels), (None,) * len(labels))


@pytest.fixture(scope="session")
def terms() -> PlanTerms:
    return PlanTerms(
        universe=universe(LABELS),
        mechanism="gaussian",
        epsilon="1.0",
        delta="1e-5",
        plan_size=7,
        mass_unit=1000,
        denominator=2_000_000,
        bins=("below noise floor", "low", "moderate", "very high"),
        cuts=(2, 12),
        cut_scale=100,
        floor=13_000,
        margin=25_000,
        mass_digits=1,
        support_digits=3,
        public_text={
            "count": "A noisy mass is not a count of reviews.",
            "share": "Normalised support isn't a share of reviews. It may exceed 1.",
        },
        stamp=None,
    )


@pytest.fixture(scope="session")
def fixed(terms) -> SemanticPlan:
    return plan.build(list(MASSES.items()), terms)


@pytest.fixture(scope="session")
def stamped(terms) -> SemanticPlan:
    return plan.build(list(MASSES.items()), replace(terms, stamp=plan.SEEDED))


LETTERS = "abkzABKZéßİſДλ漢7"
ODD = LETTERS + LETTERS + " .,:;-/'&()’"


def labels(alphabet, least=1, most=30):
    label = st.text(alphabet, min_size=1, max_size=12).filter(lambda text: label_problem(text) is None)
    return st.lists(label, min_size=least, max_size=most, unique_by=fold)


@st.composite
def _plans(draw, alphabet=ODD, most=30):
    names = draw(labels(alphabet, most=most))
    size = draw(st.integers(1, 12))
    unit = draw(st.sampled_from([1, 10, 1000, 2**20]))
    mass = st.one_of(st.sampled_from([0, unit, 5 * unit, -unit]), st.integers(-1_000 * unit, 100_000 * unit))
    bins = draw(st.sampled_from([("low",), ("low", "moderate", "high"), ("few", "quite a lot")]))
    cuts = draw(st.lists(st.integers(1, 500), min_size=len(bins) - 1, max_size=len(bins) - 1, unique=True))
    terms = PlanTerms(
        universe=universe(names),
        mechanism="laplace",
        epsilon=draw(st.sampled_from(["1", "0.50", "1/3", "1e-3", "2E+1"])),
        delta=draw(st.sampled_from(["0", "1e-6"])),
        plan_size=size,
        mass_unit=unit,
        denominator=draw(st.integers(1, 10**6)) * unit,
        bins=("below noise floor", *bins),
        cuts=tuple(sorted(cuts)),
        cut_scale=100,
        floor=draw(st.integers(0, 20 * unit)),
        margin=draw(st.integers(0, 50 * unit)),
        mass_digits=draw(st.integers(0, 3)),
        support_digits=draw(st.integers(0, 3)),
        public_text=draw(st.sampled_from([{}, {"count": "No noisy mass is a count of records."}])),
        stamp=draw(st.sampled_from([None, plan.SEEDED])),
    )
    atoms = draw(st.permutations(range(len(names))))[:size]
    return plan.build([(atom, draw(mass)) for atom in atoms], terms)


@pytest.fixture(scope="session")
def plans():
    """Random plans whose labels may hold anything that a universe allows, marks of the language included."""
    return _plans()


@pytest.fixture(scope="session")
def plain_plans():
    """Random plans whose labels cannot run into the words around them."""
    return _plans(LETTERS, 12)
