"""The template: always accepted, complete, and no comparison more than needed."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin import kernel, plan
from dpspin.decoder import template
from dpspin.decoder.attempts import Prompt
from dpspin.decoder.claims import Bin, Comparison, Count, Mass, Parameter, PublicText, Rank, Support
from dpspin.decoder.verifier import verify
from dpspin.errors import ImpossibleError

FAST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

DEBT = "Debt collection / Debt is not yours / Was paid, or settled"
SUMMARY = f"""\
The plan releases 7 themes.
A noisy mass is not a count of reviews.
Normalised support isn't a share of reviews. It may exceed 1.

1 released theme is in the very high bin.
- dry skin: noisy mass 256.4, normalised support 0.128, very high bin, rank 1

3 released themes are in the moderate bin.
- account access: noisy mass 231.4, normalised support 0.116, moderate bin, rank 2
- Fees: noisy mass 231.4, normalised support 0.116, moderate bin, rank 3
- {DEBT}: noisy mass 60.0, normalised support 0.030, moderate bin, rank 4

1 released theme is in the low bin.
- shipping: noisy mass 20.0, normalised support 0.010, low bin, rank 5

2 released themes are below the noise floor.
- U.S. mail: noisy mass 12.4, normalised support 0.006, below the noise floor, rank 6
- hair loss: noisy mass -3.2, normalised support 0.000, below the noise floor, rank 7

- dry skin has more support than account access.
- Fees has more support than {DEBT}.
- {DEBT} has more support than shipping.

The public denominator is 2,000.
The plan was released with epsilon 1.0 and delta 1e-5.
"""


def claims(text, released):
    verdict = verify(text, released)
    assert verdict.accepted, verdict.violations
    return [claim for statement in verdict.sentences for claim in statement.claims]


def test_summary_reads_like_this(fixed):
    assert template.summary(fixed) == SUMMARY
    assert template.decoder(Prompt(1, "legacy_text", "", fixed), ()) == SUMMARY


@FAST
@given(st.data())
def test_summary_and_fallback_are_always_accepted(plans, data):
    released = data.draw(plans)
    for write in (template.summary, template.fallback):
        text = write(released)
        assert verify(text, released).accepted
        assert text == write(released)
        assert text.startswith(released.terms.stamp or "")


@FAST
@given(st.data())
def test_summary_states_every_atom_in_full(plain_plans, data):
    released = data.draw(plain_plans)
    said = claims(template.summary(released), released)
    for kind in (Mass, Support, Bin, Rank):
        assert [claim.atom for claim in said if isinstance(claim, kind)] == [atom.index for atom in released.atoms]
    assert said.count(Count(len(released.atoms))) == 1
    assert {claim.id for claim in said if isinstance(claim, PublicText)} >= released.terms.public_text.keys()
    assert {claim.name for claim in said if isinstance(claim, Parameter)} == {"denominator", "epsilon", "delta"}
    counts = [claim for claim in said if isinstance(claim, Count) and claim.bin is not None]
    assert sum(claim.count for claim in counts) == len(released.atoms)
    fallback = claims(template.fallback(released), released)
    assert [claim.atom for claim in fallback if isinstance(claim, Rank)] == [atom.index for atom in released.atoms]
    assert len(fallback) <= len(said)


@FAST
@given(st.data())
def test_links_are_supported_and_imply_every_other_comparison(plans, data):
    released = data.draw(plans)
    atoms, margin = released.atoms, released.terms.margin
    above = {
        (high.rank, low.rank) for high in atoms for low in atoms if kernel.compare(high.mass, low.mass, margin) == 1
    }
    ranks = {atom.index: atom.rank for atom in atoms}
    links = {(ranks[link.left], ranks[link.right]) for link in template.links(released)}
    assert links <= above
    assert above == {(i, j) for i in ranks.values() for j in ranks.values() for a, b in links if i <= a and b <= j}
    for link in links:  # and none can be spared
        assert not any(link[0] <= a and b <= link[1] for a, b in links - {link})


def test_similar_support_is_never_stated(fixed):
    assert "similar" not in template.summary(fixed)


def test_a_label_that_swallows_the_words_around_it_costs_its_lines_only(terms):
    names = ("Fees", "Fees: noisy", "than Mail", "Mail", "Rent")
    odd = replace(terms, universe=replace(terms.universe, labels=names, descriptions=(None,) * 5))
    released = plan.build([(0, 900_000), (3, 500_000), (4, 100_000)], odd)
    said = claims(template.summary(released), released)
    assert [claim.atom for claim in said if isinstance(claim, Rank)] == [3, 4]
    assert [claim for claim in said if isinstance(claim, Comparison)] == [Comparison(3, 4)]
    assert Count(3) in said


def test_a_universe_that_forbids_every_sentence_is_reported(terms):
    names = ("releases 1 theme", "public denominator", "was released", "X", "X: noisy")
    odd = replace(terms, universe=replace(terms.universe, labels=names, descriptions=(None,) * 5), public_text={})
    with pytest.raises(ImpossibleError):
        template.fallback(plan.build([(3, 1)], odd))
