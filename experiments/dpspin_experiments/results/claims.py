"""The claims of the paper's section 6, each judged on what one sweep measured.

The paper's figures did not survive the conversion of its text; its sentences did.  A verdict is about this project's
data and runs, and says where and why they differ.
"""

from dpspin_experiments.results import effect_claims as effects
from dpspin_experiments.results import method_claims as methods
from dpspin_experiments.results import text_claims as texts
from dpspin_experiments.results import utility_claims as utility
from dpspin_experiments.results.finding import Claim

CLAIMS = (
    Claim("retained", "6.1", "Full sketches keep a large fraction of the top mass at every epsilon.", utility.retained),
    Claim("overlap", "6.1", "Overlap can be more sensitive than MassRetained.", utility.overlap_is_more_sensitive),
    Claim(
        "sparse-loss",
        "6.1",
        "Full sketches lose less mass than admission at small epsilon.",
        utility.sparse_loses_more_at_small_epsilon,
    ),
    Claim(
        "loss-falls", "6.1", "Loss falls as epsilon grows, above all for admission.", utility.loss_falls_with_epsilon
    ),
    Claim(
        "users", "6.2", "At user level, B = 1, full sketches keep almost all of the top mass.", utility.users_keep_mass
    ),
    Claim(
        "users-sparse",
        "6.2",
        "At user level admission depends more on epsilon, and improves with it.",
        utility.users_sparse_depends_on_epsilon,
    ),
    Claim(
        "probe",
        "6.3",
        "A probe is rarely admitted at small support, and more often as it grows.",
        effects.probe_admission_rises,
    ),
    Claim("mention", "6.3", "Mention follows admission and can be lower.", effects.mention_follows_admission),
    Claim("m", "6.4", "A larger m can reduce the gap at the boundary of the top L.", effects.larger_m_narrows_the_gap),
    Claim("L", "6.4", "A larger L changes the target and the mass that can be kept.", effects.larger_l_keeps_more),
    Claim("n", "6.4", "Fewer units have less mass under the same sensitivity.", effects.fewer_units_less_mass),
    Claim("B", "E.6, F.7", "A smaller B means less noise and more clipping.", effects.larger_b_keeps_more),
    Claim("verifier", "6", "Template summaries are consistent with their plans.", texts.template_is_consistent),
    Claim("likeness", "B.5", "With a template, similarity of texts is no separate measure.", texts.likeness_of_texts),
    Claim(
        "histograms",
        "6.5",
        "Keyword and category histograms can do well where their vocabularies fit the corpus.",
        methods.histograms_do_well,
    ),
    Claim(
        "clusters",
        "1, 6.5",
        "Cluster sizes and keywords do not directly give the aggregates of the collection.",
        methods.clusters_are_no_aggregates,
    ),
    Claim("judge", "6.5", "Scores of verbalisations by a language model (tables 1 to 3).", texts.judged_by_a_model),
)
