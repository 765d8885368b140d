"""Structured mode: the plan decides every claim, and no word of a writer reaches the text."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.decoder import claims as c
from dpspin.decoder import claims_file, structured, template
from dpspin.decoder.structured import ClaimReader
from dpspin.decoder.verifier import Verifier
from dpspin.plan import SEEDED

FAST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="session")
def reader(fixed):
    return ClaimReader(fixed, Verifier(fixed))


def judged(reader, fixed, *claims):
    return reader.judge(claims_file.encode(claims, fixed.terms))


def test_supported_claims_are_put_into_words(reader, fixed):
    said = c.Count(7), c.PublicText("count"), c.Mass(0, 2564, 1), c.Rank(0, 1), c.Comparison(0, 2), c.Above(2, 4)
    verdict, text = judged(reader, fixed, *said)
    assert verdict.accepted
    assert text == (
        "The plan releases 7 themes.\nA noisy mass is not a count of reviews.\n\n"
        "- dry skin: noisy mass 256.4, rank 1\n\n"
        "- dry skin has more support than account access.\n- account access ranks above Fees.\n"
    )
    assert tuple(claim for statement in verdict.sentences for claim in statement.claims) == said


@pytest.mark.parametrize(
    ("claim", "violation"),
    [
        (c.Mass(0, 2565, 1), (10, "unsupported claim", (1, 2), "dry skin has noisy mass 256.5.", "mass 256.4")),
        (c.Mass(0, 256, 0), (10, "unsupported claim", (1, 2), "dry skin has noisy mass 256.", "mass 256.4")),
        (c.Comparison(2, 0), (10, "unsupported claim", (1, 2), "account access has more support than dry skin.",
         "differ by -25.0, margin 25.0")),
        (c.Above(4, 2), (10, "unsupported claim", (1, 2), "Fees ranks above account access.", "rank 3 against rank 2")),
        (c.Parameter("epsilon", "2"), (10, "unsupported claim", (1, 2), "Epsilon is 2.", "epsilon 1.0")),
        (c.Mention(1), (4, "atom that is not released", (1, 2), None, "1")),
        (c.Mention(999), (4, "atom that is not released", (1, 2), None, "999")),
        (c.Similarity(0, 5), (4, "atom that is not released", (1, 2), None, "5")),
        (c.PublicText("mine"), (8, "public text that the plan does not have", (1, 2), None, "'mine'")),
        (c.PublicText("stamp"), (8, "public text that the plan does not have", (1, 2), None, "'stamp'")),
    ],
    ids=repr,
)  # fmt: skip
def test_a_refused_claim_names_its_rule_and_its_place(reader, fixed, claim, violation):
    verdict, text = judged(reader, fixed, c.Rank(0, 1), claim)
    assert (verdict.accepted, text) == (False, "")
    assert verdict.violations == (violation,)


def test_an_unknown_bin_is_refused_for_atoms_and_counts(reader):
    bad = [{"kind": "bin", "atom": 0, "value": "high"}, {"kind": "count", "value": 0, "bin": "Low"}]
    verdict, _ = reader.judge(json.dumps({"schema": "dpspin-claims/1", "claims": bad}))
    assert [violation[:3] for violation in verdict.violations] == [
        (8, "bin that the plan does not have", (at, at + 1)) for at in (0, 1)
    ]


def test_rows_out_of_order_are_refused(reader, fixed):
    verdict, _ = judged(reader, fixed, c.Rank(4, 3), c.Rank(2, 2))
    assert [violation.step for violation in verdict.violations] == [9]
    assert judged(reader, fixed, c.Rank(2, 2), c.Rank(4, 3))[0].accepted


@pytest.mark.parametrize("text", ["dry skin ranks first.", '{"claims": []}', "\ud800", "[" * 90_000])
def test_a_draft_in_another_form_breaks_step_2(reader, text):
    verdict, written = reader.judge(text[: reader.longest])
    assert [violation.step for violation in verdict.violations] == [2]
    assert written == ""


def test_drafts_and_reports_are_bounded(reader, fixed):
    verdict, _ = reader.judge("x" * (reader.longest + 1))
    assert [violation.step for violation in verdict.violations] == [1]
    verdict, _ = judged(reader, fixed, *[c.Rank(0, 2)] * 300)
    assert len(verdict.violations) == 50
    verdict, text = judged(reader, fixed, *[c.Rank(0, 1), c.Mention(0)] * 250)
    assert verdict.violations[0].step == 1  # the text would be too long
    assert text == ""


def test_a_stamped_plan_is_stamped_by_the_reader(stamped):
    verdict, text = judged(ClaimReader(stamped, Verifier(stamped)), stamped, c.Rank(0, 1))
    assert verdict.accepted
    assert text == f"{SEEDED}\n\n- dry skin: rank 1\n"


@FAST
@given(st.data())
def test_the_templates_claims_are_accepted_and_say_its_summary(plans, data):
    released = data.draw(plans)
    draft = claims_file.encode(template.claims(released), released.terms) if template.claims(released) else None
    if draft is not None:
        verdict, text = ClaimReader(released, Verifier(released)).judge(draft)
        assert verdict.accepted, verdict.violations
        assert text == template.summary(released)


@FAST
@given(st.data())
def test_whatever_is_accepted_is_supported_and_verified_as_text(plain_plans, data):
    released = data.draw(plain_plans)
    atom = st.integers(0, len(released.terms.universe) - 1)
    claim = st.one_of(
        st.builds(c.Rank, atom, st.integers(1, 4)),
        st.builds(c.Above, atom, atom),
        st.builds(c.Comparison, atom, atom),
        st.builds(c.Similarity, atom, atom),
        st.builds(c.Bin, atom, st.integers(0, len(released.terms.bins) - 1)),
        st.builds(c.Mention, atom),
    )
    verifier = Verifier(released)
    for claims in data.draw(st.lists(st.lists(claim, min_size=1, max_size=2), min_size=20, max_size=20)):
        verdict, text = judged(ClaimReader(released, verifier), released, *claims)
        if verdict.accepted:
            assert all(c.supported(claim, released) for claim in claims)
            read = [claim for statement in verifier.verify(text).sentences for claim in statement.claims]
            assert [claim for claim in read if claim != c.PublicText(c.STAMP)] == claims
        elif all(c.supported(claim, released) for claim in claims):
            assert {violation.step for violation in verdict.violations} == {9}


def test_a_plan_of_no_atoms_has_claims_too(terms):
    empty = structured.SemanticPlan((), terms)
    assert ClaimReader(empty, Verifier(empty)).judge(claims_file.encode([c.Count(0)], terms))[0].accepted
