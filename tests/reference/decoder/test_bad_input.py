"""Bad input: whatever the labels, the plan or the text, work grows with length and nothing raises."""

import sys
from dataclasses import replace

import pytest

from dpspin import plan
from dpspin.decoder import labels, language, template, tokens
from dpspin.decoder.claims import Count
from dpspin.decoder.verifier import Verifier, verify
from dpspin.plan import SemanticPlan
from dpspin.universe import Universe


def released(terms, names, masses, **changes):
    universe = Universe(tuple(names), (None,) * len(names))
    return plan.build(list(enumerate(masses)), replace(terms, universe=universe, public_text={}, **changes))


def events(run):
    """Python calls made while `run` runs: a measure of work that no busy machine disturbs."""
    count = 0

    def _count(frame, event, _):
        nonlocal count
        count += event == "call" and "dpspin" in frame.f_code.co_filename

    sys.setprofile(_count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


FAMILY = [f"card {'fee ' * n}x" for n in range(40)]
UNICODE = [
    "İstanbul", "ǰ", "ﬁne ﬂoor", "ß", "ΐ", "क्षि", "한국어", "👩 hair", "a\u0301b", "½ price", "x" * 300, "C++",
    "|pipe|", "- dash:", "#1, (or) 2.", "3 % off", "rank 1 care", "е (Cyrillic)",
]  # fmt: skip
MANY = [f"label {n}" for n in range(2000)]


@pytest.mark.parametrize(
    "changes",
    [
        {}, {"margin": 0}, {"cuts": (), "bins": ("below noise floor", "low")}, {"floor": 0},
        {"mass_digits": 0, "support_digits": 0}, {"mass_digits": 6, "support_digits": 6},
        {"denominator": 1}, {"mass_unit": 1}, {"mass_unit": 2**80},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("masses", [[0] * 5, [-7, -7, -9, -1000, -1], [5000] * 5, [10**30, 1, 0, -1, -(10**30)], []])
def test_odd_plans_have_summaries(terms, masses, changes):
    odd = released(terms, ["aa", "bb", "cc", "dd", "ee"], masses, **changes)
    for text in (template.summary(odd), template.fallback(odd)):
        assert verify(text, odd).accepted


@pytest.mark.parametrize(
    "names", [FAMILY, UNICODE, [f"label {n}" for n in range(2000)]], ids=["family", "unicode", "2000"]
)
def test_odd_labels_have_summaries(terms, names):
    odd = released(terms, names, [10**6 - 31 * n for n in range(60)][: len(names)])
    verdict = verify(template.summary(odd), odd)
    assert verdict.accepted
    assert Count(len(odd.atoms)) in [claim for statement in verdict.sentences for claim in statement.claims]


MB = 10**6
TEXTS = {
    "letters": "x" * MB, "blanks": " " * MB, "newlines": "\n" * MB,
    "stops": ". " * (MB // 2), "labels": "Fees " * (MB // 5),
    "true": "Fees ranks third.\n" * (MB // 18), "numbers": "9" * MB, "commas": "1,000" * (MB // 5), "pipes": "|" * MB,
    "rules": "|-" * (MB // 2), "percent": "1 %" * (MB // 3), "openings": "dry " * (MB // 4), "marks": "\u0301" * MB,
    "folds": "ß" * MB, "and": "Fees has rank 3" + " and rank 3" * (MB // 11),
    "table": "| theme | rank |\n" + "| Fees | 3 |\n" * (MB // 13),
    "bins": "very high" * (MB // 9), "rows": "|\n" * (MB // 2),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_a_megabyte_is_refused_by_its_length_alone(fixed, name):
    verifier = Verifier(fixed)
    assert events(lambda: verifier.verify(TEXTS[name])) < 10
    assert [violation.step for violation in verifier.verify(TEXTS[name]).violations] == [1]


@pytest.mark.parametrize("name", TEXTS)
def test_work_is_linear_in_length(fixed, name):
    verifier = Verifier(fixed)
    verifier.longest = 10**9
    verifier.verify(TEXTS[name][:5_000])
    small, large = (events(lambda n=n: verifier.verify(TEXTS[name][:n])) for n in (5_000, 20_000))
    assert large <= 4.4 * small + 200


def test_a_sentence_about_every_atom_of_a_large_plan_is_read(terms):
    count = 2000
    large = released(terms, [f"label {n} x" for n in range(count)], range(10**6, 10**6 - count, -1), plan_size=count)
    text = f"The plan releases {count:,} themes: {', '.join(large.terms.universe.labels[:-1])} and label 1999 x."
    verdict = verify(text, large)
    assert verdict.accepted
    assert len(verdict.sentences[0].claims) == count + 1


def test_the_memory_of_shapes_is_bounded(fixed):
    verifier = Verifier(fixed)
    for n in range(1, 60):
        verifier.verify("fees " + "and rank " * n)
    info = language._remembered.cache_info()
    assert info.currsize <= info.maxsize == 1024
    assert language.LONGEST_KEPT == 100


def test_a_plan_of_nothing_allows_no_theme(terms):
    empty = SemanticPlan((), terms)
    assert verify("The plan releases 0 themes. No released theme is in the low bin.", empty).accepted
    for text in ("Dry skin ranks first.", "The released themes include Fees.", "The plan releases one theme."):
        assert not verify(text, empty).accepted


def test_no_pattern_backtracks_over_long_runs():
    """Each pattern meets its worst run; a quadratic one would not end within the suite's patience."""
    run = 200_000
    assert next(tokens.cut("|" + "-" * run, (0, run + 1), {}, {"|": "BAR"})).kind == "BAR"
    assert len(list(tokens.cut("1" + " " * run, (0, run + 1), {}, {}))) == 2
    assert labels.Labels(["a b"]).scan("a" + " " * run) == []
