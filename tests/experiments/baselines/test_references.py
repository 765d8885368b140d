"""Non-private references on small corpora whose answers can be worked out by hand."""

from collections import Counter

import pytest

from dpspin.curator.intake import exact_sketch
from dpspin_experiments.baselines import references
from dpspin_experiments.baselines.clustering import Shape
from dpspin_experiments.baselines.documents import Document, documents

UNITS = [
    Document(("The bank charged another late fee today. Zebras quietly graze nowhere near.",), ("Card",)),
    Document(("The bank charged another late fee 123456 today.",), ("Card",)),
    Document(("They said the bank charged another late payment.",), ("Loan",)),
]


def test_the_sentence_that_most_units_share_comes_first_and_once():
    found = references.extractive(UNITS)
    assert found.startswith("The bank charged another late fee today.")
    assert found.count("charged another late fee") == 1
    assert found.index("late payment") < found.index("Zebras")


def test_redaction_comes_before_extraction():
    assert "123456" in references.extractive(UNITS[1:2])
    redacted = references.extractive(references.without_identifiers(UNITS[1:2]))
    assert "123456" not in redacted
    assert "[number]" in redacted


def test_the_template_gives_exact_counts(setting, corpus):
    units = documents(corpus, setting.deployment)
    count, name = max((n, name) for name, n in Counter(unit.categories[0] for unit in units).items())
    found = references.template(units, setting).splitlines()
    assert found[0] == f"There are {len(units):,} units."
    assert found[1].startswith(f"Most frequent by category: {name} ({count:,})")


def test_clusters_are_described_or_dropped(setting, corpus):
    units = documents(corpus, setting.deployment)
    found = references.clustered(units, Shape(8, 25, 5))
    assert found
    assert all(25 <= each.size <= len(units) and len(each.terms) == 5 for each in found)
    assert references.of_clusters(found).splitlines()[0] == f"A group of {found[0].size}: {', '.join(found[0].terms)}."
    assert references.clustered(units, Shape(8, len(units) + 1, 5)) == []
    assert "No group" in references.of_clusters([])


@pytest.mark.parametrize("name", ["setting", "replaced"])
def test_the_plan_without_noise_is_the_exact_one_and_is_stamped(name, request, corpus):
    setting = request.getfixturevalue(name)
    found = references.without_noise(corpus, setting)
    text, exact = found.bundle["summary.txt"].decode(), _exact(corpus, setting)
    assert text.startswith("NON-PRIVATE")
    assert found.bundle == references.without_noise(corpus, setting).bundle
    assert found.sketch == exact
    first = exact.index(max(exact))
    assert text.index(setting.universe.labels[first]) == min(
        text.index(label) for label in setting.universe.labels if f"- {label}:" in text
    )


def _exact(corpus, setting):
    return exact_sketch(corpus, setting.deployment, setting.weights, Counter())
