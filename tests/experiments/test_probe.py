import pytest

from dpspin import plan
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.split import belongs
from dpspin.decoder import template
from dpspin_experiments import probe
from dpspin_experiments.assignment.batch import Assigner, sketch
from dpspin_experiments.atoms.recipe import Labels, Recipe, prepare
from dpspin_experiments.dataset import Terms, split_of
from dpspin_experiments.sources import embedded

LAPLACE = {"kind": "laplace", "epsilon": "1", "delta": "0"}


@pytest.fixture(scope="module")
def data():
    return prepare(
        embedded.read(800).entries, Recipe("d", "record", True, split_of("auxiliary-2026"), Labels(20))
    ).data  # fmt: skip


def test_the_probe_is_one_atom_more_and_moves_no_other(data):
    probed = probe.with_probe(data)
    assert probed.universe.labels == (*data.universe.labels, probe.LABEL)
    text = data.halves.protected[0].text
    assert probed.weights.scores(text) == [*data.weights.scores(text), 0]
    assert probed.setting(Terms(LAPLACE)).universe == probed.universe  # a universe that may be declared


@pytest.mark.parametrize("support", [0, 1, 25])
def test_probe_records_have_the_whole_mass_of_the_probe(data, support):
    probed = probe.with_probe(data)
    records = probe.records(data, support)
    assert len({entry.id for entry in records}) == support
    assert not any(belongs(data.split.key, data.split.auxiliary_share, entry.id) for entry in records)
    exact = sketch(Assigner(probed.weights, 3).shares(entry.text for entry in records), MASS_UNIT)
    assert exact == [0] * 20 + [support * MASS_UNIT]


def test_admission_and_mention_are_two_things(data):
    terms = probe.with_probe(data).setting(Terms(LAPLACE)).terms()
    exact = [MASS_UNIT * (40 - atom) for atom in range(20)] + [MASS_UNIT * 30]
    with_it = plan.build([(0, MASS_UNIT * 40), (20, MASS_UNIT * 30)], terms)
    without = plan.build([(0, MASS_UNIT * 40), (1, MASS_UNIT * 39)], terms)
    assert probe.seen(with_it, template.summary(with_it), exact) == (True, True, 12)
    assert probe.seen(with_it, "Something else.", exact) == (True, False, 12)
    assert probe.seen(without, template.summary(without), exact) == (False, False, 12)
    assert probe.seen(without, f"A text about {probe.LABEL}.", exact) == (False, True, 12)
