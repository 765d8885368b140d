"""Claims on summaries (paper sections 6, 6.5 and B.5; tables 1 to 3)."""

from dpspin_experiments.results.evidence import SPARSE, Evidence, means
from dpspin_experiments.results.finding import NOTHING, Finding, verdict


def template_is_consistent(seen: Evidence) -> Finding:
    """Template summaries satisfy the contract."""
    accepted, wrong = means(seen.groups, "accepted_attempts"), means(seen.groups, "unsupported_atoms")
    if not accepted:
        return NOTHING
    said = f"least acceptance {min(accepted):.3f}; largest rate of unsupported atoms {max(wrong, default=0):.3f}"
    why = "A check of consistency, not of utility: the template says nothing but what the plan holds."
    return Finding(verdict(min(accepted) == 1 and max(wrong, default=0) == 0), said, why)


def likeness_of_texts(seen: Evidence) -> Finding:
    """Lexical similarity is secondary: with a template it mostly reflects fixed phrases."""
    groups = [group for group in seen.plans("record") if group.condition.mechanism == SPARSE]
    if not groups:
        return NOTHING
    low = min(groups, key=lambda group: group.mean("overlap") or 0.0)
    said = (
        f"at Overlap {low.mean('overlap'):.2f}: token Jaccard {low.mean('likeness_token'):.2f}, bigram "
        f"{low.mean('likeness_bigram'):.2f}, keyphrase {low.mean('likeness_keyphrase'):.2f}, TF-IDF "
        f"{low.mean('likeness_tfidf'):.2f}"
    )
    why = "Texts of plans that share few atoms can look alike: the sentences around the labels are the same."
    alike = (low.mean("likeness_tfidf") or 0.0) > (low.mean("overlap") or 0.0)
    return Finding(verdict(alike), said, why)


def judged_by_a_model(_: Evidence) -> Finding:
    """Tables 1 to 3: scores of a hosted model."""
    why = "An evaluation of its own, dpspin experiment judge, asks one; a score is no measure of what a plan kept."
    return Finding("not measured", "A sweep asks no model.", why)
