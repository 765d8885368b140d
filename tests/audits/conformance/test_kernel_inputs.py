"""Edge cases come first, random ones follow from the seed alone."""

from random import Random

import pytest

from dpspin_audits.conformance import kernel_inputs

MAKERS = ("highest", "shrink", "contribution", "clip", "add", "sketch", "grouping", "user_sketch", "rounded", "compare",
          "support_bin", "of_plan", "claim_supported")  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_random_inputs_follow_the_edge_cases_and_the_seed(name):
    maker = getattr(kernel_inputs, name)
    drafts = list(maker(Random(1)))
    assert drafts == list(maker(Random(1)))
    assert drafts != list(maker(Random(2)))
    assert "Random" not in drafts[0].flags
    if name != "grouping":  # its edge cases come once for each policy
        order = ["Random" in draft.flags for draft in drafts]
        assert order == sorted(order)


def test_plans_and_terms_of_claims_hold_ties_and_every_bin():
    masses = [mass for _, mass in kernel_inputs.PLAN]
    assert len(set(masses)) < len(masses)
    assert min(masses) < 0 < kernel_inputs.TERMS["floor"] < max(masses)
