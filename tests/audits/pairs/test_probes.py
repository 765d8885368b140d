"""Probe texts are found in public data."""

from dataclasses import replace

import pytest

from dpspin.corpus.representation import Weights
from dpspin.corpus.scoring import OwnScores
from dpspin.errors import UsageError
from dpspin_audits.pairs import probes


def test_every_atom_that_a_word_names_alone_has_a_probe_for_itself(setting):
    found = probes.search(setting)
    assert sorted(probe.heaviest for probe in found.single) == list(range(12))
    assert all(probe.atoms == (probe.heaviest,) and max(probe.shares) == 1 for probe in found.single)


def test_the_widest_probe_touches_as_many_atoms_as_a_record_may(setting):
    widest = probes.search(setting).wide[0]
    assert len(widest.atoms) == setting.deployment.assignment.max_atoms
    assert 0.999 < sum(widest.shares) <= 1


def test_concentrated_probes_come_first(setting):
    rows = {"both": ((0, 1), (1, 3)), "one": ((1, 5),), "two": ((0, 2), (2, 1))}
    found = probes.search(replace(setting, weights=Weights("label", 12, rows)))
    assert [(probe.text, probe.heaviest) for probe in found.single] == [("one", 1), ("two", 0)]


def test_a_deployment_in_which_no_text_counts_cannot_be_audited(setting):
    with pytest.raises(UsageError, match="no label and no term touches an atom"):
        probes.search(replace(setting, weights=Weights("label", 12, {})))


STEADY = "def shared(text, labels): return [len(set(text.split()) & set(label.split())) for label in labels]"
FORGETFUL = """
seen = []


def shared(text, labels):
    seen.append(text)
    return [len(set(text.split()) & set(label.split())) + (len(seen) == 30) for label in labels]
"""


def test_where_a_function_scores_texts_the_labels_are_probes(setting):
    found = probes.search(replace(setting, weights=OwnScores("maps:shared", STEADY, setting.universe.labels)))
    assert sorted(probe.heaviest for probe in found.single) == list(range(12))
    assert set(found.words) == {word for label in setting.universe.labels for word in label.split()}


def test_a_function_that_remembers_texts_is_refused(setting):
    with pytest.raises(UsageError, match="in two ways, one after the other; see that scores follow from the text"):
        probes.search(replace(setting, weights=OwnScores("maps:shared", FORGETFUL, setting.universe.labels)))
