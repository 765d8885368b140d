import pytest

from dpspin import pipeline
from dpspin.corpus import embedded, split, synthetic
from dpspin.deployment import load
from dpspin.errors import UsageError
from dpspin_experiments.atoms.recipe import Labels, Recipe, prepare
from dpspin_experiments.dataset import Entry, Terms, halves_of, split_of, user_of
from dpspin_experiments.sources import embedded as source

LAPLACE = {"kind": "laplace", "epsilon": "1", "delta": "0"}


@pytest.fixture(scope="module")
def data():
    recipe = Recipe("synthetic", "record", True, split_of("auxiliary-2026"), Labels(60), "centroid")
    return prepare(source.read(5000).entries, recipe).data


def test_the_halves_are_those_of_the_reference(data):
    terms = load(embedded.files()["deployment.yaml"], "deployment.yaml")
    for ours, theirs in ((data.halves.auxiliary, split.auxiliary), (data.halves.protected, split.protected)):
        assert [entry.id for entry in ours] == [r.id for r in theirs(embedded.corpus(terms), terms.corpus.split)]


def test_atoms_and_weights_are_those_of_the_embedded_deployment(data):
    known = embedded.files()
    reference = pipeline.load(known["deployment.yaml"], "deployment.yaml", known.__getitem__)
    assert data.universe == reference.universe
    assert data.weights == reference.weights


def test_users_lie_on_one_side():
    entries = source.read(2000).entries
    halves = halves_of(entries, split_of("auxiliary-2026"), "user")
    sides = [{entry.user for entry in half} for half in halves]
    assert not sides[0] & sides[1]
    assert min(map(len, sides)) > 100
    records = halves_of(entries, split_of("auxiliary-2026"), "record")
    shared = {entry.user for entry in records.auxiliary} & {entry.user for entry in records.protected}
    assert shared  # at record level a person may be on both sides


def test_nobodys_records_are_in_neither_half_at_user_level():
    entries = [Entry(str(n), user, "text", None, None) for n, user in enumerate([None, "", "u"])]
    assert sum(map(len, halves_of(entries, split_of("auxiliary-2026"), "user"))) == 1
    assert sum(map(len, halves_of(entries, split_of("auxiliary-2026"), "record"))) == 3


def test_one_unit_more_moves_no_other(data):
    entries = (*data.halves.auxiliary, *data.halves.protected)
    more = halves_of((Entry("new", None, "text", None, None), *entries), data.split, "record")
    assert set(data.halves.protected) <= set(more.protected)
    assert set(data.halves.auxiliary) <= set(more.auxiliary)


def test_a_setting_declares_what_was_asked(data):
    setting = data.setting(Terms(LAPLACE, plan_size=7, max_atoms=2, sampling_rate="1/3", denominator="100"))
    declared = setting.deployment
    assert (declared.plan.size, declared.assignment.max_atoms, declared.unit) == (7, 2, "record")
    assert (declared.corpus.sampling_rate.text, declared.plan.public_denominator) == ("1/3", 100)
    assert declared.mechanism.epsilon == 1
    assert declared.corpus.synthetic
    assert setting.weights == data.weights


def test_terms_that_contradict_are_refused(data):
    with pytest.raises(UsageError, match="mass_bound"):
        data.setting(Terms(LAPLACE, mass_bound="2"))
    with pytest.raises(UsageError, match=r"mechanism\.delta"):
        data.setting(Terms({**LAPLACE, "delta": "1e-6"}))


def test_a_user_deployment_drops_records_of_nobody():
    user = user_of("user")
    assert user is not None
    assert (user.id_field, user.on_missing_user) == ("user", "drop")
    assert user_of("record") is None


def test_entries_are_records_of_the_reference():
    tree = next(iter(synthetic.records(1)))
    entry = source.read(1).entries[0]
    record = entry.record()
    assert (record.id, record.text, record.user) == (tree["id"], tree["text"], tree["user"])
    assert record.labels == {"label": entry.label}
