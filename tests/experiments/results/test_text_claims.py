import pytest

from dpspin_experiments.results import text_claims as claims


@pytest.mark.parametrize(
    ("accepted", "unsupported", "verdict"), [(1, 0, "agrees"), (0.9, 0, "differs"), (1, 0.1, "differs")]
)
def test_the_template(made, accepted, unsupported, verdict):
    group = made.group("record-level", {"accepted_attempts": accepted, "unsupported_atoms": unsupported})
    assert claims.template_is_consistent(made.evidence(group)).verdict == verdict
    assert claims.template_is_consistent(made.evidence()).verdict == "not measured"


@pytest.mark.parametrize(("tfidf", "verdict"), [(0.9, "agrees"), (0.1, "differs")])
def test_texts_look_alike_where_plans_do_not(made, tfidf, verdict):
    figures = {f"likeness_{name}": 0.3 for name in ("token", "bigram", "keyphrase")}
    group = made.group("record-level", {**figures, "likeness_tfidf": tfidf, "overlap": 0.2}, mechanism="private_top_l")
    assert claims.likeness_of_texts(made.evidence(group)).verdict == verdict
    assert claims.likeness_of_texts(made.evidence()).verdict == "not measured"


def test_no_model_is_asked(made):
    assert claims.judged_by_a_model(made.evidence()).verdict == "not measured"
